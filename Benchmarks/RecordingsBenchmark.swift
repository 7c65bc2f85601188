import CAllocationCounter
import RecordingFiles
import SensorRecordings

import var Glibc.CLOCK_THREAD_CPUTIME_ID
import func Glibc.clock_gettime
import struct Glibc.timespec

extension Benchmark {
    /// Speed of reading and writing recordings.
    static var recordings: Benchmark {
        Benchmark(
            name: "recordings", summary: "millions of records a second read and written, allocations [FILE ...]"
        ) { arguments in
            let files = arguments.isEmpty ? ["data/recordings/broad-slow-rotation.lmrec.gz"] : arguments
            var status: Int32 = 0
            print("recording                                 records  decode M/s  allocations  encode M/s    file M/s")
            for file in files {
                do {
                    status = max(status, try RecordingsBenchmark(path: file).run())
                } catch {
                    print(error)
                    status = 1
                }
            }
            return status
        }
    }
}

/// Times the decoder and the encoder in memory and the reader on the file; fails below the limits that the product promises.
struct RecordingsBenchmark {
    /// Fewest million records a second that the decoder reads from memory.
    private static let limit = 1.0
    private static let rounds = 7
    private static let chunk = 65_536

    let path: String

    func run() throws(RecordingFileError) -> Int32 {
        let records = try read()
        guard records.count > 1000, let header = try header() else {
            print("\(path): only \(records.count) records, too few to time")
            return 1
        }
        var encodeSeconds = Double.infinity
        var decodeSeconds = Double.infinity
        var fileSeconds = Double.infinity
        var allocations: UInt64 = 0
        for _ in 0..<Self.rounds {
            var begun = cpuSeconds()
            var encoder = RecordingEncoder(header: header)
            for record in records {
                do throws(RecordingDefect) { try encoder.append(record) } catch { return 1 }
            }
            encodeSeconds = min(encodeSeconds, cpuSeconds() - begun)
            begun = cpuSeconds()
            allocations = decode(encoder.bytes, expecting: records.count)
            decodeSeconds = min(decodeSeconds, cpuSeconds() - begun)
            begun = cpuSeconds()
            guard try read().count == records.count else { return 1 }
            fileSeconds = min(fileSeconds, cpuSeconds() - begun)
        }
        let count = Double(records.count) * 1e-6
        report(
            records.count, decode: count / decodeSeconds, allocations: allocations, encode: count / encodeSeconds,
            file: count / fileSeconds)
        return count / decodeSeconds >= Self.limit && allocations == 0 ? 0 : 1
    }

    /// Processor time of this thread: what else runs on the machine does not count.
    private func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    private func header() throws(RecordingFileError) -> RecordingHeader? {
        try RecordingFileReader(path: path).header
    }

    private func read() throws(RecordingFileError) -> [Record] {
        let reader = try RecordingFileReader(path: path)
        var records: [Record] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    /// Decodes everything; says how many allocations there were after the second chunk, when all buffers have their size.
    private func decode(_ bytes: [UInt8], expecting expected: Int) -> UInt64 {
        var decoder = RecordingDecoder(mode: .strict)
        var count = 0
        var before: UInt64 = 0
        for start in stride(from: 0, to: bytes.count, by: Self.chunk) {
            if start == 2 * Self.chunk { before = allocation_count() }
            decoder.feed(bytes.span.extracting(start..<min(bytes.count, start + Self.chunk)))
            while let record = try? decoder.next() { if record.line > 0 { count += 1 } }
        }
        let allocations = allocation_count() - before
        precondition(count == expected, "the decoder lost records")
        return allocations
    }

    private func report(_ records: Int, decode: Double, allocations: UInt64, encode: Double, file: Double) {
        func pad(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        print(
            name + pad("", 40 - name.count) + pad("\(records)", 9) + pad(rounded(decode), 12)
                + pad("\(allocations)", 13) + pad(rounded(encode), 12) + pad(rounded(file), 12))
    }
}
