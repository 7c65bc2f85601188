import LocateMeModel
import LocationEngine

extension Benchmark {
    /// One fix a second for many sessions with different filters, without the bus.
    static var location: Benchmark {
        Benchmark(
            name: "location", summary: "what a fix costs on its way through pipeline, arbiter and sessions [SESSIONS]"
        ) { arguments in
            guard let sessions = Int(arguments.first ?? "500"), sessions > 0 else {
                print("usage: Benchmarks location [SESSIONS]")
                return 2
            }
            return LocationBenchmark(sessions: sessions).run()
        }
    }
}

/// Times the engine alone: the bus is not in it.
struct LocationBenchmark {
    let sessions: Int

    private static let beginning: Int64 = 1_781_254_800_000_000

    func run() -> Int32 {
        var pipeline = SourcePipeline(parameters: .init(earliestClock: 0))
        var arbiter = PlaceArbiter(sources: 1)
        var stillness = StationaryDetector()
        var streams = (0..<sessions).map { _ in LocationStream() }
        let settings = (0..<sessions).map { index in
            var settings = LocationSettings()
            settings.distanceFilter = [-1, 10, 50, 400][index % 4]
            settings.confirmedDistance = index % 3 == 0
            return settings
        }
        let clock = ContinuousClock()
        var delivered = 0
        var times: [Double] = []
        // 20 minutes of a drive at 14 m/s.
        for second in 0..<1200 as Range<Int64> {
            let real = Self.beginning + second * 1_000_000
            var fix = Fix(
                realMicroseconds: real, bootMicroseconds: 1_000_000 + second * 1_000_000,
                latitude: 47 + Double(second) * 14 / 111_195, longitude: 8.5, horizontalAccuracy: 4)
            (fix.speed, fix.course, fix.source) = (14, 0, "gpsd")
            let now = ClockReading(
                realMicroseconds: real, bootMicroseconds: fix.bootMicroseconds, isSynchronized: true)
            let start = clock.now
            _ = pipeline.take(fix, at: now) { valid in
                guard let place = arbiter.take(valid, from: 0, now: now.bootMicroseconds) else { return }
                _ = stillness.update(place)
                for index in streams.indices {
                    _ = streams[index].take(
                        stillness.held(place), settings: settings[index], now: now.bootMicroseconds
                    ) { _ in delivered += 1 }
                }
            }
            let elapsed = clock.now - start
            times.append(Double(elapsed.components.attoseconds) * 1e-12 + Double(elapsed.components.seconds) * 1e6)
        }
        times.sort()
        let median = times[times.count / 2]
        print("sessions   fixes   delivered   a fix for all: median   99 %      a session   of one core at 1 Hz")
        print(
            "\(sessions)        \(times.count)    \(delivered)     \(rounded(median)) µs"
                + "             \(rounded(times[times.count * 99 / 100])) µs   \(rounded(median / Double(sessions))) µs"
                + "     \(rounded(median * 1e-4)) %")
        return 0
    }

    private func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 }
}
