import CAllocationCounter
import HeadingEstimation
import LocateMeModel
import MagnetometerCalibration
import RecordingFiles
import SensorRecordings

import var Glibc.CLOCK_THREAD_CPUTIME_ID
import func Glibc.clock_gettime
import struct Glibc.timespec

extension Benchmark {
    /// Cost of the heading estimator on a real recording.
    static var heading: Benchmark {
        Benchmark(
            name: "heading", summary: "estimator on recordings: µs and allocations a record, µs a batch fit [FILE ...]"
        ) { arguments in
            let files = arguments.isEmpty ? ["Tests/Recordings/iphone4s-texting.lmrec.gz"] : arguments
            var status: Int32 = 0
            print("recording                                start  records   µs/record   allocations   batch fit µs")
            for file in files { status = max(status, HeadingBenchmark(path: file).run()) }
            return status
        }
    }
}

/// Times the estimator over the samples of one recording, read beforehand; fails above the limits that the product promises.
struct HeadingBenchmark {
    /// Most microseconds a record.
    private static let limit = 2.0
    /// Most microseconds a batch fit.
    private static let fitLimit = 5000.0
    private static let rounds = 5

    let path: String

    func run() -> Int32 {
        let samples: [SensorSample]
        do {
            samples = try read()
        } catch {
            print("\(path): \(error)")
            return 1
        }
        guard samples.count > 1000 else {
            print("\(path): only \(samples.count) samples, too few to time")
            return 1
        }
        guard Self.counterWorks() else {
            print("allocations are not counted: another malloc is in front of ours")
            return 1
        }
        let cold = measure(samples, stored: nil)
        report(cold, samples: samples.count, start: "cold")
        let warm = measure(samples, stored: cold.state)
        report(warm, samples: samples.count, start: "warm")
        let good = [cold, warm].allSatisfy {
            $0.microseconds <= Self.limit && $0.allocations == 0 && $0.fitMicroseconds <= Self.fitLimit
        }
        return good ? 0 : 1
    }

    private struct Result {
        var microseconds = Double.infinity
        var allocations: UInt64 = 0
        var fitMicroseconds = Double.infinity
        var state = StoredHeadingState()
    }

    /// Processor time of this thread: what else runs on the machine does not count.
    private func cpuMicroseconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) * 1e-3
    }

    /// True if the counter sees an allocation: without that a count of none would prove nothing.
    private static func counterWorks() -> Bool {
        let before = allocation_count()
        let numbers = [Int](unsafeUninitializedCapacity: 1000) { _, count in count = 0 }
        return numbers.capacity >= 1000 && allocation_count() > before
    }

    private func read() throws(RecordingFileError) -> [SensorSample] {
        let reader = try RecordingFileReader(path: path)
        var samples: [SensorSample] = []
        while let record = try reader.next() {
            if let sample = record.sample { samples.append(sample) }
        }
        return samples
    }

    /// The best of some rounds. Allocations are counted from the first second of the recording on, batch fits included.
    private func measure(_ samples: [SensorSample], stored: StoredHeadingState?) -> Result {
        var result = Result()
        let start = samples[0].bootMicroseconds + 1_000_000
        let warmUp = samples.firstIndex { $0.bootMicroseconds > start } ?? 0
        for _ in 0..<Self.rounds {
            var estimator = HeadingEstimator(stored: stored)
            var valid = 0
            let begun = cpuMicroseconds()
            for sample in samples[..<warmUp] where estimator.update(sample)?.isValid == true { valid += 1 }
            let before = allocation_count()
            for sample in samples[warmUp...] where estimator.update(sample)?.isValid == true { valid += 1 }
            result.allocations = allocation_count() - before
            let spent = cpuMicroseconds() - begun
            result.microseconds = min(result.microseconds, spent / Double(samples.count))
            precondition(valid <= samples.count, "more estimates than samples")
            let fitBegun = cpuMicroseconds()
            let job = CalibrationFitJob(points: estimator.calibrationPoints.points)
            _ = try? job.run()
            result.fitMicroseconds = min(result.fitMicroseconds, cpuMicroseconds() - fitBegun)
            result.state = estimator.storedState
        }
        return result
    }

    private func report(_ result: Result, samples: Int, start: String) {
        func pad(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let rounded = (result.microseconds * 1000).rounded() / 1000
        print(
            name + pad("", 40 - name.count) + pad(start, 6) + pad("\(samples)", 9) + pad("\(rounded)", 12)
                + pad("\(result.allocations)", 14) + pad("\(Int(result.fitMicroseconds))", 15))
    }
}
