import EventLoop
import Foundation
import LocateMeModel
import TestSupport
import Testing

@testable import PositionSources

/// The source against a server that misbehaves on purpose. Real gpsd is in `RealGpsdTests`.
@Suite struct GpsdPlaceSourceTests {
    let loop: EventLoop
    let listener = RecordingListener()

    init() throws { loop = try EventLoop() }

    /// Patience for tests, in seconds.
    private static var timing: GpsdPlaceSource.Timing {
        var timing = GpsdPlaceSource.Timing()
        timing.connect = 1
        timing.firstReport = 1
        timing.silence = 0.5
        timing.firstPause = 0.02
        timing.longestPause = 0.1
        return timing
    }

    private func source(
        _ address: GpsdAddress, timing: GpsdPlaceSource.Timing = timing
    ) -> GpsdPlaceSource {
        let source = GpsdPlaceSource(loop: loop, address: address, timing: timing) { 0.5 }
        source.placeListener = listener
        return source
    }

    private func source(_ server: FakeServer) -> GpsdPlaceSource {
        source(GpsdAddress(host: "127.0.0.1", port: server.port))
    }

    private static let version =
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\n"

    /// A complete report of the second.
    private static func report(_ second: Int, latitude: Double = 47.5) -> String {
        let time = UTCDate(realMicroseconds: 1_781_254_800_000_000 + Int64(second) * 1_000_000).iso8601
        return
            #"{"class":"TPV","device":"x","mode":3,"time":"\#(time)","lat":\#(latitude),"lon":8.5,"altHAE":450.0,"altMSL":400.0,"epv":9.0,"track":90.0,"speed":1.5,"eps":0.5,"eph":10.0}"#
            + "\n"
    }

    private static let noFix = #"{"class":"TPV","device":"x","mode":1}"# + "\n"

    @Test("Bar 21: a gpsd on this machine is found again within a second, however long it was away")
    func longOutage() throws {
        var timing = Self.timing
        // As far as pauses grow, and more.
        timing.firstPause = 600
        timing.longestPause = 600
        timing.longestNearPause = SourceTiming().longestNearPause
        var server: FakeServer? = try FakeServer(loop: loop)
        let port = try #require(server).port
        server?.greeting = Self.version + Self.report(1)
        let source = source(GpsdAddress(host: "localhost", port: port), timing: timing)
        source.start()
        #expect(try loop.run(until: { source.placeState.state == .ok }))
        let before = listener.fixes.count
        server = nil
        #expect(try loop.run(until: { source.placeState.state == .lost }))
        let again = try FakeServer(loop: loop, port: port)
        again.greeting = Self.version + Self.report(2)
        #expect(try loop.run(until: { listener.fixes.count > before }))
        source.stop()
    }

    @Test func reportsBecomeFixes() throws {
        let server = try FakeServer(loop: loop)
        server.greeting = Self.version
        let source = source(server)
        #expect(source.placeState == SourceDescription(id: "gpsd", kind: "gpsd", state: .off))
        source.start()
        source.start()
        #expect(source.placeState.state == .starting)
        #expect(try loop.run(until: { server.received.hasSuffix("\n") }))
        #expect(server.received == "?WATCH={\"enable\":true,\"json\":true};\n")
        server.say(Self.report(0))
        server.say(Self.report(1, latitude: 48))
        #expect(try loop.run(until: { listener.fixes.count == 2 }))
        #expect(listener.fixes.map(\.latitude) == [47.5, 48])
        #expect(listener.fixes.map(\.realMicroseconds) == [1_781_254_800_000_000, 1_781_254_801_000_000])
        #expect(abs((listener.fixes.first?.bootMicroseconds ?? 0) - Clock.bootMicroseconds()) < 20_000_000)
        #expect(source.placeState.state == .ok)
        #expect(server.accepted == 1)
        source.stop()
        #expect(source.placeState.state == .off)
        #expect(try loop.run(until: { server.clients.isEmpty }))
        #expect(listener.states == [.starting, .ok, .off])
    }

    @Test func noFixIsToldOnceAndDoesNotEndTheConnection() throws {
        let server = try FakeServer(loop: loop)
        let source = source(server)
        source.start()
        #expect(try loop.run(until: { !server.clients.isEmpty }))
        server.say(Self.noFix)
        server.say(Self.report(0) + Self.noFix + Self.noFix)
        #expect(try loop.run(until: { listener.lostFixes == 1 }))
        server.say(Self.report(3))
        #expect(try loop.run(until: { listener.fixes.count == 2 }))
        #expect(listener.lostFixes == 1)
        #expect(source.placeState.state == .ok)
        #expect(server.accepted == 1)
        source.stop()
    }

