import Foundation
import RecordingFiles
import SensorRecordings
import Testing

@Suite final class RecordingFileTests {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("locateme-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func store(_ bytes: Data, as name: String) throws -> String {
        try bytes.write(to: folder.appendingPathComponent(name))
        return path(name)
    }

    /// A recording of so many records, one per millisecond.
    private static func text(records: Int) -> String {
        var random = SplitMix64(state: 7)
        var text = "#lmrec 1\n#device test\n"
        for index in 0..<records {
            text += "\(index * 1000) magn \(random.next() % 99).\(random.next() % 999) -4.1 43\n"
        }
        return text
    }

    /// Compressed by the system's own gzip, as an outsider would.
    private func gzip(_ text: String) throws -> Data {
        let plain = try store(Data(text.utf8), as: UUID().uuidString)
        return try Self.run("/bin/gzip", ["-c", plain]).output
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: Data) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    /// All records until the end or an error.
    private func readAll(_ path: String) -> (times: [Int64], error: RecordingFileError?) {
        var times: [Int64] = []
        do throws(RecordingFileError) {
            let reader = try RecordingFileReader(path: path)
            while let record = try reader.next() { times.append(record.microseconds) }
            #expect(try reader.next() == nil)
        } catch {
            return (times, error)
        }
        return (times, nil)
    }

    @Test(arguments: [0, 1, 10_000])
    func plainAndCompressedFilesAreToldApartByContent(count: Int) throws {
        let text = Self.text(records: count)
        let expected = (0..<count).map { Int64($0) * 1000 }
        for (name, bytes) in [
            ("a.lmrec", Data(text.utf8)), ("b.lmrec.gz", Data(text.utf8)), ("c.lmrec", try gzip(text)),
            ("d.lmrec.gz", try gzip(text)),
        ] {
            let result = readAll(try store(bytes, as: name))
            #expect(result.error == nil)
            #expect(result.times == expected)
        }
    }

    @Test func theHeaderIsKnownBeforeTheFirstRecordIsTaken() throws {
        let reader = try RecordingFileReader(path: try store(Data(Self.text(records: 3).utf8), as: "x"))
        #expect(reader.header.device == "test")
        #expect(try reader.next()?.microseconds == 0)
    }

    @Test func compressedMembersOneAfterTheOtherAreReadAsOne() throws {
        let text = Self.text(records: 2000)
        let cut = text.index(text.startIndex, offsetBy: text.count / 2)
        let bytes = try gzip(String(text[..<cut])) + gzip(String(text[cut...])) + Data(count: 512)
        let result = readAll(try store(bytes, as: "two.gz"))
        #expect(result.error == nil)
        #expect(result.times.count == 2000)
    }

    @Test func aTruncatedCompressedFileGivesWhatIsThereAndThenSaysSo() throws {
        let whole = try gzip(Self.text(records: 20_000))
        var counts: [Int] = []
        for length in [whole.count / 50, whole.count / 2, whole.count - 5] {
            let cut = try store(whole.prefix(length), as: "cut-\(length).gz")
            let result = readAll(cut)
            #expect(result.error?.code == .truncated)
            #expect(result.error?.description.contains("end in the middle") == true)
            #expect(result.times == (0..<result.times.count).map { Int64($0) * 1000 })
            counts.append(result.times.count)
        }
        #expect(counts == counts.sorted())
        // Only the trailer is cut: all of it is there, unverified.
        #expect(counts.last == 20_000)
        #expect((counts.first ?? 0) > 0)
    }

    @Test(arguments: [2, 5, 17])
    func aCompressedFileCutInItsHeaderIsTruncated(length: Int) throws {
        let bytes = try gzip(Self.text(records: 10)).prefix(length)
        let result = readAll(try store(bytes, as: "header.gz"))
        #expect(result.times.isEmpty)
        #expect(result.error?.code == .truncated)
    }

    @Test func aDamagedCompressedFileNeverCrashesAndIsNamed() throws {
        let whole = try gzip(Self.text(records: 5000))
        var random = SplitMix64(state: 99)
        for _ in 0..<60 {
            var bytes = whole
            // Beyond the 10-byte header and the name in it, of which not every byte matters.
            let index = Int.random(in: 100..<bytes.count, using: &random)
            bytes[index] ^= UInt8(1 << (random.next() % 8))
            let result = readAll(try store(bytes, as: "damaged.gz"))
            // A flipped bit may also make the length of a line, and with it a defect, but the checksum catches all.
            #expect(result.error?.code == .corrupt || result.error?.code == .truncated)
            #expect(result.error?.path == path("damaged.gz"))
        }
    }

    @Test func otherDataAfterTheCompressedOnesAreDamage() throws {
        let bytes = try gzip(Self.text(records: 100)) + Data("garbage".utf8)
        let result = readAll(try store(bytes, as: "tail.gz"))
        #expect(result.times.count == 100)
        #expect(result.error?.code == .corrupt)
    }

