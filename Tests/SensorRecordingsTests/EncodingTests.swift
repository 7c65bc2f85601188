import Geometry
import LocateMeModel
import SensorRecordings
import Testing

@Suite struct EncodingTests {
    @Test func theFormatsExampleIsWrittenAsItStands() throws {
        var encoder = RecordingEncoder(header: Recordings.decode(DecodingTests.example).header)
        for record in Recordings.decode(DecodingTests.example).records { try encoder.append(record) }
        // Without the comment, and with numbers in their shortest form: 6.0 is 6.
        let expected = DecodingTests.example.replacing("# a comment\n", with: "").replacing(" 6.0 ", with: " 6 ")
            .replacing(" 4.0\n", with: " 4\n")
        #expect(String(decoding: encoder.bytes, as: UTF8.self) == expected)
    }

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func whatIsWrittenIsReadBackEqual(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        var header = RecordingHeader()
        header.startRealMicroseconds = Int64(random.next() % 4_000_000_000_000_000)
        header.device = "a phone"
        header.streams = [
            .init(
                kind: "magn", name: "ak0991x",
                facts: [.init(key: "rate", value: "50"), .init(key: "calibrated", value: "yes")])
        ]
        header.notes = ["one", "two"]
        var time: Int64 = 0
        let records = (0..<2000).map { _ in Self.randomRecord(&random, &time, offset: header.startRealMicroseconds ?? 0)
        }
        var encoder = RecordingEncoder(header: header)
        for record in records { try encoder.append(record) }
        let result = Recordings.decode(encoder.bytes, mode: .strict)
        #expect(result.failure == nil)
        #expect(result.header == header)
        #expect(result.records.map(\.line) == Array(7...2006))
        #expect(result.records.map { Record(microseconds: $0.microseconds, content: $0.content) } == records)
    }

    /// Any record of which every member is known, so that it is equal to itself.
    private static func randomRecord(_ random: inout SplitMix64, _ time: inout Int64, offset: Int64) -> Record {
        time += Int64(random.next() % 20_000)
        func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
        func vector() -> Vector3 { Vector3(number(-100...100), number(-1...1), number(-1e-6...1e-6)) }
        func attitude() -> Quaternion {
            Quaternion(rotationVector: Vector3(number(-3...3), number(-3...3), number(-3...3)))
        }
        switch random.next() % 10 {
        case 0: return Record(SensorSample(bootMicroseconds: time, reading: .magneticField(vector())))
        case 1: return Record(SensorSample(bootMicroseconds: time, reading: .acceleration(vector())))
        case 2: return Record(SensorSample(bootMicroseconds: time, reading: .angularRate(vector())))
        case 3:
            return Record(SensorSample(bootMicroseconds: time, reading: .temperature(degreesCelsius: number(-40...85))))
        case 4:
            return Record(
                SensorSample(
                    bootMicroseconds: time,
                    reading: .hubHeading(degrees: number(0...360), accuracyDegrees: number(0...20))))
        case 5: return Record(microseconds: time, content: .truth(attitude()))
        case 6: return Record(microseconds: time, content: .peer(name: "os", attitude: attitude()))
        case 7: return Record(microseconds: time, content: .mark("turn \(random.next())"))
        case 8: return Record(microseconds: time, content: .event(.unplug("gyro")))
        default: return Record(microseconds: time, content: .noFix)
        }
    }

    @Test func aFixIsReadBackWithItsUnknownMembersUnknown() throws {
        var fix = Fix(
            realMicroseconds: 1_000_007, bootMicroseconds: 7, latitude: -0.5, longitude: 179.999999,
            horizontalAccuracy: 0)
        fix.altitude = 12.25
        fix.verticalAccuracy = 0
        fix.speed = 0
        fix.course = 0
        var header = RecordingHeader()
        header.startRealMicroseconds = 1_000_000
        var encoder = RecordingEncoder(header: header)
        try encoder.append(Record(fix))
        #expect(String(decoding: encoder.bytes, as: UTF8.self).hasSuffix("\n7 fix -0.5 179.999999 - 12.25 - 0 - 0 -\n"))
        guard case .fix(var back)? = Recordings.decode(encoder.bytes).records.first?.content else {
            Issue.record("the fix was not read back")
            return
        }
        #expect(back.ellipsoidalAltitude.isNaN)
        back.ellipsoidalAltitude = 0
        #expect(back == fix)
    }

    static let refused: [(Record, RecordingDefect.Reason)] = [
        (
            Record(SensorSample(bootMicroseconds: 20, reading: .magneticField(Vector3(1, .nan, 3)))),
            .notFinite(field: "y")
        ),
        (
            Record(SensorSample(bootMicroseconds: 20, reading: .acceleration(Vector3(.infinity, 2, 3)))),
            .notFinite(field: "x")
        ),
        (
            Record(SensorSample(bootMicroseconds: 9, reading: .temperature(degreesCelsius: 1))),
            .timeBackward(microseconds: 9, after: 10, ofLine: 2)
        ),
        (Record(microseconds: -1, content: .noFix), .malformedTime("-1")),
        (Record(microseconds: .max, content: .noFix), .malformedTime("9223372036854775807")),
        (Record(microseconds: 20, content: .truth(Quaternion(w: 0, x: 0, y: 0, z: 0))), .notUnitQuaternion),
        (Record(microseconds: 20, content: .peer(name: "a b", attitude: .identity)), .unwritableText("a b")),
        (Record(microseconds: 20, content: .peer(name: "", attitude: .identity)), .unwritableText("")),
        (Record(microseconds: 20, content: .mark("")), .unwritableText("")),
        (Record(microseconds: 20, content: .event(.other("suspend"))), .unwritableText("suspend")),
        (Record(microseconds: 20, content: .event(.plug(""))), .unwritableText("plug ")),
    ]

    @Test(arguments: refused)
    func aRecordThatNoReaderWouldAcceptIsRefusedAndLeavesNothing(record: Record, reason: RecordingDefect.Reason) throws
    {
        var encoder = RecordingEncoder(header: RecordingHeader())
        try encoder.append(Record(microseconds: 10, content: .noFix))
        let before = encoder.bytes
        #expect(throws: RecordingDefect(line: 3, reason: reason)) { try encoder.append(record) }
        #expect(encoder.bytes == before)
        try encoder.append(Record(microseconds: 10, content: .noFix))
        #expect(encoder.bytes.count > before.count)
    }

    @Test func lineBreaksInTextsCannotForgeLines() throws {
        var header = RecordingHeader()
        header.device = "x\n5 magn 1 2 3"
        header.streams = [.init(kind: "ma gn", name: "a=b\r\nc", facts: [.init(key: "k k", value: "v\nv")])]
        var encoder = RecordingEncoder(header: header)
        encoder.append(note: "a\nb")
        try encoder.append(Record(microseconds: 0, content: .mark("a\r\n1 mark b")))
        #expect(
            String(decoding: encoder.bytes, as: UTF8.self)
                == "#lmrec 1\n#device x 5 magn 1 2 3\n#sensor ma_gn a_b c k_k=v_v\n#note a b\n0 mark a 1 mark b\n")
    }
}
