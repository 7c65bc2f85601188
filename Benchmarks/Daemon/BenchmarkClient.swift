import EventLoop
import LocateMeBusInterface
import LocateMeModel
import MessageBus

/// One client with one session: counts its headings and how late each comes.
final class BenchmarkClient {
    /// Boot time in µs of arrival minus that of the sample, for each heading since `reset()`.
    private(set) var delays: [Int64] = []
    /// Boot time of the last arrival, and the longest pause between two since `reset()`, in µs.
    private(set) var longestPause: Int64 = 0
    private var last: Int64 = 0
    private let connection: BusConnection
    private let session: ObjectPath
    private var match: BusMatch?

    init(bus: String, loop: EventLoop, filterDegrees: Double) throws(BusError) {
        connection = try BusConnection(.address(bus), loop: loop)
        let open = try BusMessage.methodCall(
            destination: LocateMeBus.name, path: LocateMeBus.managerPath,
            interface: LocateMeInterfaces.manager1.name, member: "CreateSession")
        try open.append(.dictionary(["Reason": .string("benchmark")]))
        var reader = try connection.callBlocking(open).reader()
        session = try reader.readObjectPath()
        match = connection.addMatch(
            BusMatchRule(interface: LocateMeInterfaces.heading1.name, member: "HeadingUpdated", path: session)
        ) { [unowned self] in take($0) }
        let filter = try BusMessage.methodCall(
            destination: LocateMeBus.name, path: session, interface: "org.freedesktop.DBus.Properties", member: "Set")
        try filter.append(
            .string(LocateMeInterfaces.heading1.name), .string("HeadingFilter"), .variant(.double(filterDegrees)))
        _ = try connection.callBlocking(filter)
    }

    /// `Start` or `Stop`.
    func tell(_ member: String) throws(BusError) {
        _ = try connection.callBlocking(
            try BusMessage.methodCall(
                destination: LocateMeBus.name, path: session, interface: LocateMeInterfaces.heading1.name,
                member: member))
    }

    func reset() {
        delays.removeAll(keepingCapacity: true)
        longestPause = 0
        last = 0
    }

    func close() {
        match?.cancel()
        connection.close()
    }

    private func take(_ message: BusMessage) {
        let now = Clock.bootMicroseconds()
        var reader = message.reader()
        guard let heading = try? reader.readHeading() else { return }
        delays.append(now - heading.bootMicroseconds)
        if last > 0 { longestPause = max(longestPause, now - last) }
        last = now
    }
}
