import Foundation
import TestSupport
import Testing

@testable import HeadingControl

@Suite("JSON")
struct JSONTests {
    @Test("is what Foundation's parser reads back")
    func roundTrip() throws {
        let scalars = (0...0xFF).compactMap(Unicode.Scalar.init) + ["\u{2028}", "\u{2029}", "\u{FFFF}", "🧭", "漢"]
        let text = String(String.UnicodeScalarView(scalars))
        let value = JSONValue.object([
            ("text", .string(text)), ("list", .array([.integer(.min), .integer(.max), .bool(true), .null])),
            ("number", .number(273.45678, decimals: 2)), ("nan", .number(.nan, decimals: 2)),
            ("infinity", .number(-.infinity, decimals: 2)), ("empty", .object([])), (text, .array([])),
        ])
        let line = value.text
        #expect(
            !line.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0 == "\u{2028}" })
        let read = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(read["text"] as? String == text)
        #expect(read[text] as? [Int] == [])
        #expect(read["number"] as? Double == 273.46)
        #expect(read["nan"] is NSNull && read["infinity"] is NSNull)
        let list = try #require(read["list"] as? [Any])
        #expect(list[0] as? Int64 == .min && list[1] as? Int64 == .max)
    }

    @Test("is what Python's json module reads, one object per line", .needs(.program("python3")))
    func python() throws {
        let values: [JSONValue] = [
            .object([("a", .number(1.5, decimals: 3)), ("b", .string("\u{0}\"\\\n\u{1F}é🧭"))]),
            .object([
                ("heading", .number(0.000_000_1, decimals: 4)), ("deep", .array([.array([.object([("x", .null)])])])),
            ]),
        ]
        let input = values.map { $0.text + "\n" }.joined()
        let program = "import sys,json\nfor line in sys.stdin: print(json.dumps(json.loads(line), sort_keys=True))"
        let python = try TestSupport.Command.run(
            try #require(Requirement.path(of: "python3")), ["-c", program], input: input)
        #expect(python.status == 0, "\(python.errors)")
        let lines = python.output.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                #"{"a": 1.5, "b": "\u0000\"\\\n\u001f\u00e9\ud83e\udded"}"#,
                #"{"deep": [[{"x": null}]], "heading": 0}"#,
            ])
    }
}
