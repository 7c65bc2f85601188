import EventLoop
import Foundation
import MessageBus
import TestSupport
import Testing

/// A bus of several users, with `org.example.Service` open to all of them.
@Suite struct OtherUserTests {
    static let policies = """
        <policy context="default">
          <allow own="org.example.Service"/><allow send_destination="org.example.Service"/>
        </policy>
        """

    @Test("A call of another user is attributed to that user", .needs(.root), .needs(.program("busctl")))
    func attribution() throws {
        let bus = try PrivateBus(.system(policies: Self.policies))
        let service = try ExampleService(bus: bus)
        let arguments = [
            "--address=\(bus.address)", "get-property", "org.example.Service", "/org/example", "org.example.Thing1",
            "Owner",
        ]
        // nobody, daemon and root: a bus refuses users that the machine does not know.
        for user in [BusSpy.nobody, 1, 0] {
            let command = try Command.start("/usr/bin/busctl", arguments, asUser: user)
            #expect(try service.loop.run(until: { command.isFinished }))
            #expect(command.wait().output == "u \(user)\n")
        }
    }

    @Test(
        "A spy of another user hears broadcasts, but no unicast signal, no call and no answer", .needs(.root),
        .needs(.program("dbus-monitor")))
    func spy() throws {
        let bus = try PrivateBus(.system(policies: Self.policies))
        let service = try ExampleService(bus: bus)
        let client = try BusConnection(.address(bus.address), loop: service.loop)
        let spy = try BusSpy(bus)
        #expect(try spy.mark(service.loop))
        var answers = 0
        for number in 0..<20 {
            let signal = try BusMessage.signal(
                path: "/org/example", interface: "org.example.Thing1", member: "Done", destination: client.uniqueName)
            try signal.append(.string("secret \(number)"))
            service.connection.send(signal)
            let call = try BusMessage.methodCall(
                destination: "org.example.Service", path: "/org/example", interface: "org.example.Thing1",
                member: "Add")
            try call.append(.int32(20), .int32(Int32(number)))
            client.call(call) { if case .success = $0 { answers += 1 } }
        }
        #expect(try service.loop.run(until: { answers == 20 }))
        let public1 = try BusMessage.signal(path: "/org/example", interface: "org.example.Thing1", member: "Public")
        service.connection.send(public1)
        #expect(try spy.mark(service.loop))
        #expect(spy.headers.contains { $0.contains("member=Public") })
        #expect(!spy.output.contains("secret"))
        #expect(!spy.headers.contains { $0.contains("member=Done") || $0.contains("member=Add") })
        #expect(!spy.headers.contains { $0.hasPrefix("method return") && $0.contains(client.uniqueName) })
    }

    @Test("The system bus refuses a name and a call that no policy allows, in the bus's words", .needs(.root))
    func refused() throws {
        let bus = try PrivateBus(.system(policies: ""))
        let loop = try EventLoop()
        let connection = try BusConnection(.address(bus.address), loop: loop)
        let error = #expect(throws: BusError.self) { try connection.requestName("org.example.Service") }
        #expect(error?.code == .accessDenied)
        #expect(error?.text.contains("org.example.Service") == true)
        let other = try BusConnection(.address(bus.address), loop: loop)
        let call = try BusMessage.methodCall(
            destination: other.uniqueName, path: "/", interface: "org.example.I", member: "M")
        var outcome: BusError?
        connection.call(call) { if case .failure(let error) = $0 { outcome = error } }
        #expect(try loop.run(until: { outcome != nil }))
        #expect(outcome?.code == .accessDenied)
    }

    @Test("Calls of one sender are answered in their order while its credentials are asked for")
    func order() throws {
        let bus = try PrivateBus()
        let service = try ExampleService(bus: bus)
        let client = try BusConnection(.address(bus.address), loop: service.loop)
        var answers: [Int32] = []
        var refused = 0
        for number in 0..<200 {
            let call = try BusMessage.methodCall(
                destination: "org.example.Service", path: "/org/example", interface: "org.example.Thing1",
                member: "Add")
            try call.append(.int32(Int32(number)), .int32(0))
            client.call(call) { result in
                switch result {
                case .success(let message):
                    if case .int32(let sum)? = try? message.values().first { answers.append(sum) }
                case .failure(let error):
                    #expect(error.code == .limitsExceeded)
                    refused += 1
                }
            }
        }
        #expect(try service.loop.run(until: { answers.count + refused == 200 }))
        #expect(answers == answers.sorted())
        #expect(answers.count >= 128)
    }
}
