import EventLoop
import Foundation
import MessageBus
import TestSupport
import Testing

/// A GDBus client in a process of its own that counts the signals of `org.example.Flow1` it gets.
private final class CountingClient {
    let command: RunningCommand
    let uniqueName: String

    /// Starts it and waits until it listens.
    init(_ bus: PrivateBus, _ loop: EventLoop) throws {
        let script = """
            import sys
            from gi.repository import Gio, GLib
            connection = Gio.DBusConnection.new_for_address_sync(sys.argv[1],
                Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION,
                None, None)
            def heard(connection, sender, path, interface, signal, parameters):
                print("got", parameters.unpack()[0], flush=True)
            connection.signal_subscribe(None, "org.example.Flow1", None, None, None, Gio.DBusSignalFlags.NO_MATCH_RULE,
                heard)
            print("name", connection.get_unique_name(), flush=True)
            GLib.MainLoop().run()
            """
        let command = try Command.start("/usr/bin/python3", ["-c", script, bus.address])
        self.command = command
        let isReady = try loop.run(until: { command.outputSoFar.contains("\n") }, seconds: 60)
        let name = command.outputSoFar.split(separator: "\n").first.map { $0.dropFirst(5) }
        uniqueName = String(try #require(isReady ? name : nil, "\(command.errorsSoFar)"))
    }

    deinit { command.signal(SIGKILL) }

    /// Numbers of the signals it got.
    var received: [Int] {
        command.outputSoFar.split(separator: "\n").compactMap { line in
            line.hasPrefix("got ") ? Int(line.dropFirst(4)) : nil
        }
    }
}

/// A signal with a number and 3 KB of padding.
private func flowSignal(_ number: Int, to destination: String) throws -> BusMessage {
    let message = try BusMessage.signal(
        path: "/flow", interface: "org.example.Flow1", member: "Tick", destination: destination)
    try message.append(.uint32(UInt32(number)), .string(String(repeating: "x", count: 3000)))
    return message
}

@Suite struct BackPressureTests {
    @Test(
        "A stopped client costs the bus no more than a window of signals, and gets the newest when it goes on",
        .needs(.pythonModule("gi")))
    func stoppedClient() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let connection = try BusConnection(.address(bus.address), loop: loop)
        let stopped = try CountingClient(bus, loop)
        let other = try CountingClient(bus, loop)
        let slow = PeerFlow(connection: connection, destination: stopped.uniqueName)
        let quick = PeerFlow(connection: connection, destination: other.uniqueName)
        // A first exchange shows that it answers pings.
        slow.offer(try flowSignal(0, to: stopped.uniqueName), slot: "tick")
        #expect(try loop.run(until: { stopped.received == [0] && slow.hasAnswered }))

        stopped.command.signal(SIGSTOP)
        let before = bus.residentBytes()
        var number = 0
        // 8000 signals of 3 KB would be 24 MB in the bus.
        while number < 8000 {
            // Each round offers a burst to the stopped one and one signal to the other.
            for _ in 0..<20 {
                number += 1
                slow.offer(try flowSignal(number, to: stopped.uniqueName), slot: "tick")
            }
            quick.offer(try flowSignal(number, to: other.uniqueName), slot: "tick")
            try loop.runOnce(timeoutMilliseconds: 0)
        }
        #expect(slow.isHolding)
        #expect(slow.sent <= UInt64(1 + FlowWindow.Parameters().windowMessages))
        #expect(slow.sent + slow.superseded == UInt64(number))
        #expect(bus.residentBytes() - before < 2 << 20)
        // The one that reads gets its newest; what it had no room for at this pace was replaced.
        #expect(try loop.run(until: { other.received.last == number }, seconds: 60))

        stopped.command.signal(SIGCONT)
        #expect(try loop.run(until: { stopped.received.last == number }, seconds: 60))
        let received = stopped.received
        #expect(received == received.sorted())
        #expect(received.count <= 2 + FlowWindow.Parameters().windowMessages)
        #expect(!slow.isHolding)
    }

