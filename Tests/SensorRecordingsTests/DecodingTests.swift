import Geometry
import LocateMeModel
import SensorRecordings
import Testing

@Suite struct DecodingTests {
    /// The example of the format's description, completed to every kind of record.
    static let example = """
        #lmrec 1
        #start 2026-11-30T12:00:00.000000Z
        #device pinephone-pro
        #sensor magn af8133j rate=20 resolution=0.0366
        #sensor accel LSM 6DS3 rate=104
        #note figure-eight, then walked north
        # a comment
        0 accel 0.031 -0.102 9.806
        0 gyro 0.0012 -0.0003 0.0101
        0 magn 21.3 -4.1 -43.8
        1000000 fix 47.3769 8.5417 4.5 408.1 6.0 1.42 0.3 87.5 4.0
        1000000 time 1764504001000000
        1500000 fix -33.5 151.25 - - - - - - -
        1500000 nofix
        2000000 truth 0.99973 -0.01949 0.01225 -0.00144
        2000000 peer os 0 0 0 -1
        2000000 mark facing-east and then some
        2000000 temp 31.5
        2000001 hub 359.5 2.5
        2000001 hub 10 -
        3000000 event suspend
        3000000 event resume
        3000000 event unplug magn
        3000000 event plug magn
        3000000 event screen on

        """

