import LocateMeBusInterface
import LocateMeModel
import MessageBus
import Testing

@Suite struct SessionOptionsTests {
    @Test("All options are taken, unknown ones ignored")
    func all() throws {
        let options = try SessionOptions(
            OptionDictionary([
                "Reason": .string("shows a compass"), "AppId": .string("org.example.App.desktop"),
                "WakeName": .string("org.example.App"), "WakePath": .objectPath("/org/example/App"),
                "Preset": .string("walk"), "Colour": .string("blue"),
            ]))
        #expect(options.reason == "shows a compass")
        // desktop-id-mismatch: the suffix is stripped.
        #expect(options.applicationID == "org.example.App")
        #expect(options.wakeName == "org.example.App" && options.wakePath == "/org/example/App")
        #expect(options.preset == .walk)
        #expect(try SessionOptions(OptionDictionary(options.dictionary)) == options)
        let least = SessionOptions(reason: "x")
        #expect(least.dictionary == ["Reason": .string("x")])
        #expect(try SessionOptions(OptionDictionary(least.dictionary)) == least)
    }

    static var refusals: [([String: BusValue], String)] {
        [
            // start-before-identity: the error names what is missing.
            ([:], "'Reason' is missing"), (["Reason": .string("")], "'Reason' is missing"),
            (["Reason": .uint32(1)], "'Reason' must be a string (s), not of the type 'u'"),
            (["Reason": .string(String(repeating: "ä", count: 101))], "has 202 bytes; at most 200"),
            (["Reason": .string("x"), "AppId": .bool(true)], "'AppId' must be a string"),
            (["Reason": .string("x"), "AppId": .string(String(repeating: "a", count: 256))], "'AppId' is longer"),
            (["Reason": .string("x"), "WakeName": .string(":1.5")], "'WakeName'"),
            (["Reason": .string("x"), "WakeName": .string("no dots")], "'WakeName'"),
            (["Reason": .string("x"), "WakePath": .objectPath("/a")], "'WakePath' needs 'WakeName'"),
            (["Reason": .string("x"), "WakeName": .string("a.b"), "WakePath": .string("/a")], "an object path (o)"),
            (
                ["Reason": .string("x"), "Preset": .string("sail")],
                "'Preset' is 'sail'; it must be one of tracker, walk, vehicle, highway, dispatcher, navigation"
            ),
        ]
    }

    @Test("A faulty option is named", arguments: refusals.indices)
    func refused(index: Int) {
        let (options, text) = Self.refusals[index]
        let error = #expect(throws: BusError.self) { try SessionOptions(OptionDictionary(options)) }
        #expect(error?.code == .invalidArgs)
        #expect(error?.text.contains(text) == true, "\(error?.text ?? "")")
    }

    @Test("Reasons of 1 and of 200 bytes are accepted")
    func lengths() throws {
        for count in [1, 200] {
            let reason = String(repeating: "a", count: count)
            #expect(try SessionOptions(OptionDictionary(["Reason": .string(reason)])).reason == reason)
        }
    }

    @Test("Options of every type are looked up or refused by name")
    func types() throws {
        let options = OptionDictionary([
            "b": .bool(true), "u": .uint32(1), "x": .int64(2), "d": .double(3), "o": .objectPath("/"),
            "ad": .doubles([1, 2]), "ddd": .structure([.double(1), .double(2), .double(3)]),
            "dd": .structure([.double(1), .double(2)]), "mixed": .structure([.double(1), .double(2), .uint32(3)]),
        ])
        #expect(try options.bool("b") == true && options.uint32("u") == 1 && options.int64("x") == 2)
        #expect(try options.double("d") == 3 && options.objectPath("o") == "/" && options.doubles("ad") == [1, 2])
        #expect(try options.tripleOfDoubles("ddd") == [1, 2, 3])
        #expect(try options.bool("absent") == nil && options.doubles("absent") == nil)
        for key in ["dd", "mixed", "d"] {
            let error = #expect(throws: BusError.self) { try options.tripleOfDoubles(key) }
            #expect(error?.text.contains("'\(key)'") == true)
        }
        #expect(throws: BusError.self) { try options.uint32("x") }
        #expect(throws: BusError.self) { try options.int64("u") }
    }

    @Test("Errors have the names and numbers of the contract")
    func errors() {
        #expect(BusError.Code.locateMeErrors.count == 23)
        #expect(Set(BusError.Code.locateMeErrors).count == 23)
        #expect(BusError.Code.denied.rawValue == "org.locateme.Error.Denied")
        #expect(BusError.Code.locationUnknown.locateMeNumber == 1)
        #expect(BusError.Code.headingFailure.locateMeNumber == 9)
        #expect(BusError.Code.deferredFailed.locateMeNumber == 18)
        #expect(BusError.Code.notCalibrated.locateMeNumber == 23)
        #expect(BusError.Code.accessDenied.locateMeNumber == nil)
    }
}
