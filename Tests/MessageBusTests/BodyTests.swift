import EventLoop
import MessageBus
import TestSupport
import Testing

/// Shortcut: a signal to write into.
func scratchMessage() throws -> BusMessage {
    try BusMessage.signal(path: "/a", interface: "org.example.I", member: "S")
}

@Suite struct BodyTests {
    // Computed, since the leak checker does not see through the tagged pointers of a stored table.
    static var values: [BusValue] {
        [
            .bool(true), .bool(false), .uint8(255), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max),
            .int64(.min),
            .uint64(.max), .double(-1.5e300), .double(.infinity), .string(""), .string("naïve ☃ 𝄞"), .objectPath("/"),
            .objectPath("/org/locateme/session/a1"), .signature(""), .signature("a{sv}"), .strings([]),
            .strings(["a", "b"]), .doubles([1, 2, 3]), .array(of: "a{sv}", []), .array(of: "as", [.strings(["x"])]),
            .structure([.uint32(1), .structure([.string("x"), .double(2)])]),
            .dictionary([:]), .dictionary(["a": .uint32(1), "b": .dictionary(["c": .strings(["d"])])]),
            .array(
                of: "{oa{sa{sv}}}",
                [
                    .dictEntry(.objectPath("/a"), .array(of: "{sa{sv}}", [.dictEntry(.string("i"), .dictionary([:]))]))
                ]),
            .variant(.variant(.structure([.bool(true)]))),
        ]
    }

    @Test("Every type is read back as it was written", arguments: values)
    func roundTrip(value: BusValue) throws {
        let message = try scratchMessage()
        try message.append(value, .string("end"))
        #expect(message.signature == value.signature + "s")
        #expect(try message.values() == [value, .string("end")])
    }

    @Test("A signal that is written once is told of several objects with the same body, and not sent without one")
    func signalOfMany() throws {
        let body = try BusMessage.signalOfMany(interface: "org.example.I", member: "S")
        try body.append(.string("naïve"), .dictionary(["a": .double(1.5)]))
        for (path, name) in [("/a", ":1.7"), ("/org/example/long/path/b", ":1.123456")] as [(ObjectPath, String)] {
            let signal = try body.signal(of: path, to: name)
            #expect(signal.kind == .signal && signal.path == path && signal.destination == name)
            #expect(signal.interface == "org.example.I" && signal.member == "S" && signal.serial == 0)
            #expect(try signal.values() == [.string("naïve"), .dictionary(["a": .double(1.5)])])
            #expect(throws: BusError.self) { try signal.signal(of: "/c", to: ":1.8") }
        }
        #expect(throws: BusError.self) { try body.signal(of: "/a", to: "no name") }
        #expect(throws: BusError.self) { try BusMessage.signalOfMany(interface: "I", member: "S") }
        #expect(throws: BusError.self) { try BusMessage.signalOfMany(interface: "org.example.I", member: "a.b") }
        let bus = try PrivateBus()
        let connection = try BusConnection(.address(bus.address), loop: try EventLoop())
        defer { connection.close() }
        #expect(!connection.send(body))
        #expect(connection.send(try body.signal(of: "/a", to: ":1.7")))
    }

    @Test("NaN stays NaN")
    func notANumber() throws {
        let message = try scratchMessage()
        try message.append(.double(.nan))
        var reader = message.reader()
        #expect(try reader.readDouble().isNaN)
    }

    static let mismatches: [(String, @Sendable (inout BusWriter) throws(BusError) -> Void)] = [
        (
            "'u' was written where the signature has 's'",
            { writer throws(BusError) in
                try writer.array(of: "s") { element throws(BusError) in try element.append(UInt32(1)) }
            }
        ),
        (
            "'s' was written where the signature has 'd'",
            { writer throws(BusError) in
                try writer.variant("d") { value throws(BusError) in try value.append("x") }
            }
        ),
        (
            "values of the types 'v' are missing",
            { writer throws(BusError) in
                try writer.array(of: "{sv}") { entries throws(BusError) in
                    try entries.dictEntry { entry throws(BusError) in try entry.append("key") }
                }
            }
        ),
        (
            "values of the types 'd' are missing",
            { writer throws(BusError) in
                try writer.array(of: "(dd)") { rows throws(BusError) in
                    try rows.structure { row throws(BusError) in try row.append(1.0) }
                }
            }
        ),
        ("values of the types 'd' are missing", { writer throws(BusError) in try writer.variant("d") { _ in } }),
        (
            "'d' was written where the signature has nothing more",
            { writer throws(BusError) in
                try writer.array(of: "(d)") { rows throws(BusError) in
                    try rows.structure { row throws(BusError) in
                        try row.append(1.0)
                        try row.append(1.0)
                    }
                }
            }
        ),
        (
            "'d' was written where the signature has nothing more",
            { writer throws(BusError) in
                try writer.variant("d") { value throws(BusError) in
                    try value.append(1.0)
                    try value.append(1.0)
                }
            }
        ),
        (
            "'as' was written where the signature has 'ad'",
            { writer throws(BusError) in
                try writer.array(of: "ad") { rows throws(BusError) in try rows.array(of: "s") { _ in } }
            }
        ),
        (
            "'(…)' was written where the signature has 's'",
            { writer throws(BusError) in
                try writer.array(of: "s") { rows throws(BusError) in try rows.structure { _ in } }
            }
        ),
        (
            "'v' was written where the signature has 's'",
            { writer throws(BusError) in
                try writer.array(of: "s") { rows throws(BusError) in try rows.variant(.bool(true)) }
            }
        ),
        ("inside an array", { writer throws(BusError) in try writer.dictEntry { _ in } }),
        ("not the type of an array element", { writer throws(BusError) in try writer.array(of: "") { _ in } }),
        ("not the type of an array element", { writer throws(BusError) in try writer.array(of: "ss") { _ in } }),
        ("not the type of an array element", { writer throws(BusError) in try writer.array(of: "{vs}") { _ in } }),
        ("not the type of an array element", { writer throws(BusError) in try writer.array(of: "z\0") { _ in } }),
        ("not one complete D-Bus type", { writer throws(BusError) in try writer.variant("") { _ in } }),
        ("not one complete D-Bus type", { writer throws(BusError) in try writer.variant("dd") { _ in } }),
        ("not one complete D-Bus type", { writer throws(BusError) in try writer.variant("{sv}") { _ in } }),
        ("cannot contain a NUL", { writer throws(BusError) in try writer.append("a\0b") }),
        ("not a file descriptor", { writer throws(BusError) in try writer.append(fileDescriptor: -1) }),
        ("cannot be empty", { writer throws(BusError) in try writer.append(BusValue.structure([])) }),
        ("was not taken", { writer throws(BusError) in try writer.append(BusValue.fileDescriptor) }),
        (
            "'u' was written where the signature has 's'",
            { writer throws(BusError) in
                try writer.append(BusValue.array(of: "s", [.uint32(1)]))
            }
        ),
    ]

    @Test("What does not fit the signature throws, and the message is never sent", arguments: mismatches.indices)
    func mismatch(index: Int) throws {
        let (text, body) = Self.mismatches[index]
        let message = try scratchMessage()
        let error = #expect(throws: BusError.self) { try message.write(body) }
        #expect(error?.text.contains(text) == true, "\(error?.text ?? "nothing")")
    }

    @Test("Containers may nest 32 deep, and no deeper")
    func depth() throws {
        func nest(_ depth: Int, _ writer: inout BusWriter) throws(BusError) {
            guard depth > 0 else { return try writer.append(true) }
            try writer.variant(depth > 1 ? "v" : "b") { inner throws(BusError) in
                try nest(depth - 1, &inner)
            }
        }
        let deepest = try scratchMessage()
        try deepest.write { writer throws(BusError) in try nest(32, &writer) }
        var value = try #require(try deepest.values().first)
        var depth = 0
        while case .variant(let inner) = value {
            value = inner
            depth += 1
        }
        #expect(depth == 32 && value == .bool(true))
        let tooDeep = try scratchMessage()
        let error = #expect(throws: BusError.self) {
            try tooDeep.write { writer throws(BusError) in try nest(33, &writer) }
        }
        #expect(error?.code == .limitsExceeded)
    }

    @Test("Reading another type throws in words and does not step on")
    func readMismatch() throws {
        let message = try scratchMessage()
        try message.append(.uint32(7), .array(of: "(sd)", [.structure([.string("a"), .double(1)])]))
        var reader = message.reader()
        let first = #expect(throws: BusError.self) { try reader.readString() }
        #expect(first == BusError(.invalidArgs, "argument 1 must be a string (s), not an unsigned 32-bit integer (u)"))
        #expect(try reader.readUInt32() == 7)
        let second = #expect(throws: BusError.self) { try reader.readDictionary() }
        #expect(
            second
                == BusError(
                    .invalidArgs, "a value in argument 2 must be a dictionary entry (e), not a structure ((sd))"))
        let next = reader.nextSignature
        #expect(next == "a(sd)")
        reader.skip()
        let third = #expect(throws: BusError.self) { try reader.readBool() }
        #expect(third == BusError(.invalidArgs, "argument 3 is missing: a boolean (b) is expected"))
        let isAtEnd = reader.isAtEnd
        #expect(isAtEnd)
    }

    @Test("Arguments too many are noticed")
    func finish() throws {
        let message = try scratchMessage()
        try message.append(.uint32(7), .string("more"))
        var reader = message.reader()
        _ = try reader.readUInt32()
        #expect(throws: BusError.self) { try reader.finish() }
        reader.skip()
        try reader.finish()
    }

    @Test("An array of a million elements is refused by the budget, before memory is spent on it")
    func budget() throws {
        let message = try scratchMessage()
        try message.write { writer throws(BusError) in
            try writer.array(of: "y") { elements throws(BusError) in
                for _ in 0..<1_000_000 { try elements.append(UInt8(1)) }
            }
        }
        let error = #expect(throws: BusError.self) { try message.values() }
        #expect(error?.code == .limitsExceeded)
        #expect(try message.values(byteBudget: 10_000_000).count == 1)
        let text = try scratchMessage()
        try text.append(.string(String(repeating: "x", count: BusReader.defaultByteBudget + 1)))
        #expect(throws: BusError.self) { try text.values() }
    }

    @Test("Of equal keys in a dictionary the last counts")
    func equalKeys() throws {
        let message = try scratchMessage()
        try message.append(
            .array(
                of: "{sv}",
                [
                    .dictEntry(.string("k"), .variant(.uint32(1))), .dictEntry(.string("k"), .variant(.uint32(2))),
                ]))
        var reader = message.reader()
        #expect(try reader.readDictionary() == ["k": .uint32(2)])
    }

    @Test("Members of a structure that are left unread are skipped")
    func skipRest() throws {
        let message = try scratchMessage()
        try message.append(.structure([.uint32(1), .string("x"), .double(2)]), .string("next"))
        var reader = message.reader()
        #expect(try reader.readStructure { fields throws(BusError) in try fields.readUInt32() } == 1)
        #expect(try reader.readString() == "next")
    }

    @Test("Names that D-Bus does not allow are refused before libdbus sees them")
    func names() throws {
        #expect(throws: BusError.self) {
            try BusMessage.methodCall(destination: "no dots", path: "/", interface: "a.b", member: "M")
        }
        #expect(throws: BusError.self) {
            try BusMessage.methodCall(destination: "a.b\0", path: "/", interface: "a.b", member: "M")
        }
        #expect(throws: BusError.self) {
            try BusMessage.methodCall(destination: "a.b", path: "/", interface: "one", member: "M")
        }
        #expect(throws: BusError.self) { try BusMessage.signal(path: "/", interface: "a.b", member: "not ok") }
        #expect(throws: BusError.self) { try BusMessage.signal(path: "/", interface: "a.b", member: "") }
        let call = try BusMessage.methodCall(destination: nil, path: "/", interface: nil, member: "M")
        #expect(call.destination == nil && call.interface == nil && call.member == "M" && call.kind == .methodCall)
    }

    @Test(
        "Object paths",
        arguments: [
            ("/", true), ("/a", true), ("/a/B_9", true), ("", false), ("a", false), ("/a/", false), ("//", false),
            ("/a//b", false), ("/a-b", false), ("/ä", false), ("/a\0", false), (" /a", false),
        ])
    func objectPaths(text: String, isValid: Bool) {
        #expect((ObjectPath(text) != nil) == isValid)
    }

    @Test("Paths know what lies within them")
    func pathFamily() {
        let path: ObjectPath = "/org/locateme/session"
        #expect(path.parent == "/org/locateme")
        #expect(("/a" as ObjectPath).parent == "/")
        #expect(("/" as ObjectPath).parent == nil)
        #expect(path.appending("x1") == "/org/locateme/session/x1")
        #expect(("/" as ObjectPath).appending("x") == "/x")
        #expect(path.appending("x/y") == "/org/locateme/session/x/y")
        #expect(path.appending("x-y") == nil)
        #expect(path.isWithin("/org") && path.isWithin("/") && path.isWithin(path))
        #expect(!path.isWithin("/org/locate") && !path.isWithin("/org/locateme/session/x"))
    }

    @Test(
        "Signatures",
        arguments: [
            ("", true), ("a{sv}", true), ("(xtdddddduua{sv})", true), ("a", false), ("{sv}", false), ("a{vs}", false),
            ("()", false), ("z", false), ("(s", false), ("s\0", false),
        ])
    func signatures(text: String, isValid: Bool) {
        #expect((BusSignature(text) != nil) == isValid)
    }

    @Test("Match rules quote what the bus would take for its own")
    func matchRule() {
        let rule = BusMatchRule(
            sender: "org.example.A", interface: "a.b", member: "M", path: "/p", firstArgument: "it's, ok\\")
        // D-Bus specification, "Match Rules": an apostrophe is written outside of the quotation as \'.
        #expect(
            rule.text
                == "type='signal',sender='org.example.A',interface='a.b',member='M',path='/p',arg0='it'\\''s, ok\\'")
        #expect(BusMatchRule(pathNamespace: "/p").text == "type='signal',path_namespace='/p'")
    }
}
