internal import MessageBus

/// The way from a session to its owner, and to nobody else: every signal is unicast, and none is sent faster than
/// the owner reads. What has no room is replaced by newer of the same slot.
final class SessionLink {
    let path: ObjectPath
    let owner: BusCaller
    /// What became of the samples and fixes.
    var counters = SessionCounters()
    private let dispatcher: ObjectDispatcher
    private let flow: PeerFlow
    private let log: Log
    /// The session's object while it is on the bus.
    weak var object: ExportedObject?

    init(path: ObjectPath, owner: BusCaller, dispatcher: ObjectDispatcher, flow: PeerFlow, log: Log) {
        self.path = path
        self.owner = owner
        self.dispatcher = dispatcher
        self.flow = flow
        self.log = log
    }

    /// Signals that were replaced by newer ones.
    var superseded: UInt64 { flow.superseded }

    /// Sends a signal of the session's object.
    func signal(
        _ interface: InterfaceDescription, _ member: String, slot: String,
        _ write: (inout BusWriter) throws(BusError) -> Void = { _ in }
    ) {
        do throws(BusError) {
            let message = try BusMessage.signal(
                path: path, interface: interface.name, member: member, destination: owner.uniqueName)
            try message.write(write)
            flow.offer(message, slot: path.text + slot)
        } catch {
            log.error("the signal \(interface.name).\(member) could not be made, dropping it: \(error)")
        }
    }

    /// Sends a signal that others get too, each of its own session: the first writes its body.
    func signal(
        _ interface: InterfaceDescription, _ member: String, slot: String, shared: inout BusMessage?,
        _ write: (inout BusWriter) throws(BusError) -> Void
    ) {
        do throws(BusError) {
            let body: BusMessage
            if let shared {
                body = shared
            } else {
                body = try BusMessage.signalOfMany(interface: interface.name, member: member)
                try body.write(write)
                shared = body
            }
            flow.offer(try body.signal(of: path, to: owner.uniqueName), slot: path.text + slot)
        } catch {
            log.error("the signal \(interface.name).\(member) could not be made, dropping it: \(error)")
        }
    }

    /// Tells the owner that properties have changed.
    func changed(_ interface: InterfaceDescription, _ names: [String]) {
        guard let object,
            let message = dispatcher.propertiesChangedMessage(object, interface.name, names, to: owner)
        else { return }
        flow.offer(message, slot: "\(path.text) \(interface.name) \(names.joined(separator: " "))")
    }
}
