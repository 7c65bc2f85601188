import Foundation
import TestSupport
import Testing

/// A client that is none of ours: Python with GDBus, see Tests/Clients/gdbus_client.py.
final class OutsideClient {
    /// A signal that reached the client.
    struct Signal {
        let sender: String
        let path: String
        let interface: String
        let member: String
        let arguments: [Any]
        /// CLOCK_BOOTTIME in microseconds of its arrival.
        let bootMicroseconds: Int64
    }

    /// An error reply.
    struct Refusal: Error, CustomStringConvertible {
        let name: String
        let text: String
        var description: String { "\(name): \(text)" }
    }

    /// The client's unique name.
    let uniqueName: String
    let process: ChildProcess
    private var nextIdentifier = 1

    /// Connects to a bus; `user` runs it as that user.
    init(_ bus: PrivateBus, user: String? = nil) throws {
        // As text: the checkout may lie where that user cannot look.
        let script = try String(contentsOf: Repository.file("Tests/Clients/gdbus_client.py"), encoding: .utf8)
        let python = ["/usr/bin/python3", "-c", script, bus.address]
        let command =
            user.map { ["/usr/bin/setpriv", "--reuid", $0, "--regid", "nogroup", "--clear-groups"] + python } ?? python
        process = try ChildProcess(command[0], Array(command.dropFirst()))
        uniqueName = try process.wait("unique name") { lines in
            try lines.lazy.compactMap { try Self.object($0)["name"] as? String }.first
        }
    }

    /// Everything received so far that is a signal.
    func signals() throws -> [Signal] { try process.outputLines.compactMap(Self.signal) }

    /// The signals of one member, in their order.
    func signals(_ member: String) throws -> [Signal] { try signals().filter { $0.member == member } }

    /// Waits until the signals received so far give a value.
    func wait<Value>(
        _ what: String, seconds: Double = 20, sourceLocation: SourceLocation = #_sourceLocation,
        for found: ([Signal]) throws -> Value?
    ) throws -> Value {
        try process.wait(
            what, seconds: seconds, for: { try found(try $0.compactMap(Self.signal)) }, sourceLocation: sourceLocation)
    }

    /// Calls a method of the service and waits for the answer. `text` is the GVariant text of the arguments.
    @discardableResult
    func call(
        _ path: String, _ interface: String, _ member: String, _ type: String = "()", _ text: String = "()",
        destination: String = "org.locateme", seconds: Double = 25, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [Any] {
        try answer(
            to: send(path, interface, member, type, text, destination: destination, seconds: seconds),
            seconds: seconds, sourceLocation: sourceLocation)
    }

    /// Calls a method and does not wait; the number is for `answer`.
    func send(
        _ path: String, _ interface: String, _ member: String, _ type: String = "()", _ text: String = "()",
        destination: String = "org.locateme", seconds: Double = 25
    ) throws -> Int {
        let identifier = nextIdentifier
        nextIdentifier += 1
        let order: [String: Any] = [
            "id": identifier, "call": [destination, path, interface, member, type, text],
            "timeout": Int(seconds * 1000),
        ]
        process.write(String(decoding: try JSONSerialization.data(withJSONObject: order), as: UTF8.self))
        return identifier
    }

    /// Waits for the answer to a call.
    func answer(
        to identifier: Int, seconds: Double = 25, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [Any] {
        let reply = try process.wait(
            "answer to call \(identifier)", seconds: seconds + 5,
            for: { lines in try lines.lazy.map(Self.object).first { $0["id"] as? Int == identifier } },
            sourceLocation: sourceLocation)
        if let name = reply["error"] as? String {
            throw Refusal(name: name, text: reply["text"] as? String ?? "")
        }
        return reply["reply"] as? [Any] ?? []
    }

    /// The error that a call is refused with; nil if it succeeds.
    func refusal(
        _ path: String, _ interface: String, _ member: String, _ type: String = "()", _ text: String = "()",
        destination: String = "org.locateme"
    ) throws -> Refusal? {
        do {
            try call(path, interface, member, type, text, destination: destination)
            return nil
        } catch let refusal as Refusal {
            return refusal
        }
    }

    /// Opens a session; returns its path.
    func openSession(_ options: String = "{'Reason': <'test'>}") throws -> String {
        let reply = try call(
            "/org/locateme", "org.locateme.Manager1", "CreateSession", "(a{sv})", "(\(options),)")
        return try #require(reply.first as? String)
    }

    /// The value of a property.
    func property(_ path: String, _ interface: String, _ name: String) throws -> Any {
        let reply = try call(
            path, "org.freedesktop.DBus.Properties", "Get", "(ss)", "('\(interface)', '\(name)')")
        return try #require(reply.first)
    }

    /// All properties of an interface.
    func properties(_ path: String, _ interface: String) throws -> [String: Any] {
        let reply = try call(path, "org.freedesktop.DBus.Properties", "GetAll", "(s)", "('\(interface)',)")
        return try #require(reply.first as? [String: Any])
    }

    /// Sets a property; `text` is the GVariant text of the value.
    func set(_ path: String, _ interface: String, _ name: String, _ text: String) throws {
        try call(
            path, "org.freedesktop.DBus.Properties", "Set", "(ssv)", "('\(interface)', '\(name)', <\(text)>)")
    }

    /// Listens with one more match rule.
    func addMatch(_ rule: String) throws {
        let identifier = nextIdentifier
        nextIdentifier += 1
        let order: [String: Any] = ["id": identifier, "match": rule]
        process.write(String(decoding: try JSONSerialization.data(withJSONObject: order), as: UTF8.self))
        _ = try answer(to: identifier)
    }

    private static func object(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    private static func signal(_ line: String) throws -> Signal? {
        guard line.hasPrefix("{\"signal\"") else { return nil }
        let object = try object(line)
        let origin = try #require(object["signal"] as? [Any]).map { $0 as? String ?? "" }
        return Signal(
            sender: origin[0], path: origin[1], interface: origin[2], member: origin[3],
            arguments: object["args"] as? [Any] ?? [],
            bootMicroseconds: (object["at"] as? NSNumber)?.int64Value ?? 0)
    }
}
