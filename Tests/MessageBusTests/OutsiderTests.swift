import EventLoop
import Glibc
import MessageBus
import TestSupport
import Testing

/// Values as other D-Bus implementations print them: busctl is sd-bus, Python GDBus is GLib, dbus-send is libdbus.
@Suite struct OutsiderTests {
    /// busctl's arguments; what it prints of the answer; GDBus's text of the same.
    static let values: [(arguments: [String], printed: String, glib: String)] = [
        (["b", "true"], "b true", "(true,)"),
        (["y", "200"], "y 200", "(byte 0xc8,)"),
        (["n", "-32768"], "n -32768", "(int16 -32768,)"),
        (["q", "65535"], "q 65535", "(uint16 65535,)"),
        (["i", "-2147483648"], "i -2147483648", "(-2147483648,)"),
        (["u", "4294967295"], "u 4294967295", "(uint32 4294967295,)"),
        (["x", "-9223372036854775808"], "x -9223372036854775808", "(int64 -9223372036854775808,)"),
        (["t", "18446744073709551615"], "t 18446744073709551615", "(uint64 18446744073709551615,)"),
        (["d", "-0.125"], "d -0.125", "(-0.125,)"),
        (["s", "naïve ☃"], "s \"na\\303\\257ve \\342\\230\\203\"", "('naïve ☃',)"),
        (["o", "/org/example/x"], "o \"/org/example/x\"", "(objectpath '/org/example/x',)"),
        (["g", "a{sv}"], "g \"a{sv}\"", "(signature 'a{sv}',)"),
        (["as", "2", "a", "b"], "as 2 \"a\" \"b\"", "(['a', 'b'],)"),
        (["as", "0"], "as 0", "(@as [],)"),
        (["(ud)", "7", "0.5"], "(ud) 7 0.5", "((uint32 7, 0.5),)"),
        (
            ["a{sv}", "2", "A", "u", "1", "B", "s", "x"], "a{sv} 2 \"A\" u 1 \"B\" s \"x\"",
            "({'A': <uint32 1>, 'B': <'x'>},)"
        ),
        (["v", "(id)", "3", "2.5"], "v (id) 3 2.5", "(<(3, 2.5)>,)"),
        (["uss", "1", "a", "b"], "uss 1 \"a\" \"b\"", "(uint32 1, 'a', 'b')"),
        (
            ["a(ssu)", "2", "a", "gpsd", "3", "b", "static", "1"], "a(ssu) 2 \"a\" \"gpsd\" 3 \"b\" \"static\" 1",
            "([('a', 'gpsd', uint32 3), ('b', 'static', 1)],)"
        ),
    ]

    /// A connection that answers every call of `Echo` with what it got, read to values and written anew.
    private func makeEcho(_ bus: PrivateBus, _ loop: EventLoop) throws -> BusConnection {
        let echo = try BusConnection(.address(bus.address), loop: loop)
        echo.handle(pathPrefix: "/echo") { call in
            do throws(BusError) {
                let answer = BusMessage.methodReturn(to: call)
                for value in try call.values() { try answer.append(value) }
                echo.send(answer)
            } catch {
                echo.send(BusMessage.error(to: call, error))
            }
        }
        try echo.requestName("org.example.Echo")
        return echo
    }

    @Test("busctl gets back what it sent, for every type", .needs(.program("busctl")), arguments: values.indices)
    func busctl(index: Int) throws {
        let value = Self.values[index]
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let echo = try makeEcho(bus, loop)
        let command = try Command.start(
            "/usr/bin/busctl",
            ["--address=\(bus.address)", "--", "call", "org.example.Echo", "/echo", "org.example.Echo1", "Echo"]
                + value.arguments)
        #expect(try loop.run(until: { command.isFinished }))
        #expect(command.wait().output == value.printed + "\n")
        echo.close()
    }

    @Test("GDBus in Python gets back what it sent, for every type", .needs(.pythonModule("gi")))
    func gdbus() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let echo = try makeEcho(bus, loop)
        // Sends each text as a GVariant, prints what came back as GVariant text.
        let script = """
            import sys
            from gi.repository import Gio, GLib
            connection = Gio.DBusConnection.new_for_address_sync(sys.argv[1],
                Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION,
                None, None)
            for text in sys.argv[2:]:
                value = GLib.Variant.parse(None, text, None, None)
                answer = connection.call_sync("org.example.Echo", "/echo", "org.example.Echo1", "Echo", value, None,
                    Gio.DBusCallFlags.NONE, 20000, None)
                print(answer.print_(True))
            """
        let command = try Command.start(
            "/usr/bin/python3", ["-c", script, bus.address] + Self.values.map(\.glib))
        #expect(try loop.run(until: { command.isFinished }, seconds: 60))
        let result = command.wait()
        #expect(result.output.split(separator: "\n").map(String.init) == Self.values.map(\.glib), "\(result.errors)")
        echo.close()
    }

    @Test("A file descriptor arrives as a duplicate that can be read")
    func fileDescriptor() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let receiver = try BusConnection(.address(bus.address), loop: loop)
        let sender = try BusConnection(.address(bus.address), loop: loop)
        var text: String?
        receiver.handle(pathPrefix: "/") { call in
            do throws(BusError) {
                var reader = call.reader()
                let descriptor = try reader.readFileDescriptor()
                var bytes = [UInt8](repeating: 0, count: 8)
                let count = read(descriptor, &bytes, bytes.count)
                text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
                #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
                close(descriptor)
                // As a dynamic value it is left alone.
                #expect(try call.values() == [.fileDescriptor])
            } catch { Issue.record(error) }
        }
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        _ = write(ends[1], "hello", 5)
        close(ends[1])
        let call = try BusMessage.methodCall(
            destination: receiver.uniqueName, path: "/", interface: "org.example.I", member: "Take")
        try call.write { writer throws(BusError) in try writer.append(fileDescriptor: ends[0]) }
        close(ends[0])
        sender.send(call)
        #expect(try loop.run(until: { text != nil }))
        #expect(text == "hello")
    }

    @Test("dbus-send sees the error's name and text", .needs(.program("dbus-send")))
    func errors() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let service = try BusConnection(.address(bus.address), loop: loop)
        service.handle(pathPrefix: "/echo") { call in
            service.send(BusMessage.error(to: call, name: .limitsExceeded, text: "too\0 many"))
        }
        try service.requestName("org.example.Echo")
        for (path, expected) in [
            ("/echo", "Error org.freedesktop.DBus.Error.LimitsExceeded: too many"),
            ("/other", "Error org.freedesktop.DBus.Error.UnknownObject:"),
        ] {
            let command = try Command.start(
                "/usr/bin/dbus-send",
                ["--bus=\(bus.address)", "--print-reply", "--dest=org.example.Echo", path, "org.example.Echo1.Echo"])
            #expect(try loop.run(until: { command.isFinished }))
            #expect(command.wait().errors.hasPrefix(expected))
        }
    }
}
