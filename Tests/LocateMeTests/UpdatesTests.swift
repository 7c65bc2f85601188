import EventLoop
import Foundation
import LocateMe
import LocateMeBusInterface
import LocateMeModel
import MessageBus
import TestSupport
import Testing

/// A `FakeService` on a thread of its own, which sends a heading, a fix and a pose every 5 ms to its sessions.
private final class ServiceThread: @unchecked Sendable {
    // `stopped`, `log` and `sessions` are guarded by the lock; the rest stays on the thread.
    private let lock = NSLock()
    private var stopped = false
    private var log: [String] = []
    private var sessions = 0
    private let ended = DispatchSemaphore(value: 0)

    init(_ address: String, refusing: [String: BusError] = [:]) {
        let ready = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            do {
                let loop = try EventLoop()
                let service = try FakeService(address, loop: loop)
                service.errors = refusing
                ready.signal()
                var number = 0.0
                while !lock.withLock({ stopped }) {
                    number += 1
                    try Self.send(service, number)
                    try loop.runOnce(timeoutMilliseconds: 5)
                    lock.withLock {
                        log = service.log
                        sessions = service.sessions.count
                    }
                }
                service.connection.close()
            } catch {
                Issue.record(error)
                ready.signal()
            }
            ended.signal()
        }
        ready.wait()
    }

    /// Ends the thread, which keeps this object until then, and waits for its end.
    func stop() {
        lock.withLock { stopped = true }
        ended.wait()
        ended.signal()
    }

    var calls: [String] { lock.withLock { log } }
    var sessionCount: Int { lock.withLock { sessions } }

    private static func send(_ service: FakeService, _ number: Double) throws {
        var heading = FakeService.heading
        heading.magnetic = number
        if service.log.contains("Heading1.Start") {
            try service.signal(LocateMeInterfaces.heading1.name, "HeadingUpdated") { writer throws(BusError) in
                try writer.append(heading)
            }
        }
        if service.log.contains("Location1.Start") {
            try service.signal(LocateMeInterfaces.location1.name, "LocationsUpdated") { writer throws(BusError) in
                try writer.append([FakeService.fix])
            }
        }
        if service.log.contains("Pose1.Start") {
            try service.signal(LocateMeInterfaces.pose1.name, "PoseUpdated") { writer throws(BusError) in
                try writer.append(UInt32(3))
                try writer.append(UInt32(3))
                try writer.append(FakeService.fix)
                try writer.append(heading)
            }
        }
    }
}

@Suite struct UpdatesTests {
    @Test("Headings come as a sequence, in their order, with the filter that was asked for", .timeLimit(.minutes(1)))
    func headings() async throws {
        let bus = try PrivateBus()
        let service = ServiceThread(bus.address)
        defer { service.stop() }
        var received: [Double] = []
        for try await heading in LocationUpdates.headings(bus: .address(bus.address), reason: "tests", filter: 7) {
            received.append(heading.magnetic)
            if received.count == 5 { break }
        }
        #expect(received == received.sorted() && Set(received).count == 5)
        #expect(service.calls.contains("Heading1.HeadingFilter=7.0"))
        // The end of the loop ends the session.
        while service.sessionCount > 0 { await Task.yield() }
    }

    @Test("Places and poses come as sequences", .timeLimit(.minutes(1)))
    func locationsAndPoses() async throws {
        let bus = try PrivateBus()
        let service = ServiceThread(bus.address)
        defer { service.stop() }
        var places = LocationUpdates.locations(bus: .address(bus.address), reason: "tests").makeAsyncIterator()
        #expect(try await places.next() == FakeService.fix)
        var poses = LocationUpdates.poses(bus: .address(bus.address), reason: "tests").makeAsyncIterator()
        let pose = try await poses.next()
        #expect(pose?.fix == FakeService.fix && pose?.changed == [.location, .heading])
        #expect(service.calls.contains("Pose1.Start"))
    }

    @Test("A cancelled task ends the sequence without an error", .timeLimit(.minutes(1)))
    func cancel() async throws {
        let bus = try PrivateBus()
        let service = ServiceThread(bus.address)
        defer { service.stop() }
        let address = bus.address
        let task = Task {
            var count = 0
            for try await _ in LocationUpdates.headings(bus: .address(address), reason: "tests") { count += 1 }
            return count
        }
        while !service.calls.contains("Heading1.Start") { await Task.yield() }
        task.cancel()
        _ = try await task.value
        while service.sessionCount > 0 { await Task.yield() }
        #expect(service.calls.contains("Manager1.CreateSession"))
    }

    @Test("No bus, no service, no sensor and no permission end it with their error", .timeLimit(.minutes(1)))
    func failures() async throws {
        let bus = try PrivateBus()
        func outcome(_ address: String) async -> LocateMeError.Code? {
            do {
                for try await _ in LocationUpdates.headings(bus: .address(address), reason: "tests") {}
                return nil
            } catch {
                return (error as? LocateMeError)?.code
            }
        }
        #expect(await outcome("unix:path=/nonexistent/bus") == .noBus)
        #expect(await outcome(bus.address) == .noService)
        let service = ServiceThread(
            bus.address, refusing: ["Heading1.Start": BusError(.headingFailure, "no magnetometer")])
        #expect(await outcome(bus.address) == .headingFailure)
        service.stop()
    }
}
