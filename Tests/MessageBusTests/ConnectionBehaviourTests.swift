import EventLoop
import Foundation
import MessageBus
import TestSupport
import Testing

@Suite struct ConnectionBehaviourTests {
    let bus: PrivateBus
    let loop: EventLoop
    let server: BusConnection
    let client: BusConnection

    init() throws {
        bus = try PrivateBus()
        loop = try EventLoop()
        server = try BusConnection(.address(bus.address), loop: loop)
        client = try BusConnection(.address(bus.address), loop: loop)
    }

    private func call(_ member: String = "Ask", path: ObjectPath = "/") throws -> BusMessage {
        try BusMessage.methodCall(
            destination: server.uniqueName, path: path, interface: "org.example.I", member: member)
    }

    private func signal(_ member: String, to destination: String? = nil) throws -> BusMessage {
        try BusMessage.signal(path: "/s", interface: "org.example.I", member: member, destination: destination)
    }

    @Test("A call that is not answered ends with NoReply at its time-out")
    func timeout() throws {
        server.handle(pathPrefix: "/") { _ in }
        var result: Result<BusMessage, BusError>?
        let start = Clock.bootMicroseconds()
        client.call(try call(), timeoutMilliseconds: 30) { result = $0 }
        #expect(try loop.run(until: { result != nil }))
        #expect(Clock.bootMicroseconds() - start >= 30_000)
        #expect(throws: BusError.self) { try result?.get() }
        if case .failure(let error) = result { #expect(error.code == .noReply) }
    }

    @Test("A call to one who leaves ends with NoReply at once")
    func calleeLeaves() throws {
        var result: Result<BusMessage, BusError>?
        server.handle(pathPrefix: "/") { [server] _ in server.close() }
        client.call(try call(), timeoutMilliseconds: nil) { result = $0 }
        #expect(try loop.run(until: { result != nil }))
        if case .failure(let error) = result {
            #expect(error.code == .noReply && error.sender == "org.freedesktop.DBus")
        } else {
            Issue.record("the call was answered")
        }
    }

    @Test("A cancelled call is not answered, not even if the answer is on its way")
    func cancel() throws {
        var answers = 0
        let pending = client.call(try call()) { _ in answers += 1 }
        server.handle(pathPrefix: "/") { [server] message in
            server.send(BusMessage.methodReturn(to: message))
            pending.cancel()
        }
        var done = false
        client.call(try call(path: "/later")) { _ in done = true }
        #expect(try loop.run(until: { done }))
        #expect(answers == 0)
        #expect(!pending.isPending)
        pending.cancel()
    }

    @Test("The most specific path handler gets the call")
    func prefixes() throws {
        var calls: [String] = []
        for prefix in ["/a", "/", "/a/b"] as [ObjectPath] {
            server.handle(pathPrefix: prefix) { [server] message in
                calls.append(prefix.text)
                server.send(BusMessage.methodReturn(to: message))
            }
        }
        var answers = 0
        for path in ["/a/b/c", "/a/b", "/a/bc", "/x", "/"] as [ObjectPath] {
            client.call(try call(path: path)) { _ in answers += 1 }
        }
        #expect(try loop.run(until: { answers == 5 }))
        #expect(calls == ["/a/b", "/a/b", "/a", "/", "/"])
    }

    @Test("A connection may close itself and others within a handler")
    func closeWithin() throws {
        var calls = 0
        server.handle(pathPrefix: "/") { [server, client] _ in
            calls += 1
            server.close()
            client.close()
            client.close()
        }
        for _ in 0..<10 {
            let message = try call()
            message.isNoReplyExpected = true
            client.send(message)
        }
        #expect(try loop.run(until: { calls > 0 }))
        try loop.runOnce(timeoutMilliseconds: 0)
        #expect(calls == 1)
        #expect(!server.isConnected && !client.isConnected)
        #expect(!server.send(try signal("S")))
        #expect(server.outgoingBytes == 0)
        #expect(throws: BusError.self) { try server.requestName("org.example.Late") }
        #expect(throws: BusError.self) { try server.callBlocking(try call()) }
    }

    @Test("A connection that is let go leaves the bus and the loop")
    func letGo() throws {
        var temporary: BusConnection? = try BusConnection(.address(bus.address), loop: loop)
        let name = try #require(temporary?.uniqueName)
        var owners: [String?] = []
        _ = client.watchName(name) { owners.append($0) }
        #expect(try loop.run(until: { owners == [name] }))
        temporary?.credentials(of: name) { _ in Issue.record("a released connection has answered") }
        temporary = nil
        #expect(try loop.run(until: { owners == [name, nil] }))
    }

    @Test("Signals go to those whose rule fits")
    func rules() throws {
        var heard: [String] = []
        func listen(_ label: String, _ rule: BusMatchRule) -> BusMatch {
            client.addMatch(rule) { heard.append("\(label) \($0.member ?? "")") }
        }
        let all = [
            listen("any", BusMatchRule(interface: "org.example.I")),
            listen("A", BusMatchRule(interface: "org.example.I", member: "A")),
            listen("path", BusMatchRule(path: "/s")), listen("other path", BusMatchRule(path: "/t")),
            listen("below", BusMatchRule(pathNamespace: "/")),
            listen("sender", BusMatchRule(sender: server.uniqueName, interface: "org.example.I")),
            listen("other sender", BusMatchRule(sender: client.uniqueName, interface: "org.example.I")),
        ]
        var isReady = false
        client.credentials(of: client.uniqueName) { _ in isReady = true }
        #expect(try loop.run(until: { isReady }))
        server.send(try signal("A"))
        server.send(try signal("B"))
        server.send(try signal("End", to: client.uniqueName))
        #expect(try loop.run(until: { heard.contains("any End") }))
        let expected = ["any A", "A A", "path A", "below A", "sender A", "any B", "path B", "below B", "sender B"]
        #expect(heard.filter { !$0.hasSuffix("End") && !$0.hasSuffix("NameAcquired") } == expected)
        for match in all { match.cancel() }
        heard = []
        var isThrough = false
        server.send(try signal("A", to: client.uniqueName))
        client.call(try call(path: "/none")) { _ in isThrough = true }
        #expect(try loop.run(until: { isThrough }))
        #expect(heard.isEmpty)
    }

    @Test("A rule with a well-known sender follows the name and lets nobody else through")
    func wellKnownSender() throws {
        var heard: [String] = []
        let match = client.addMatch(BusMatchRule(sender: "org.example.Named", interface: "org.example.I")) {
            heard.append($0.member ?? "")
        }
        var owner: String??
        _ = client.watchName("org.example.Named") { owner = .some($0) }
        #expect(try loop.run(until: { owner == .some(nil) }))
        // Nobody owns the name: a signal sent to us directly must not pass for its.
        server.send(try signal("Forged", to: client.uniqueName))
        try server.requestName("org.example.Named")
        #expect(try loop.run(until: { owner == .some(server.uniqueName) }))
        server.send(try signal("True", to: client.uniqueName))
        let forger = try BusConnection(.address(bus.address), loop: loop)
        forger.send(try signal("Forged", to: client.uniqueName))
        forger.flush()
        server.send(try signal("Last"))
        #expect(try loop.run(until: { heard.contains("Last") }))
        #expect(heard == ["True", "Last"])
        match.cancel()
    }

    @Test("A rule that the bus refuses is reported and dropped")
    func refusedRule() throws {
        let small = try PrivateBus(.session, limits: "<limit name=\"max_match_rules_per_connection\">2</limit>")
        let connection = try BusConnection(.address(small.address), loop: loop)
        var failures: [BusError] = []
        for member in ["A", "B", "C"] {
            _ = connection.addMatch(
                BusMatchRule(interface: "org.example.I", member: member), failed: { failures.append($0) }, { _ in })
        }
        #expect(try loop.run(until: { !failures.isEmpty }))
        #expect(failures.map(\.code) == [.limitsExceeded])
    }

    @Test("More names can be watched than the bus allows rules")
    func manyNames() throws {
        let small = try PrivateBus(.session, limits: "<limit name=\"max_match_rules_per_connection\">300</limit>")
        let connection = try BusConnection(.address(small.address), loop: loop)
        let others = try (0..<3).map { _ in try BusConnection(.address(small.address), loop: loop) }
        var known = 0
        var gone: Set<String> = []
        let names = (0..<400).map { "org.example.N\($0)" } + others.map(\.uniqueName)
        let watches = names.map { name in
            connection.watchName(name) { owner in
                known += 1
                if owner == nil, name.hasPrefix(":") { gone.insert(name) }
            }
        }
        #expect(try loop.run(until: { known == names.count }))
        for other in others { other.close() }
        #expect(try loop.run(until: { gone.count == 3 }))
        for watch in watches { watch.cancel() }
    }

    @Test("A watch on one who has just left tells so")
    func watchAfterTheEnd() throws {
        let name = server.uniqueName
        server.close()
        var owners: [String?] = []
        let watch = client.watchName(name) { owners.append($0) }
        // The bus may answer before it has noticed.
        #expect(try loop.run(until: { owners.last == .some(nil) }))
        #expect(owners == [nil] || owners == [name, nil])
        #expect(watch.isKnown)
    }

    @Test("A flood of messages on one connection lets the others be served")
    func fairness() throws {
        var handled = 0
        var timerFired = false
        var handledAtTimer = -1
        server.handle(pathPrefix: "/") { _ in handled += 1 }
        for _ in 0..<1000 {
            let message = try call()
            message.isNoReplyExpected = true
            client.send(message)
        }
        client.flush()
        let timer = loop.makeTimer {
            timerFired = true
            handledAtTimer = handled
        }
        timer.arm(afterMicroseconds: 0)
        #expect(try loop.run(until: { timerFired && handled == 1000 }))
        #expect(handledAtTimer < 1000)
    }

    @Test("An idle connection wakes nobody, whoever else comes and goes on the bus")
    func idle() throws {
        let watch = server.watchName(client.uniqueName) { _ in }
        #expect(try loop.run(until: { watch.isKnown }))
        let others = try EventLoop()
        for _ in 0..<5 {
            let stranger = try BusConnection(.address(bus.address), loop: others)
            try stranger.requestName("org.example.Stranger")
            stranger.close()
        }
        let start = Clock.bootMicroseconds()
        try loop.runOnce(timeoutMilliseconds: 50)
        #expect(Clock.bootMicroseconds() - start >= 49_000)
    }

    @Test("callBlocking answers without the loop, and messages that came meanwhile are not lost")
    func blocking() throws {
        var heard = 0
        _ = client.addUnicastMatch(BusMatchRule(sender: server.uniqueName)) { _ in heard += 1 }
        server.send(try signal("A", to: client.uniqueName))
        server.flush()
        let ask = try BusMessage.methodCall(
            destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: "GetId")
        let answer = try client.callBlocking(ask)
        #expect(try answer.values().first?.stringValue?.count == 32)
        #expect(heard == 0)
        #expect(try loop.run(until: { heard == 1 }))
        let wrong = try BusMessage.methodCall(
            destination: "org.freedesktop.DBus", path: "/", interface: "org.freedesktop.DBus", member: "Nothing")
        let error = #expect(throws: BusError.self) { try client.callBlocking(wrong) }
        #expect(error?.code == .unknownMethod && error?.sender == "org.freedesktop.DBus")
    }

    @Test("A message cannot be changed once it was sent, nor sent once it is spoilt")
    func sealed() throws {
        let message = try signal("A", to: client.uniqueName)
        #expect(server.send(message))
        #expect(throws: BusError.self) { try message.append(.bool(true)) }
        let sentCall = try call()
        client.send(sentCall)
        sentCall.isNoReplyExpected = true
        sentCall.mayStartService = false
        #expect(!sentCall.isNoReplyExpected && sentCall.mayStartService)
        let spoilt = try signal("B", to: client.uniqueName)
        #expect(throws: BusError.self) { try spoilt.append(.string("\0")) }
        #expect(!server.send(spoilt))
        var outcome: BusError?
        let spoiltCall = try call()
        #expect(throws: BusError.self) { try spoiltCall.append(.string("\0")) }
        client.call(spoiltCall) { if case .failure(let error) = $0 { outcome = error } }
        #expect(try loop.run(until: { outcome != nil }))
        #expect(outcome?.code == .invalidValue)
    }

    @Test(
        "Buses that are not there are refused in words",
        arguments: [
            ("unix:path=/nonexistent/socket", "org.freedesktop.DBus.Error.FileNotFound"),
            ("nonsense", "org.freedesktop.DBus.Error.BadAddress"), ("", "org.freedesktop.DBus.Error.BadAddress"),
            ("unix:path=/a\0b", "org.freedesktop.DBus.Error.BadAddress"),
            ("tcp:host=127.0.0.1,port=1", "org.freedesktop.DBus.Error.NoServer"),
        ])
    func noBus(address: String, code: String) throws {
        let error = #expect(throws: BusError.self) { try BusConnection(.address(address), loop: loop) }
        #expect(error?.code.rawValue == code)
        #expect(error?.text.isEmpty == false)
    }

    @Test(
        "--bus names the two buses or an address",
        arguments: [
            ("system", BusAddress.system), ("session", .session), ("unix:path=/x", .address("unix:path=/x")),
        ])
    func addressArgument(text: String, address: BusAddress) {
        #expect(BusAddress(argument: text) == address)
        #expect(address.description == text)
    }

    @Test(
        "What is no bus is refused before anything connects",
        arguments: ["", "sesion", "both", ":path=/x", "unix", "unix:", "/run/bus=1:", "unix:path=/a\0b"])
    func wrongAddressArgument(text: String) {
        #expect(BusAddress(argument: text) == nil)
    }
}
