public import LocateMeModel
public import MessageBus

/// polkit's authority on the system bus (polkit reference manual, interface org.freedesktop.PolicyKit1.Authority), and
/// for machines without it the login manager's word on whose session is active.
public final class PolicyKit: AuthorityChecker {
    /// Called when polkit's rules or actions have changed, another polkit has come, or another user's session is the active
    /// one.
    public var authorityChanged: () -> Void = {}

    private let connection: BusConnection
    private var changes: BusMatch?
    private var seatChanges: BusMatch?
    private var presence: NameWatch?
    private var isFirst = true
    private var asked: UInt64 = 0

    // Seats other than seat0 are rare, and a machine has one screen that shows where it is.
    private static let seat: ObjectPath = "/org/freedesktop/login1/seat/seat0"
    private static let path: ObjectPath = "/org/freedesktop/PolicyKit1/Authority"
    private static let interface = "org.freedesktop.PolicyKit1.Authority"

    /// An authority on the bus that the callers are on.
    public init(connection: BusConnection) {
        self.connection = connection
        changes = connection.addMatch(
            BusMatchRule(
                sender: ServiceName.policyKit, interface: Self.interface, member: "Changed", path: Self.path)
        ) { [weak self] _ in self?.authorityChanged() }
        seatChanges = connection.addMatch(
            BusMatchRule(
                sender: ServiceName.login, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
                path: Self.seat)
        ) { [weak self] _ in self?.authorityChanged() }
        presence = connection.watchName(ServiceName.policyKit) { [weak self] owner in
            guard let self else { return }
            // One that comes later may think differently; one that leaves is started by the next question.
            if owner != nil, !isFirst { authorityChanged() }
            isFirst = false
        }
    }

    deinit {
        changes?.cancel()
        seatChanges?.cancel()
        presence?.cancel()
    }

    /// Asks `CheckAuthorization` for a connection of this bus.
    public func check(
        _ uniqueName: String, action: String, mayAsk: Bool, timeoutMilliseconds: Int32,
        reply: @escaping (AuthorityAnswer) -> Void
    ) {
        asked += 1
        let identifier = mayAsk ? "locateme-\(asked)" : ""
        do throws(BusError) {
            let call = try BusMessage.methodCall(
                destination: ServiceName.policyKit, path: Self.path, interface: Self.interface,
                member: "CheckAuthorization")
            try call.write { writer throws(BusError) in
                try writer.structure { subject throws(BusError) in
                    try subject.append("system-bus-name")
                    try subject.append(["name": BusValue.string(uniqueName)])
                }
                try writer.append(action)
                try writer.array(of: "{ss}") { _ in }
                try writer.append(UInt32(mayAsk ? 1 : 0))
                try writer.append(identifier)
            }
            connection.call(call, timeoutMilliseconds: timeoutMilliseconds) { [weak self] result in
                let answer = Self.answer(result)
                if case .failed = answer, mayAsk { self?.cancel(identifier) }
                reply(answer)
            }
        } catch {
            reply(.failed(error.text))
        }
    }

    /// The user of the active session of seat0, by the login manager.
    public func activeUser(reply: @escaping (UInt32?) -> Void) {
        property(Self.seat, "org.freedesktop.login1.Seat", "ActiveSession") {
            [weak self] reader throws(BusError) in
            let session = try reader.readStructure { fields throws(BusError) in
                (try fields.readString(), try fields.readObjectPath())
            }
            guard let self, !session.0.isEmpty else { return reply(nil) }
            property(session.1, "org.freedesktop.login1.Session", "User") { reader throws(BusError) in
                reply(
                    try reader.readStructure { fields throws(BusError) in
                        let user = try fields.readUInt32()
                        _ = try fields.readObjectPath()
                        return user
                    })
            } failed: {
                reply(nil)
            }
        } failed: {
            reply(nil)
        }
    }

    // MARK: - Private

    private static func answer(_ result: Result<BusMessage, BusError>) -> AuthorityAnswer {
        do throws(BusError) {
            var reader = try result.get().reader()
            return try reader.readStructure { fields throws(BusError) in
                let isAuthorized = try fields.readBool()
                let isChallenge = try fields.readBool()
                try fields.readArray { entry throws(BusError) in entry.skip() }
                return isAuthorized ? .yes : isChallenge ? .challenge : .no
            }
        } catch {
            switch error.code {
            case .serviceUnknown, .nameHasNoOwner: return .absent
            default: return .failed("polkit gave no answer: \(error.text)")
            }
        }
    }

    /// The question is withdrawn: a dialogue that nobody waits for must not stay.
    private func cancel(_ identifier: String) {
        guard
            let call = try? BusMessage.methodCall(
                destination: ServiceName.policyKit, path: Self.path, interface: Self.interface,
                member: "CancelCheckAuthorization")
        else { return }
        call.mayStartService = false
        // If this fails there is no dialogue either.
        guard (try? call.append(.string(identifier))) != nil else { return }
        connection.call(call, timeoutMilliseconds: 5000) { _ in }
    }

    private func property(
        _ path: ObjectPath, _ interface: String, _ name: String,
        _ body: @escaping (inout BusReader) throws(BusError) -> Void, failed: @escaping () -> Void
    ) {
        guard
            let call = try? BusMessage.methodCall(
                destination: ServiceName.login, path: path, interface: "org.freedesktop.DBus.Properties", member: "Get"),
            (try? call.append(.string(interface), .string(name))) != nil
        else { return failed() }
        call.mayStartService = false
        connection.call(call, timeoutMilliseconds: 5000) { result in
            do throws(BusError) {
                var reader = try result.get().reader()
                try reader.readVariant { value throws(BusError) in try body(&value) }
            } catch {
                failed()
            }
        }
    }
}
