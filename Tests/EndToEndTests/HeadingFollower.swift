import EventLoop
import Foundation
import LocateMeBusInterface
import LocateMeModel
import MessageBus
import TestSupport

/// A client of the service that follows headings, asks for its state many times a second, and takes the time of each
/// answer. Lives on one thread.
final class HeadingFollower {
    private let loop: EventLoop
    private let connection: BusConnection
    private let session: ObjectPath
    private var match: BusMatch?
    /// Reasons of `HeadingLost` so far.
    private(set) var losses: [String] = []
    /// `HeadingUpdated` so far, and the newest.
    private(set) var updates = 0
    private(set) var newest: Heading?
    /// How long answers took.
    private(set) var answers: [Answer] = []
    private let queues: ProcessorQueues

    /// The time of one answer.
    struct Answer: Sendable {
        /// From the call to its answer, in seconds.
        var seconds: Double
        /// Of those, how long client, bus and service were ready to run and had to wait for a processor. What waits for a
        /// device, a lock or a file is not in it.
        var queuedSeconds: Double
        /// How long the bus alone took to answer just before.
        var busSeconds: Double

        /// What the service, not the machine's load, is to answer for.
        var ownSeconds: Double { seconds - queuedSeconds }
    }

    private static let service = "org.locateme"

    /// - Parameter service: the service's process, where the times of answers are to be judged.
    init(_ bus: PrivateBus, service: Int32? = nil) throws {
        loop = try EventLoop()
        queues = ProcessorQueues([bus.processID] + [service].compactMap { $0 })
        guard let address = BusAddress(argument: bus.address) else { throw WaitFailure(description: bus.address) }
        connection = try BusConnection(address, loop: loop)
        let create = try Self.message("/org/locateme", "org.locateme.Manager1", "CreateSession")
        try create.append(.dictionary(["Reason": .string("test")]))
        let reply = try connection.callBlocking(create)
        guard let path = try reply.values().first?.objectPathValue, let owner = reply.sender else {
            throw WaitFailure(description: "no session")
        }
        session = path
        match = connection.addUnicastMatch(
            BusMatchRule(sender: owner, interface: "org.locateme.Heading1", path: path)
        ) { [weak self] message in self?.take(message) }
        // Coarse, so that the sensors run no faster than they must.
        let set = try Self.message(session, "org.freedesktop.DBus.Properties", "Set")
        try set.append(.string("org.locateme.Heading1"), .string("HeadingFilter"), .variant(.double(5)))
        _ = try connection.callBlocking(set)
    }

    func close() { connection.close() }

    func start() throws { _ = try call(session, "org.locateme.Heading1", "Start") }
    func stop() throws { _ = try call(session, "org.locateme.Heading1", "Stop") }

    /// CLOCK_REALTIME in µs of the newest valid heading, 0 if there is none, and what it is in degrees.
    func status() throws -> (time: Int64, degrees: Double) {
        let values = try call(
            "/org/locateme", "org.freedesktop.DBus.Properties", "GetAll", .string("org.locateme.Status1"))
        let status = values.first?.dictionaryValue ?? [:]
        return (status["HeadingTime"]?.int64Value ?? 0, status["MagneticHeading"]?.doubleValue ?? -1)
    }

    /// True if the sensor of that kind delivers.
    func delivers(_ kind: String) throws -> Bool {
        let values = try call(
            "/org/locateme", "org.freedesktop.DBus.Properties", "Get", .string("org.locateme.Manager1"),
            .string("Sources"))
        guard case .variant(.array(_, let rows))? = values.first else { return false }
        return rows.contains { row in
            guard case .structure(let fields) = row, fields.count == 3 else { return false }
            return fields[1].stringValue == kind && fields[2].uint32Value == SourceState.ok.rawValue
        }
    }

    /// Codes of the findings that name a device, by `iio:device0` and so on, or none.
    func findings(of device: String) throws -> [String] {
        let values = try call("/org/locateme/compass", "org.locateme.Compass1", "Diagnose")
        guard case .array(_, let all)? = values.first else { return [] }
        return all.compactMap { finding in
            guard let entries = finding.dictionaryValue, let sensor = entries["Sensor"]?.stringValue,
                sensor.isEmpty || sensor.contains(device + "/") || sensor.hasSuffix(device)
            else { return nil }
            return entries["Code"]?.stringValue
        }
    }

    /// Looks until a condition holds, taking the time of an answer before each look. Nil, or the time in seconds.
    func wait(seconds: Double, until holds: () throws -> Bool) throws -> Double? {
        let begin = Clock.bootMicroseconds()
        while true {
            _ = try status()
            if try holds() { return Double(Clock.bootMicroseconds() - begin) * 1e-6 }
            if Double(Clock.bootMicroseconds() - begin) * 1e-6 > seconds { return nil }
            _ = try loop.run(until: { false }, seconds: 0.06)
        }
    }

    // MARK: - Private

    private func take(_ message: BusMessage) {
        switch message.member {
        case "HeadingLost": losses.append((try? message.values().first?.stringValue) ?? "")
        case "HeadingUpdated":
            var reader = message.reader()
            newest = try? reader.readHeading()
            updates += 1
        default: break
        }
    }

    private static func message(_ path: ObjectPath, _ interface: String, _ member: String) throws -> BusMessage {
        try BusMessage.methodCall(destination: service, path: path, interface: interface, member: member)
    }

    private func call(
        _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: BusValue...
    ) throws -> [BusValue] {
        let message = try Self.message(path, interface, member)
        for argument in arguments { try message.append(argument) }
        let control = try BusMessage.methodCall(
            destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus.Peer",
            member: "Ping")
        let before = Clock.bootMicroseconds()
        _ = try connection.callBlocking(control, timeoutMilliseconds: 30_000)
        let queued = queues.seconds
        let begin = Clock.bootMicroseconds()
        let reply = try connection.callBlocking(message, timeoutMilliseconds: 30_000)
        let end = Clock.bootMicroseconds()
        answers.append(
            Answer(
                seconds: Double(end - begin) * 1e-6, queuedSeconds: queues.seconds - queued,
                busSeconds: Double(begin - before) * 1e-6))
        return try reply.values()
    }
}
