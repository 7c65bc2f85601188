import Foundation
import LocateMeModel
import LocationEngine
import TestSupport
import Testing

@Suite struct StandingStillTests {
    /// Rows t_s, latitude, longitude, accuracy_m, speed_m_s.
    private func table(_ name: String) throws -> [Fix] {
        let file = Repository.file("Tests/LocationEngineTests/Inputs/\(name)")
        let trace = Trace()
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: ",").compactMap { Double($0) }
            try #require(fields.count == 5)
            var fix = trace.fix(fields[0], accuracy: fields[3], speed: fields[4])
            fix.latitude = fields[1]
            fix.longitude = fields[2]
            return fix
        }
    }

    @Test func `bug drift-distance-at-rest: an hour of drift is no way, and no news after the first minute`() throws {
        let fixes = try table("drift-distance-at-rest.csv")
        #expect(fixes.count == 720)
        let naive = zip(fixes, fixes.dropFirst()).reduce(0) { $0 + $1.0.metres(to: $1.1) }
        #expect(abs(naive - 567) < 1)
        var detector = StationaryDetector()
        var meter = DistanceMeter()
        for fix in fixes {
            _ = detector.update(fix)
            meter.update(fix, isStationary: detector.isStationary)
        }
        #expect(detector.isStationary)
        #expect(meter.metres <= 15)
        var settings = LocationSettings()
        settings.distanceFilter = 10
        let delivered = Trace.seconds(Trace.delivered(fixes, settings, stillness: true))
        #expect(delivered.filter { $0 > 60 } == [])
    }

    @Test(arguments: [true, false])
    func `Bar 10: a day at rest with 5 m of noise is no event and no distance`(hasSpeed: Bool) {
        var trace = Trace()
        var detector = StationaryDetector()
        var meter = DistanceMeter()
        var settings = LocationSettings()
        settings.distanceFilter = 50
        var stream = LocationStream()
        var events = 0
        // One each two seconds; standard deviation 5 m north and east, which a receiver states as 7.6 m at 68 %.
        for second in stride(from: 0.0, to: 86_400, by: 2) {
            let fix = trace.fix(
                second, north: 5 * trace.normal(), east: 5 * trace.normal(), accuracy: 7.6,
                speed: hasSpeed ? abs(0.1 * trace.normal()) : -1)
            _ = detector.update(fix)
            meter.update(fix, isStationary: detector.isStationary)
            _ = stream.take(detector.held(fix), settings: settings, now: fix.bootMicroseconds) { _ in events += 1 }
        }
        #expect(events == 1, "the first place and no other")
        #expect(meter.metres == 0)
        #expect(detector.isStationary)
    }

    @Test func `Bar 10: a creep of 1 m a second fires at 50 m from the last delivered place`() {
        let trace = Trace()
        var settings = LocationSettings()
        settings.distanceFilter = 50
        let fixes = (0...300).map { trace.fix(Double($0), north: 1.0001 * Double($0), accuracy: 3, speed: 1) }
        let delivered = Trace.delivered(fixes, settings, stillness: true)
        #expect(Trace.seconds(delivered) == [0, 50, 100, 150, 200, 250, 300])
        for (one, next) in zip(delivered, delivered.dropFirst()) { #expect(abs(one.metres(to: next) - 50) <= 1) }
    }

    @Test func `The place is frozen to the mean weighted by accuracy, and says that nothing moves`() {
        let trace = Trace()
        var detector = StationaryDetector()
        for second in 0...60 {
            // Exact fixes at the origin, and one in three 9 m north with a third of the accuracy.
            let isPoor = second % 3 == 0
            _ = detector.update(
                trace.fix(Double(second), north: isPoor ? 9 : 0, accuracy: isPoor ? 12 : 4, speed: 0.1))
        }
        #expect(detector.isStationary)
        let held = detector.held(trace.fix(61, north: 5, speed: 0.2))
        // 21 of weight 1/144 at 9 m and 40 of weight 1/16 at 0: 21/144·9/(21/144 + 40/16) = 0.496 m.
        let north = trace.fix(0).metres(to: held)
        #expect(abs(north - 0.496) < 0.3)
        #expect(held.horizontalAccuracy == 4)
        #expect(held.speed == 0)
        #expect(held.course == -1)
    }

    @Test func `One outlier with a good accuracy does not end the rest, a second one in a row does`() {
        let trace = Trace()
        var detector = StationaryDetector()
        for second in 0...60 { _ = detector.update(trace.fix(Double(second))) }
        #expect(detector.isStationary)
        #expect(detector.update(trace.fix(61, north: 200, accuracy: 2)) == nil)
        #expect(detector.update(trace.fix(62)) == nil)
        #expect(detector.isStationary)
        #expect(detector.update(trace.fix(63, north: 200, accuracy: 2)) == nil)
        #expect(detector.update(trace.fix(64, north: 201, accuracy: 2)) == .started)
        #expect(!detector.isStationary)
    }

    @Test func `Driving off ends the rest with the first fix that says so`() {
        let trace = Trace()
        var detector = StationaryDetector()
        for second in 0...60 { _ = detector.update(trace.fix(Double(second))) }
        #expect(detector.update(trace.fix(63, north: 30, speed: 10)) == .started)
    }

    @Test(arguments: [0.5, 1.4, 14]) func `A slow walk is no rest`(speed: Double) {
        let trace = Trace()
        var silent = StationaryDetector()
        var speaking = StationaryDetector()
        for second in 0...300 {
            let north = speed * Double(second)
            #expect(silent.update(trace.fix(Double(second), north: north)) == nil)
            #expect(speaking.update(trace.fix(Double(second), north: north, speed: speed)) == nil)
        }
    }

    @Test func `The distance of a walk and of a drive is right to 5 per cent`() {
        let trace = Trace()
        for speed in [1.4, 14.0] {
            var meter = DistanceMeter()
            for second in 0...600 {
                meter.update(
                    trace.fix(Double(second), north: speed * Double(second), speed: speed), isStationary: false)
            }
            #expect(abs(meter.metres / (600 * speed) - 1) < 0.05)
        }
    }
}
