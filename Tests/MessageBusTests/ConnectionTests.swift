import EventLoop
import Glibc
import MessageBus
import TestSupport
import Testing

@Suite struct ConnectionTests {
    @Test("A call is answered by a handler on another connection of the same loop")
    func callAndAnswer() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let server = try BusConnection(.address(bus.address), loop: loop)
        let client = try BusConnection(.address(bus.address), loop: loop)
        try server.requestName("org.example.Server")
        server.handle(pathPrefix: "/org/example") { call in
            let answer = BusMessage.methodReturn(to: call)
            #expect(call.member == "Ask" && call.sender == client.uniqueName)
            do {
                try answer.append(.string("got it"))
                server.send(answer)
            } catch { Issue.record(error) }
        }
        var answer: String?
        let call = try BusMessage.methodCall(
            destination: "org.example.Server", path: "/org/example/a", interface: "org.example.I", member: "Ask")
        client.call(call) { result in
            if case .success(let message) = result {
                var reader = message.reader()
                answer = try? reader.readString()
            } else {
                Issue.record("\(result)")
            }
        }
        #expect(try loop.run(until: { answer != nil }))
        #expect(answer == "got it")
    }

    @Test("A taken name names its owner and process")
    func nameTaken() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let first = try BusConnection(.address(bus.address), loop: loop)
        let second = try BusConnection(.address(bus.address), loop: loop)
        try first.requestName("org.example.Name")
        let error = #expect(throws: BusError.self) { try second.requestName("org.example.Name") }
        #expect(error?.code == .nameTaken)
        #expect(error?.owner == NameOwner(uniqueName: first.uniqueName, processID: UInt32(getpid())))
    }

    @Test("The end of the bus is told once and the loop stays asleep afterwards")
    func busEnds() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let connection = try BusConnection(.address(bus.address), loop: loop)
        var ends = 0
        connection.onDisconnected = { ends += 1 }
        var outcome: BusError?
        connection.credentials(of: connection.uniqueName) { _ in }
        bus.stop()
        #expect(try loop.run(until: { ends > 0 }))
        #expect(!connection.isConnected)
        let call = try BusMessage.methodCall(
            destination: "org.example.Server", path: "/a", interface: "org.example.I", member: "Ask")
        #expect(!connection.send(call))
        let other = try BusMessage.methodCall(
            destination: "org.example.Server", path: "/a", interface: "org.example.I", member: "Ask")
        connection.call(other) { if case .failure(let error) = $0 { outcome = error } }
        #expect(try loop.run(until: { outcome != nil }))
        #expect(outcome?.code == .disconnected)
        let start = Clock.bootMicroseconds()
        try loop.runOnce(timeoutMilliseconds: 50)
        #expect(Clock.bootMicroseconds() - start >= 45_000, "the loop must sleep once the bus is gone")
        #expect(ends == 1)
    }

    @Test("Credentials and name watches come from the bus")
    func credentialsAndNames() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let watcher = try BusConnection(.address(bus.address), loop: loop)
        let other = try BusConnection(.address(bus.address), loop: loop)
        var credentials: BusCredentials?
        watcher.credentials(of: other.uniqueName) { credentials = try? $0.get() }
        var owners: [String?] = []
        _ = watcher.watchName("org.example.Watched") { owners.append($0) }
        var gone = false
        _ = watcher.watchName(other.uniqueName) { if $0 == nil { gone = true } }
        #expect(try loop.run(until: { credentials != nil && !owners.isEmpty }))
        #expect(credentials == BusCredentials(userID: getuid(), processID: UInt32(getpid())))
        try other.requestName("org.example.Watched")
        #expect(try loop.run(until: { owners.count == 2 }))
        #expect(!gone)
        other.close()
        #expect(try loop.run(until: { owners.count == 3 && gone }))
        #expect(owners == [nil, other.uniqueName, nil])
    }
}
