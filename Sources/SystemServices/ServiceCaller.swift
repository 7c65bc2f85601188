internal import MessageBus

/// Calls of one service that are let go together: after `cancel()` no answer arrives.
final class ServiceCaller {
    /// Milliseconds; a service that asks a person first takes longer, and is asked again.
    static let patience: Int32 = 10_000

    private let connection: BusConnection
    private let destination: String
    private var pending: [PendingCall] = []
    private var generation = 0

    init(connection: BusConnection, destination: String) {
        self.connection = connection
        self.destination = destination
    }

    /// Calls a method; `reply` hears of the answer or the error, never from within this call.
    func call(
        _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [BusValue] = [],
        reply: @escaping (Result<BusMessage, BusError>) -> Void
    ) {
        do throws(BusError) {
            let message = try BusMessage.methodCall(
                destination: destination, path: path, interface: interface, member: member)
            try message.write { writer throws(BusError) in
                for argument in arguments { try writer.append(argument) }
            }
            let begun = generation
            pending.append(
                connection.call(message, timeoutMilliseconds: Self.patience) { [weak self] result in
                    guard let self, generation == begun else { return }
                    reply(result)
                })
            // Answered ones need not be kept; a source has a handful under way.
            if pending.count > 16 { pending.removeFirst(8) }
        } catch {
            // Only for arguments that no message can carry.
            reply(.failure(error))
        }
    }

    /// Sets a property.
    func set(
        _ path: ObjectPath, _ interface: String, _ property: String, _ value: BusValue,
        reply: @escaping (Result<BusMessage, BusError>) -> Void
    ) {
        call(
            path, "org.freedesktop.DBus.Properties", "Set",
            [.string(interface), .string(property), .variant(value)], reply: reply)
    }

    /// Reads all properties of an interface.
    func properties(
        _ path: ObjectPath, _ interface: String, reply: @escaping (Result<[String: BusValue], BusError>) -> Void
    ) {
        call(path, "org.freedesktop.DBus.Properties", "GetAll", [.string(interface)]) { result in
            reply(result.flatMap(Self.dictionary))
        }
    }

    /// Tells something without waiting for an answer.
    func tell(_ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [BusValue] = []) {
        guard
            let message = try? BusMessage.methodCall(
                destination: destination, path: path, interface: interface, member: member),
            (try? message.write { writer throws(BusError) in
                for argument in arguments { try writer.append(argument) }
            }) != nil
        else { return }
        message.mayStartService = false
        // The answer would find nobody.
        _ = connection.call(message, timeoutMilliseconds: Self.patience) { _ in }
    }

    /// Lets go of all answers.
    func cancel() {
        generation += 1
        for call in pending { call.cancel() }
        pending.removeAll()
    }

    /// The first argument, an `a{sv}`.
    static func dictionary(_ message: BusMessage) -> Result<[String: BusValue], BusError> {
        do throws(BusError) {
            var reader = message.reader()
            return .success(try reader.readDictionary())
        } catch {
            return .failure(error)
        }
    }
}