    @Test("A client that leaves ends its flow without harm")
    func clientLeaves() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let connection = try BusConnection(.address(bus.address), loop: loop)
        let client = try BusConnection(.address(bus.address), loop: loop)
        let name = client.uniqueName
        let flow = PeerFlow(connection: connection, destination: name)
        flow.offer(try flowSignal(1, to: name), slot: "a")
        client.close()
        var isGone = false
        _ = connection.watchName(name) { if $0 == nil { isGone = true } }
        #expect(try loop.run(until: { isGone && flow.isHolding }))
        for number in 0..<1000 { flow.offer(try flowSignal(number, to: name), slot: "a") }
        #expect(flow.sent == 1)
    }

    @Test("Kept messages are one per slot, and go out in the order of their slots")
    func slots() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let connection = try BusConnection(.address(bus.address), loop: loop)
        // It is not dispatched, so it answers nothing, until its own loop runs.
        let clientLoop = try EventLoop()
        let client = try BusConnection(.address(bus.address), loop: clientLoop)
        var received: [UInt32] = []
        _ = client.addUnicastMatch(BusMatchRule(sender: connection.uniqueName)) { message in
            if case .uint32(let number)? = try? message.values().first { received.append(number) }
        }
        var parameters = FlowWindow.Parameters()
        parameters.windowMessages = 3
        let flow = PeerFlow(connection: connection, destination: client.uniqueName, parameters: parameters)
        for number in 1...10 {
            flow.offer(try flowSignal(number, to: client.uniqueName), slot: number % 2 == 0 ? "even" : "odd")
        }
        #expect(flow.sent == 3 && flow.superseded == 5)
        let deadline = Clock.bootMicroseconds() + 20_000_000
        while received.count < 5, Clock.bootMicroseconds() < deadline {
            try clientLoop.runOnce(timeoutMilliseconds: 1)
            try loop.runOnce(timeoutMilliseconds: 1)
        }
        #expect(received == [1, 2, 3, 10, 9])
    }

    @Test("The newest message reaches a client that never answers pings, though nothing more is offered")
    func mute() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let connection = try BusConnection(.address(bus.address), loop: loop)
        // Never dispatched: it reads nothing and answers nothing.
        let client = try BusConnection(.address(bus.address), loop: EventLoop())
        var parameters = FlowWindow.Parameters()
        parameters.windowMessages = 4
        parameters.trickleMicroseconds = 300_000
        let flow = PeerFlow(connection: connection, destination: client.uniqueName, parameters: parameters)
        for number in 0..<100 { flow.offer(try flowSignal(number, to: client.uniqueName), slot: "a") }
        // Four, unless the machine is so slow that the trickle has begun.
        let sent = flow.sent
        #expect(sent >= 4 && sent + flow.superseded == 99)
        #expect(try loop.run(until: { flow.sent == sent + 1 }))
        #expect(flow.isHolding && !flow.hasAnswered)
    }

    @Test("With a policy against pings everything is sent, and somebody is told once")
    func pingForbidden() throws {
        let bus = try PrivateBus(.system(policies: ""))
        let loop = try EventLoop()
        let connection = try BusConnection(.address(bus.address), loop: loop)
        let client = try BusConnection(.address(bus.address), loop: loop)
        let flow = PeerFlow(connection: connection, destination: client.uniqueName)
        var refusals: [BusError] = []
        flow.onPingRefused = { refusals.append($0) }
        flow.offer(try flowSignal(0, to: client.uniqueName), slot: "a")
        #expect(try loop.run(until: { !refusals.isEmpty }))
        for number in 0..<500 {
            flow.offer(try flowSignal(number, to: client.uniqueName), slot: "a")
            try loop.runOnce(timeoutMilliseconds: 0)
        }
        #expect(flow.sent == 501)
        #expect(refusals.map(\.code) == [.accessDenied])
    }

    @Test("With the product's policy line pings pass on the system bus")
    func pingAllowed() throws {
        let bus = try PrivateBus(
            .system(
                policies: """
                    <policy user="\(NSUserName())">
                      <allow send_type="method_call" send_interface="org.freedesktop.DBus.Peer" send_member="Ping"/>
                    </policy>
                    """))
        let loop = try EventLoop()
        let connection = try BusConnection(.address(bus.address), loop: loop)
        let client = try BusConnection(.address(bus.address), loop: loop)
        let flow = PeerFlow(connection: connection, destination: client.uniqueName)
        flow.onPingRefused = { Issue.record("\($0)") }
        for number in 0..<200 {
            flow.offer(try flowSignal(number, to: client.uniqueName), slot: "a")
            #expect(try loop.run(until: { !flow.isHolding }))
        }
        #expect(flow.sent == 200)
    }

    @Test("A bus that does not read stops droppable messages at the limit, and the loop stays calm")
    func stoppedBus() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let connection = try BusConnection(.address(bus.address), loop: loop)
        kill(bus.processID, SIGSTOP)
        defer { kill(bus.processID, SIGCONT) }
        var refused = 0
        for number in 0..<5000 where !connection.sendDroppable(try flowSignal(number, to: ":1.99")) { refused += 1 }
        #expect(refused > 0 && connection.droppedMessages == UInt64(refused))
        #expect(connection.outgoingBytes < connection.droppableLimitBytes + 4000)
        #expect(!connection.flush(timeoutMilliseconds: 20))
        let start = Clock.bootMicroseconds()
        try loop.runOnce(timeoutMilliseconds: 20)
        #expect(Clock.bootMicroseconds() - start >= 19_000)
        kill(bus.processID, SIGCONT)
        #expect(try loop.run(until: { connection.outgoingBytes == 0 }))
        #expect(connection.flush())
    }
}