    @Test func anIncompleteReportIsDeliveredByItsDeadline() throws {
        let server = try FakeServer(loop: loop)
        let source = source(server)
        source.start()
        #expect(try loop.run(until: { !server.clients.isEmpty }))
        server.say(#"{"class":"TPV","mode":2,"lat":1.5,"lon":2.5,"eph":10.0}"# + "\n")
        #expect(try loop.run(until: { listener.fixes.count == 1 }))
        #expect(listener.fixes.first?.realMicroseconds == 0)
        source.stop()
    }

    @Test func nobodyListeningIsAFailureThatHealsByItself() throws {
        // A port that was free a moment ago.
        let closed = try FakeServer(loop: loop).port
        let source = source(GpsdAddress(host: "127.0.0.1", port: closed))
        source.start()
        #expect(try loop.run(until: { source.placeState.state == .failed }))
        #expect(source.problem == "cannot connect to gpsd at 127.0.0.1:\(closed): Connection refused")
        let late = try FakeServer(loop: loop, port: closed)
        late.greeting = Self.report(0)
        #expect(try loop.run(until: { listener.fixes.count == 1 }))
        #expect(source.problem == nil)
        #expect(listener.states == [.starting, .failed, .ok])
        source.stop()
    }

    @Test func aServerThatNeverAnswersIsLeftAndTriedAgain() throws {
        let server = try FakeServer(loop: loop)
        let source = source(server)
        source.start()
        #expect(try loop.run(until: { server.accepted == 3 }))
        #expect(source.placeState.state == .failed)
        #expect(source.problem == "gpsd at 127.0.0.1:\(server.port) sends no positions; is a receiver plugged in?")
        #expect(listener.fixes.isEmpty)
        source.stop()
    }

    /// A listening socket whose queue is full leaves the SYN unanswered, like a host that drops it.
    @Test func aHostThatDoesNotAnswerDoesNotStopTheLoop() throws {
        let full = try FullListener()
        let source = source(GpsdAddress(host: "127.0.0.1", port: full.port))
        var rounds = 0
        let timer = loop.makeTimer { rounds += 1 }
        timer.arm(afterMicroseconds: 0, everyMicroseconds: 20_000)
        source.start()
        #expect(try loop.run(until: { source.placeState.state == .failed }))
        // One second of waiting for the connection, in which the loop went on.
        #expect(rounds > 20)
        #expect(source.problem == "cannot connect to gpsd at 127.0.0.1:\(full.port): no answer")
        source.stop()
        timer.disarm()
    }

    @Test func `Bar 21: garbage and truncated JSON are skipped and counted`() throws {
        let server = try FakeServer(loop: loop)
        let source = source(server)
        source.start()
        #expect(try loop.run(until: { !server.clients.isEmpty }))
        server.say("\u{1}\u{2}{{{\n{\"class\":\"TPV\",\"mode\":3,\"lat\":4\n}\n" + Self.report(0))
        #expect(try loop.run(until: { listener.fixes.count == 1 }))
        #expect(source.garbageLines == 3)
        source.stop()
    }

    @Test func anotherKindOfServerIsNamed() throws {
        let server = try FakeServer(loop: loop)
        server.greeting = "HTTP/1.1 400 Bad Request\r\n\r\n"
        let source = source(server)
        source.start()
        #expect(try loop.run(until: { source.problem?.contains("does not speak") == true }))
        #expect(source.placeState.state == .failed)
        source.stop()
    }

    @Test func `Bar 21, bug-line-of-a-megabyte: a megabyte without an end of line does no harm`() throws {
        let server = try FakeServer(loop: loop)
        let source = source(server)
        source.start()
        #expect(try loop.run(until: { !server.clients.isEmpty }))
        for _ in 0..<256 {
            server.say(String(repeating: "A", count: 4096))
            try loop.runOnce(timeoutMilliseconds: 0)
        }
        server.say("\n" + Self.report(0))
        #expect(try loop.run(until: { listener.fixes.count == 1 }))
        source.stop()
    }

    @Test func aRestartOfTheServerIsALossAndThenGoesOn() throws {
        var server: FakeServer? = try FakeServer(loop: loop)
        let port = try #require(server?.port)
        server?.greeting = Self.report(0)
        let source = source(GpsdAddress(host: "127.0.0.1", port: port))
        source.start()
        #expect(try loop.run(until: { listener.fixes.count == 1 }))
        server?.hangUp()
        server = nil
        #expect(try loop.run(until: { source.placeState.state == .lost }))
        #expect(listener.lostFixes == 1)
        let again = try FakeServer(loop: loop, port: port)
        again.greeting = Self.report(9)
        #expect(try loop.run(until: { listener.fixes.count == 2 }))
        #expect(listener.states == [.starting, .ok, .lost, .ok])
        source.stop()
    }

    @Test func aServerThatFallsSilentIsLost() throws {
        let server = try FakeServer(loop: loop)
        let source = source(server)
        source.start()
        #expect(try loop.run(until: { !server.clients.isEmpty }))
        server.say(Self.report(0))
        #expect(try loop.run(until: { listener.fixes.count == 1 }))
        #expect(try loop.run(until: { source.placeState.state == .lost }))
        #expect(listener.lostFixes == 1)
        #expect(try loop.run(until: { server.accepted == 2 }))
        source.stop()
    }

    @Test func `Bar 21: a receiver that is unplugged is a loss at once`() throws {
        let server = try FakeServer(loop: loop)
        let source = source(server)
        source.start()
        #expect(try loop.run(until: { !server.clients.isEmpty }))
        server.say(Self.report(0) + #"{"class":"DEVICE","path":"x","activated":0}"# + "\n")
        #expect(try loop.run(until: { source.placeState.state == .lost }))
        #expect(source.problem == "gpsd at 127.0.0.1:\(server.port) has lost its receiver")
        #expect(server.accepted == 1)
        server.say(Self.report(1))
        #expect(try loop.run(until: { source.placeState.state == .ok }))
        source.stop()
    }

    @Test func aHostThatHasNoAddressIsNamedWithoutStoppingTheLoop() throws {
        // RFC 6761: names under .invalid never exist.
        let source = source(GpsdAddress(host: "no-such-host.invalid", port: 2947))
        source.start()
        #expect(source.placeState.state == .starting)
        #expect(try loop.run(until: { source.placeState.state == .failed }, seconds: 60))
        #expect(source.problem?.hasPrefix("cannot find the host 'no-such-host.invalid': ") == true)
        source.stop()
        #expect(source.problem == nil)
    }

    @Test func localhostIsBothLoopbackAddresses() throws {
        let server = try FakeServer(loop: loop)
        server.greeting = Self.report(0)
        // Nothing listens on ::1, which is tried first.
        let source = source(GpsdAddress(host: "localhost", port: server.port))
        source.start()
        #expect(try loop.run(until: { listener.fixes.count == 1 }))
        source.stop()
    }

    @Test func aStoppedSourceTakesNoTimeOfTheLoop() throws {
        let server = try FakeServer(loop: loop)
        server.greeting = Self.report(0)
        let source = source(server)
        source.start()
        #expect(try loop.run(until: { listener.fixes.count == 1 }))
        source.stop()
        #expect(try loop.run(until: { server.clients.isEmpty }))
        let before = Clock.bootMicroseconds()
        // Longer than every patience of the test.
        try loop.runOnce(timeoutMilliseconds: 1500)
        #expect(Clock.bootMicroseconds() - before >= 1_490_000)
        #expect(server.accepted == 1)
    }

    @Test func theListenerMayStopTheSourceFromWithinAFix() throws {
        let server = try FakeServer(loop: loop)
        let source = source(server)
        listener.onFix = { [weak source] in source?.stop() }
        source.start()
        #expect(try loop.run(until: { !server.clients.isEmpty }))
        server.say(Self.report(0) + Self.report(1) + Self.noFix + Self.report(2))
        #expect(try loop.run(until: { source.placeState.state == .off }))
        #expect(try loop.run(until: { server.clients.isEmpty }))
        #expect(listener.fixes.count == 1)
        #expect(listener.lostFixes == 0)
        // And it can be started again.
        listener.onFix = nil
        source.start()
        server.greeting = Self.report(5)
        #expect(try loop.run(until: { listener.fixes.count == 2 }))
        source.stop()
    }

    @Test func aSourceThatIsLetGoLeavesNothingBehind() throws {
        let server = try FakeServer(loop: loop)
        do {
            let source = source(server)
            source.start()
            #expect(try loop.run(until: { !server.clients.isEmpty }))
        }
        #expect(try loop.run(until: { server.clients.isEmpty }))
    }
}

/// A listening socket with a full queue: further connections are neither accepted nor refused.
private final class FullListener {
    let port: UInt16
    private let descriptor: Int32
    private var fillers: [Int32] = []

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, size) == 0 && listen(descriptor, 0) == 0
                    && getsockname(descriptor, generic, &size) == 0
            }
        }
        guard isListening else { throw Errno.current }
        port = UInt16(bigEndian: address.sin_port)
        for _ in 0..<4 {
            let filler = socket(
                AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(filler, $0, size) }
            }
            fillers.append(filler)
        }
    }

    deinit {
        for filler in fillers { close(filler) }
        close(descriptor)
    }
}
