import CAllocationCounter
import NMEASentences

import var Glibc.CLOCK_THREAD_CPUTIME_ID
import var Glibc.O_RDONLY
import func Glibc.clock_gettime
import func Glibc.close
import func Glibc.open
import func Glibc.read
import struct Glibc.timespec

extension Benchmark {
    /// Speed of the NMEA decoder.
    static var nmea: Benchmark {
        Benchmark(name: "nmea", summary: "millions of NMEA sentences a second, allocations [FILE ...]") { arguments in
            let files = arguments.isEmpty ? ["data/nmea/neo-m8n.nmea", "data/nmea/saab-r4.nmea"] : arguments
            var status: Int32 = 0
            print("log                           sentences  decode M/s  with fixes M/s  allocations")
            for file in files { status = max(status, NMEABenchmark(path: file).run()) }
            return status
        }
    }
}

/// Times decoder and assembler on a log that is held in memory, over and over; fails below what the product promises.
struct NMEABenchmark {
    /// Fewest million sentences a second.
    private static let limit = 1.0
    private static let rounds = 7
    /// Bytes to read in each round.
    private static let size = 8 << 20

    let path: String

    func run() -> Int32 {
        let bytes = read()
        guard !bytes.isEmpty else {
            print("\(path): cannot be read")
            return 1
        }
        let repeats = max(1, Self.size / bytes.count)
        var (decode, assemble) = (Double.infinity, Double.infinity)
        var sentences = 0
        var allocations: UInt64 = 0
        for _ in 0..<Self.rounds {
            var decoder = NMEADecoder()
            var begun = cpuSeconds()
            var useful = 0
            for _ in 0..<repeats {
                var index = 0
                while decoder.next(in: bytes.span, from: &index) != nil { useful += 1 }
            }
            decode = min(decode, cpuSeconds() - begun)
            sentences = decoder.sentences
            decoder = NMEADecoder()
            var assembler = NMEAEpochAssembler()
            begun = cpuSeconds()
            var fixes = 0
            for round in 0..<repeats {
                // By then all buffers have their size.
                if round == min(2, repeats - 1) { allocations = allocation_count() }
                var index = 0
                while let sentence = decoder.next(in: bytes.span, from: &index) {
                    assembler.take(sentence, bootMicroseconds: 0)
                    while let report = assembler.next() { if case .fix = report { fixes += 1 } }
                }
            }
            assemble = min(assemble, cpuSeconds() - begun)
            allocations = allocation_count() - allocations
            precondition(useful > 0 && fixes > 0)
        }
        let count = Double(sentences) * 1e-6
        func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        print("\(name)  \(sentences)  \(rounded(count / decode))  \(rounded(count / assemble))  \(allocations)")
        return count / assemble >= Self.limit && allocations == 0 ? 0 : 1
    }

    private func read() -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return Array(buffer.prefix(max(count, 0)))
    }

    /// Processor time of this thread: what else runs on the machine does not count.
    private func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