    @Test func whatCannotBeOpenedOrReadIsSaidInWords() throws {
        let missing = path("missing.lmrec")
        #expect(readAll(missing).error?.description == "\(missing): cannot be opened: No such file or directory")
        #expect(readAll(folder.path).error?.description == "\(folder.path): cannot be read: Is a directory")
        let empty = try store(Data(), as: "empty")
        #expect(readAll(empty).error?.description.contains("not a recording") == true)
        let other = try store(Data("BZh91AY&SY".utf8), as: "x.bz2")
        #expect(readAll(other).error?.code == .defect)
    }

    @Test func aPipeIsReadWhileItIsWritten() async throws {
        let fifo = path("fifo")
        #expect(mkfifo(fifo, 0o600) == 0)
        let bytes = Data(Self.text(records: 5000).utf8)
        let writer = Thread {
            guard let handle = FileHandle(forWritingAtPath: fifo) else { return }
            for start in stride(from: 0, to: bytes.count, by: 997) {
                try? handle.write(contentsOf: bytes[start..<min(bytes.count, start + 997)])
            }
            try? handle.close()
        }
        writer.start()
        let result = readAll(fifo)
        #expect(result.error == nil)
        #expect(result.times.count == 5000)
    }

    // MARK: - Writing

    private func write(_ path: String, records: Int, finish: Bool = true) throws -> RecordingFileWriter {
        var header = RecordingHeader()
        header.device = "test"
        let writer = try RecordingFileWriter(path: path, header: header)
        for index in 0..<records {
            try writer.append(Record(microseconds: Int64(index) * 1000, content: .mark("\(index)")))
        }
        if finish { try writer.finish() } else { try writer.flush() }
        return writer
    }

    @Test(arguments: ["a.lmrec", "a.lmrec.gz"], [0, 1, 30_000])
    func whatIsWrittenIsReadBack(name: String, count: Int) throws {
        _ = try write(path(name), records: count)
        let result = readAll(path(name))
        #expect(result.error == nil)
        #expect(result.times.count == count)
        let isCompressed = try Data(contentsOf: URL(fileURLWithPath: path(name))).prefix(2) == Data([0x1f, 0x8b])
        #expect(isCompressed == name.hasSuffix(".gz"))
    }

    @Test func gunzipReadsWhatIsWritten() throws {
        _ = try write(path("b.lmrec.gz"), records: 1000)
        let (status, output) = try Self.run("/bin/gzip", ["-dc", path("b.lmrec.gz")])
        #expect(status == 0)
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 1002)
        #expect(lines.last == "999000 mark 999")
    }

    @Test(arguments: ["a.lmrec", "a.lmrec.gz"])
    func everythingBeforeAFlushSurvivesTheWriter(name: String) throws {
        let writer = try write(path(name), records: 1234, finish: false)
        try writer.append(Record(microseconds: 2_000_000, content: .mark("only in memory")))
        let snapshot = try store(try Data(contentsOf: URL(fileURLWithPath: path(name))), as: "snapshot")
        let result = readAll(snapshot)
        #expect(result.times.count == 1234)
        #expect(result.error?.code == (name.hasSuffix(".gz") ? .truncated : nil))
        try writer.finish()
        #expect(readAll(path(name)).times.count == 1235)
        #expect(readAll(path(name)).error == nil)
    }

    @Test func aWriterThatIsLetGoFinishesItsFile() throws {
        do {
            let writer = try write(path("c.gz"), records: 10, finish: false)
            try writer.append(Record(microseconds: 1_000_000, content: .mark("last")))
        }
        let result = readAll(path("c.gz"))
        #expect(result.error == nil)
        #expect(result.times.count == 11)
    }

    @Test func anExistingFileIsOverwrittenOnlyOnRequest() throws {
        let existing = try store(Data("precious".utf8), as: "precious.lmrec")
        #expect {
            _ = try RecordingFileWriter(path: existing, header: RecordingHeader())
        } throws: { error in
            "\(error)" == "\(existing): cannot be opened: File exists"
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: existing)) == Data("precious".utf8))
        let writer = try RecordingFileWriter(path: existing, header: RecordingHeader(), overwrite: true)
        try writer.finish()
        #expect(try Data(contentsOf: URL(fileURLWithPath: existing)) == Data("#lmrec 1\n".utf8))
    }

    @Test func aFullDiskIsReportedAndStaysReported() throws {
        try #require(FileManager.default.fileExists(atPath: "/dev/full"))
        #expect {
            _ = try RecordingFileWriter(path: "/dev/full", header: RecordingHeader(), overwrite: true)
        } throws: { error in
            "\(error)" == "/dev/full: cannot be written: No space left on device"
        }
    }

    @Test func aRefusedRecordLeavesTheFileSound() throws {
        let writer = try write(path("d.lmrec"), records: 2, finish: false)
        #expect(throws: RecordingFileError.self) {
            try writer.append(Record(microseconds: 0, content: .mark("too late")))
        }
        try writer.append(Record(microseconds: 5000, content: .mark("fine")))
        try writer.finish()
        #expect(readAll(path("d.lmrec")).times == [0, 1000, 5000])
    }
}