    @Test func everyKindOfRecordOfTheFormatIsRead() throws {
        let result = Recordings.decode(Self.example, mode: .strict)
        #expect(result.failure == nil)
        let content = result.records.map(\.content)
        try #require(content.count == 18)
        func sample(_ time: Int64, _ reading: SensorSample.Reading) -> Record.Content {
            .sample(SensorSample(bootMicroseconds: time, reading: reading))
        }
        #expect(content[0] == sample(0, .acceleration(Vector3(0.031, -0.102, 9.806))))
        #expect(content[1] == sample(0, .angularRate(Vector3(0.0012, -0.0003, 0.0101))))
        #expect(content[2] == sample(0, .magneticField(Vector3(21.3, -4.1, -43.8))))
        #expect(content[4] == .time(realMicroseconds: 1_764_504_001_000_000))
        #expect(content[6] == .noFix)
        #expect(content[7] == .truth(Quaternion(w: 0.99973, x: -0.01949, y: 0.01225, z: -0.00144)))
        #expect(content[8] == .peer(name: "os", attitude: Quaternion(w: 0, x: 0, y: 0, z: -1)))
        #expect(content[9] == .mark("facing-east and then some"))
        #expect(content[10] == sample(2_000_000, .temperature(degreesCelsius: 31.5)))
        #expect(content[11] == sample(2_000_001, .hubHeading(degrees: 359.5, accuracyDegrees: 2.5)))
        guard case .sample(let hub) = content[12],
            case .hubHeading(degrees: 10, accuracyDegrees: let accuracy) = hub.reading
        else {
            Issue.record("hub heading without accuracy was read as \(content[12])")
            return
        }
        #expect(accuracy.isNaN)
        #expect(
            content[13...] == [
                .event(.suspend), .event(.resume), .event(.unplug("magn")), .event(.plug("magn")),
                .event(.other("screen on")),
            ])
        #expect(
            result.records.map(\.microseconds).suffix(7) == [2_000_001, 2_000_001]
                + Array(repeating: 3_000_000, count: 5))
        #expect(result.records.first?.line == 8)
        #expect(result.records.last?.line == 25)
    }

    @Test func headerLinesAreRead() throws {
        let header = Recordings.decode(Self.example).header
        // 2026-11-30T12:00:00Z by GNU date: date -u -d 2026-11-30T12:00:00Z +%s.
        #expect(header.startRealMicroseconds == 1_796_040_000_000_000)
        #expect(header.device == "pinephone-pro")
        #expect(header.notes == ["figure-eight, then walked north"])
        let magnetometer = try #require(header.stream("magn"))
        #expect(magnetometer.name == "af8133j")
        #expect(magnetometer.rateHertz == 20)
        #expect(magnetometer.resolution == 0.0366)
        #expect(!header.isMagneticFieldCalibrated)
        #expect(header.stream("accel")?.name == "LSM 6DS3")
        #expect(header.stream("gyro") == nil)
    }

    @Test func aFixHasTheTimesThatStartAndTimeLinesGiveIt() throws {
        let fixes = Recordings.decode(Self.example).records.compactMap { record in
            if case .fix(let fix) = record.content { fix } else { nil }
        }
        try #require(fixes.count == 2)
        #expect(fixes[0].realMicroseconds == 1_796_040_001_000_000)
        #expect(fixes[0].bootMicroseconds == 1_000_000)
        #expect(fixes[1].realMicroseconds == 1_764_504_001_500_000)
        let noClock = Recordings.decode(lines: ["5 fix 1 2 3 - - - - - -"]).records.first?.content
        guard case .fix(let fix) = noClock else {
            Issue.record("no fix but \(String(describing: noClock))")
            return
        }
        #expect(fix.realMicroseconds == 0)
    }

    @Test func membersOfAFixThatAreLeftOpenAreUnknown() throws {
        let fixes = Recordings.decode(Self.example).records.compactMap { record in
            if case .fix(let fix) = record.content { fix } else { nil }
        }
        let full = try #require(fixes.first)
        #expect(
            [full.latitude, full.longitude, full.horizontalAccuracy, full.altitude, full.verticalAccuracy]
                == [47.3769, 8.5417, 4.5, 408.1, 6])
        #expect([full.speed, full.speedAccuracy, full.course, full.courseAccuracy] == [1.42, 0.3, 87.5, 4])
        #expect(full.ellipsoidalAltitude.isNaN)
        let bare = try #require(fixes.last)
        #expect([bare.latitude, bare.longitude] == [-33.5, 151.25])
        #expect(bare.horizontalAccuracy == 0)
        #expect(
            [bare.verticalAccuracy, bare.speed, bare.speedAccuracy, bare.course, bare.courseAccuracy]
                == [-1, -1, -1, -1, -1])
        #expect(bare.altitude.isNaN)
    }

    @Test func theMagneticFieldIsCalibratedOnlyIfTheSensorLineSaysYes() {
        #expect(
            Recordings.decode(lines: ["#sensor magn aktos-t rate=95.24 calibrated=yes"]).header
                .isMagneticFieldCalibrated)
        #expect(!Recordings.decode(lines: ["#sensor magn aktos-t calibrated=no"]).header.isMagneticFieldCalibrated)
        #expect(!Recordings.decode(lines: ["#sensor accel x calibrated=yes"]).header.isMagneticFieldCalibrated)
    }

    static let defects: [(String, RecordingDefect.Reason)] = [
        ("5 magn 1 2", .missingField("z")),
        ("5 magn", .missingField("x")),
        ("5", .missingField("kind")),
        ("5 magn 1 2 3 4", .surplusField(" 4")),
        ("5 magn 1 2 3 ", .surplusField(" ")),
        ("5 magn  1 2 3", .malformedNumber(field: "x", text: "")),
        ("5 magn 1,5 2 3", .malformedNumber(field: "x", text: "1,5")),
        ("5 magn 1 0x10 3", .malformedNumber(field: "y", text: "0x10")),
        ("5 magn 1 2 3e", .malformedNumber(field: "z", text: "3e")),
        ("5 magn 1 2 --3", .malformedNumber(field: "z", text: "--3")),
        ("5 magn 1 2 .", .malformedNumber(field: "z", text: ".")),
        ("5 magn 1 2 -", .malformedNumber(field: "z", text: "-")),
        ("5 magn 1 nan 3", .notFinite(field: "y")),
        ("5 magn 1 -inf 3", .notFinite(field: "y")),
        ("5 magn 1 NaN 3", .notFinite(field: "y")),
        ("5 magn 1e999 2 3", .notFinite(field: "x")),
        ("-5 magn 1 2 3", .malformedTime("-5")),
        ("5.0 magn 1 2 3", .malformedTime("5.0")),
        ("magn 1 2 3", .malformedTime("magn")),
        (" 5 magn 1 2 3", .malformedTime("")),
        ("99999999999999999999 magn 1 2 3", .malformedTime("99999999999999999999")),
        ("5 mgn 1 2 3", .unknownKind("mgn")),
        ("5 magnetometer 1 2 3", .unknownKind("magnetometer")),
        ("5 MAGN 1 2 3", .unknownKind("MAGN")),
        ("5 truth 0 0 0 0", .notUnitQuaternion),
        ("5 truth 1 1 0 0", .notUnitQuaternion),
        ("5 peer os 0 0 0 0", .notUnitQuaternion),
        ("5 peer 1 0 0 0", .missingField("qz")),
        ("5 fix - 8 - - - - - - -", .malformedNumber(field: "lat", text: "-")),
        ("5 fix 47 8 4", .missingField("alt")),
        ("5 nofix 1", .surplusField(" 1")),
        ("5 time 1.5", .malformedNumber(field: "time", text: "1.5")),
        ("5 hub -", .malformedNumber(field: "heading", text: "-")),
        ("5 hub 12", .missingField("accuracy")),
        ("5 mark", .missingField("word")),
        ("5 event", .missingField("word")),
        ("5 event unplug", .missingField("kind after plug or unplug")),
        ("#start yesterday", .malformedStart("yesterday")),
        ("#start 2026-02-29T12:00:00Z", .malformedStart("2026-02-29T12:00:00Z")),
        ("#sensor", .malformedSensor),
    ]

    @Test(arguments: defects)
    func aDefectiveLineIsSkippedCountedAndNamed(line: String, reason: RecordingDefect.Reason) {
        let result = Recordings.decode(lines: ["4 temp 1", line, "6 temp 2"])
        #expect(result.failure == nil)
        #expect(result.records.map(\.microseconds) == [4, 6])
        #expect(result.defects.count == 1)
        #expect(result.defects.first == [RecordingDefect(line: 3, reason: reason)])
    }

    @Test(arguments: defects)
    func strictModeStopsAtADefectiveLine(line: String, reason: RecordingDefect.Reason) {
        let result = Recordings.decode(lines: ["4 temp 1", line, "6 temp 2"], mode: .strict)
        #expect(result.failure == RecordingDefect(line: 3, reason: reason))
        #expect(result.records.map(\.microseconds) == [4])
    }

    @Test func timeThatRunsBackwardIsADefectWithBothLinesNamed() throws {
        let result = Recordings.decode(lines: ["10 temp 1", "20 temp 2", "15 temp 3", "20 temp 4"])
        #expect(result.records.map(\.microseconds) == [10, 20, 20])
        let defect = try #require(result.defects.first.first)
        #expect(defect.reason == .timeBackward(microseconds: 15, after: 20, ofLine: 3))
        #expect(defect.description == "line 4: time runs backward: 15 after 20 of line 3")
    }

    @Test func aDefectiveLineDoesNotAdvanceTheTime() {
        let result = Recordings.decode(lines: ["900 mgn 1 2 3", "5 temp 1"])
        #expect(result.records.map(\.microseconds) == [5])
    }

    @Test(arguments: ["2", "2.0", "0", "one", "1.x", "1.0.0", "", "-1"])
    func otherMajorVersionsAreRefusedInBothModes(version: String) {
        for mode in [RecordingDecoder.Mode.lenient, .strict] {
            let result = Recordings.decode("#lmrec \(version)\n0 temp 1\n", mode: mode)
            #expect(result.records.isEmpty)
            #expect(result.failure == RecordingDefect(line: 1, reason: .unsupportedVersion(version)))
        }
    }

    @Test func aLaterMinorVersionIsRead() {
        let result = Recordings.decode("#lmrec 1.7\n0 temp 1\n", mode: .strict)
        #expect(result.records.count == 1)
        #expect(result.header.minorVersion == 7)
    }

    @Test(arguments: ["", "\n", "0 temp 1\n", "#lmre", "#lmrec 1", "time,x,y,z\n1,2,3,4\n", "\u{0}\u{1}\n"])
    func whatDoesNotBeginAsARecordingIsRefused(text: String) {
        let result = Recordings.decode(text)
        #expect(result.failure == RecordingDefect(line: 1, reason: .notARecording))
    }

    /// As `/dev/zero`, which has no end.
    @Test func aFirstLineThatIsLongerThanAnyRecordIsNoRecordings() {
        var decoder = RecordingDecoder()
        decoder.feed([UInt8](repeating: 0, count: RecordingDecoder.maximumLineLength + 1).span)
        #expect(throws: RecordingDefect(line: 1, reason: .notARecording)) { _ = try decoder.next() }
    }

    @Test func aByteOrderMarkAndCarriageReturnsAreAccepted() {
        let result = Recordings.decode("\u{FEFF}#lmrec 1\r\n#device x\r\n\r\n5 mark a b\r\n", mode: .strict)
        #expect(result.failure == nil)
        #expect(result.header.device == "x")
        #expect(result.records.map(\.content) == [.mark("a b")])
    }

    @Test func aLastLineWithoutLineEndMayBeCutAndIsNotTrusted() {
        let result = Recordings.decode("#lmrec 1\n0 temp 21.5\n5 temp 2")
        #expect(result.records.count == 1)
        #expect(result.defects.first == [RecordingDefect(line: 3, reason: .cutOff)])
    }

    @Test func textThatIsNotUTF8IsADefect() {
        let bytes = Array("#lmrec 1\n0 mark ".utf8) + [0xff, 0xfe, 0x0a] + Array("1 mark ü\n".utf8)
        let result = Recordings.decode(bytes)
        #expect(result.defects.first == [RecordingDefect(line: 2, reason: .notUTF8)])
        #expect(result.records.map(\.content) == [.mark("ü")])
    }

    @Test(arguments: [100, 65_536, 1 << 20])
    func aLineOfAMegabyteIsSkippedWithBoundedMemory(piece: Int) {
        var decoder = RecordingDecoder()
        let long = [UInt8](repeating: UInt8(ascii: "A"), count: 1 << 20)
        var times: [Int64] = []
        func drain() { while let record = try? decoder.next() { times.append(record.microseconds) } }
        decoder.feed(Array("#lmrec 1\n1 temp 1\n".utf8).span)
        drain()
        for start in stride(from: 0, to: long.count, by: piece) {
            decoder.feed(long.span.extracting(start..<min(long.count, start + piece)))
            drain()
        }
        decoder.feed(Array("\n2 temp 2\n".utf8).span)
        decoder.endInput()
        drain()
        #expect(times == [1, 2])
        #expect(decoder.defects.first == [RecordingDefect(line: 3, reason: .lineTooLong(limit: 65_536))])
    }

    @Test func onlyTheFirstDefectsAreListedAndAllAreCounted() {
        let result = Recordings.decode(lines: Array(repeating: "x", count: 1000))
        #expect(result.defects.count == 1000)
        #expect(result.defects.first.count == RecordingDefectLog.listLimit)
    }

    @Test func piecesOfAnySizeGiveTheSameRecords() {
        let bytes = Array(Self.example.utf8)
        let whole = Recordings.decode(bytes) { _ in bytes.count }
        // NaN members make the records with unknown accuracy unequal to themselves, so texts are compared.
        for size in 1...40 {
            let pieces = Recordings.decode(bytes) { _ in size }
            #expect(String(describing: pieces.records) == String(describing: whole.records))
            #expect(pieces.defects == whole.defects)
        }
    }
}
