import Foundation
import Geodesy
import LocateMeModel
import LocationEngine
import TestSupport

/// Fixes for tests: metres from an origin, seconds from a beginning, noise from a seed.
struct Trace {
    /// 2026-06-12T09:00:00Z in µs.
    static let start: Int64 = 1_781_254_800_000_000

    var latitude = 47.4211
    var longitude = 10.9853
    private var state: UInt64 = 42

    init() {}

    init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// A fix at `north` and `east` metres from the origin.
    func fix(
        _ seconds: Double, north: Double = 0, east: Double = 0, accuracy: Double = 5, speed: Double = -1,
        source: String = "gpsd"
    ) -> Fix {
        let point = Geodesic.destination(
            fromLatitude: latitude, longitude: longitude, azimuth: atan2(east, north) * 180 / .pi,
            metres: (north * north + east * east).squareRoot())
        var fix = Fix(
            realMicroseconds: Self.start + Int64(seconds * 1e6), bootMicroseconds: 1_000_000_000 + Int64(seconds * 1e6),
            latitude: point.latitude, longitude: point.longitude, horizontalAccuracy: accuracy)
        fix.speed = speed
        fix.source = source
        return fix
    }

    /// A normal number (Box and Muller) from Knuth's MMIX generator.
    mutating func normal() -> Double {
        (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())
    }

    mutating func uniform() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (Double(state >> 11) + 0.5) / 9_007_199_254_740_992
    }

    /// Seconds at which a session with these settings gets something.
    static func delivered(
        _ fixes: [Fix], _ settings: LocationSettings = LocationSettings(), stillness: Bool = false
    ) -> [Fix] {
        var stream = LocationStream()
        var detector = StationaryDetector()
        var result: [Fix] = []
        var wasStationary = false
        for fix in fixes {
            // As the service does it.
            if stillness {
                _ = detector.update(fix)
                let isNow = detector.isStationary
                let isChange = isNow != wasStationary
                wasStationary = isNow
                if isNow, !isChange, settings.pausesAutomatically { continue }
                _ = stream.take(
                    detector.held(fix), settings: settings, now: fix.bootMicroseconds, isStateChange: isChange
                ) { result.append($0) }
            } else {
                _ = stream.take(fix, settings: settings, now: fix.bootMicroseconds) { result.append($0) }
            }
        }
        return result
    }

    static func seconds(_ fixes: [Fix]) -> [Double] {
        fixes.map { Double($0.bootMicroseconds - 1_000_000_000) / 1e6 }
    }
}
