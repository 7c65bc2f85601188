import CGeographicLib
import Geomagnetism

extension Benchmark {
    /// Declination models against GeographicLib's MagneticModel, on the same points in alternating rounds.
    static var geomagnetism: Benchmark {
        Benchmark(
            name: "geomagnetism", summary: "field of WMM2025, WMMHR2025 and IGRF-14 against GeographicLib [ROUNDS]"
        ) { arguments in
            guard let rounds = Int(arguments.first ?? "100"), rounds > 0 else {
                print("usage: Benchmarks geomagnetism [ROUNDS]")
                return 2
            }
            return GeomagnetismBenchmark(rounds: rounds).run()
        }
    }
}

/// Times both libraries; no point or date is asked for twice in a round.
struct GeomagnetismBenchmark {
    let rounds: Int

    struct Point {
        let latitude, longitude, height, year: Double
    }

    /// Best nanoseconds a value, of all rounds.
    struct Times {
        var components = Double.infinity
        var field = Double.infinity
        var peer = Double.infinity
    }

    func run() -> Int32 {
        print("model      points   ours: X Y Z + rates   all elements, rates, sigma   GeographicLib: X Y Z   ratio")
        let clock = ContinuousClock()
        for (name, count, years) in [
            ("wmm2025", 4000, 2025.0...2030), ("wmmhr2025", 200, 2025...2030), ("igrf14", 4000, 1900...2030),
        ] {
            do {
                let model = try MagneticModel.named(name)
                let points = points(count: count, years: years)
                let peer = try GeographicLibModel(name: name)
                defer { peer.close() }
                let worst = try largestDifference(model, peer, points)
                var times = Times()
                for _ in 0..<rounds {
                    times.components = min(times.components, try time(clock, points) { try ours(model, $0) })
                    times.peer = min(times.peer, time(clock, points) { peer.north($0) })
                    times.field = min(times.field, try time(clock, points) { try oursComplete(model, $0) })
                }
                report(name, count, times, worst)
            } catch {
                print("\(name): \(error)")
                return 1
            }
        }
        return 0
    }

    /// Evenly spread over the sphere, at heights up to 10 km, from a fixed seed.
    private func points(count: Int, years: ClosedRange<Double>) -> [Point] {
        var state: UInt64 = 1
        func random(_ range: ClosedRange<Double>) -> Double {
            // Knuth's MMIX multiplier and increment.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return range.lowerBound + (range.upperBound - range.lowerBound) * Double(state >> 11)
                / 9_007_199_254_740_992
        }
        return (0..<count).map { _ in
            Point(
                latitude: random(-90...90), longitude: random(-180...180), height: random(0...10_000),
                year: random(years))
        }
    }

    private func time<Failure: Error>(
        _ clock: ContinuousClock, _ points: [Point], _ value: (Point) throws(Failure) -> Double
    ) throws(Failure) -> Double {
        var sum = 0.0
        let start = clock.now
        for point in points { sum += try value(point) }
        let nanoseconds = (clock.now - start) / .nanoseconds(1)
        // The sum must be used, or the loop is nobody's business.
        precondition(sum.isFinite)
        return nanoseconds / Double(points.count)
    }

    private func ours(_ model: MagneticModel, _ point: Point) throws(GeomagnetismError) -> Double {
        try model.components(
            latitude: point.latitude, longitude: point.longitude, height: point.height, year: point.year
        ).north
    }

    private func oursComplete(_ model: MagneticModel, _ point: Point) throws(GeomagnetismError) -> Double {
        let field = try model.field(
            latitude: point.latitude, longitude: point.longitude, height: point.height, year: point.year)
        return field.elements.declination + field.rates.declination + field.uncertainty.declination
    }

    private func largestDifference(
        _ model: MagneticModel, _ peer: GeographicLibModel, _ points: [Point]
    ) throws(GeomagnetismError) -> Double {
        var largest = 0.0
        for point in points {
            let a = try model.components(
                latitude: point.latitude, longitude: point.longitude, height: point.height, year: point.year)
            let b = peer.field(point)
            largest = max(largest, abs(a.north - b.north), abs(a.east - b.east), abs(a.down + b.up))
        }
        return largest
    }

    private func report(_ name: String, _ count: Int, _ times: Times, _ worst: Double) {
        func column(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
        print(
            name + column("\(count)", 17 - name.count) + column("\(Int(times.components)) ns", 22)
                + column("\(Int(times.field)) ns", 29) + column("\(Int(times.peer)) ns", 23)
                + column(rounded(times.peer / times.components), 8)
                + "   (complete \(rounded(times.peer / times.field)), largest difference \(worst) nT)")
    }
}

/// The peer, through its C door.
struct GeographicLibModel {
    private let handle: UnsafeMutableRawPointer

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(name: String) throws(Failure) {
        let checkout = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        let folder = checkout.joined(separator: "/") + "/data/geomagnetic/geographiclib"
        var message = [CChar](repeating: 0, count: 400)
        guard let handle = geographiclib_magnetic_open(name, folder, &message, 400) else {
            let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw Failure(description: String(decoding: text, as: UTF8.self))
        }
        self.handle = handle
    }

    func field(_ point: GeomagnetismBenchmark.Point) -> (north: Double, east: Double, up: Double) {
        var east = 0.0
        var north = 0.0
        var up = 0.0
        geographiclib_magnetic_field(
            handle, point.year, point.latitude, point.longitude, point.height, &east, &north, &up)
        return (north, east, up)
    }

    func north(_ point: GeomagnetismBenchmark.Point) -> Double { field(point).north }

    func close() { geographiclib_magnetic_close(handle) }
}
