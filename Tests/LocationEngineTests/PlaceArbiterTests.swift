import LocateMeModel
import LocationEngine
import Testing

func fix(
    _ latitude: Double, _ longitude: Double, accuracy: Double, at seconds: Double, source: String = "gpsd",
    flags: Fix.Flags = []
) -> Fix {
    var fix = Fix(
        realMicroseconds: 1_700_000_000_000_000 + Int64(seconds * 1e6), bootMicroseconds: Int64(seconds * 1e6),
        latitude: latitude, longitude: longitude, horizontalAccuracy: accuracy)
    fix.source = source
    fix.flags = flags
    return fix
}

struct PlaceArbiterTests {
    private let zurich = (latitude: 47.377, longitude: 8.542)

    @Test func `Nothing is known before a fix`() {
        let arbiter = PlaceArbiter(sources: 2)
        #expect(arbiter.current(now: 0) == nil)
        #expect(arbiter.lastKnown(maximumAge: 0, now: 0) == nil)
    }

    @Test func `P4, B12: the more accurate of two live sources is the place`() {
        var arbiter = PlaceArbiter(sources: 2)
        #expect(arbiter.take(fix(47, 8, accuracy: 20, at: 1), from: 0, now: 1_000_000) != nil)
        #expect(arbiter.take(fix(47.0001, 8, accuracy: 5, at: 1.5), from: 1, now: 1_500_000) != nil)
        #expect(arbiter.take(fix(47, 8, accuracy: 20, at: 2), from: 0, now: 2_000_000) == nil)
        #expect(arbiter.current(now: 2_000_000)?.horizontalAccuracy == 5)
    }

    @Test func `A source that has fallen silent makes way after ten seconds`() {
        var arbiter = PlaceArbiter(sources: 2)
        _ = arbiter.take(fix(47, 8, accuracy: 5, at: 0), from: 0, now: 0)
        #expect(arbiter.take(fix(47, 8, accuracy: 50, at: 9), from: 1, now: 9_000_000) == nil)
        #expect(arbiter.take(fix(47, 8, accuracy: 50, at: 11), from: 1, now: 11_000_000) != nil)
    }

    @Test func `A source that says it has no position makes way at once`() {
        var arbiter = PlaceArbiter(sources: 1)
        _ = arbiter.take(fix(47, 8, accuracy: 5, at: 0), from: 0, now: 0)
        arbiter.lose(0)
        #expect(arbiter.current(now: 1) == nil)
        #expect(arbiter.lastKnown(maximumAge: 0, now: 1)?.flags.contains(.cached) == true)
    }

    @Test func `A live fix beats a configured place that it contradicts, however precise that claims to be`() {
        var arbiter = PlaceArbiter(sources: 2)
        let configured = fix(
            zurich.latitude, zurich.longitude, accuracy: 1, at: 0, source: "static", flags: .fixed)
        _ = arbiter.take(configured, from: 0, now: 0)
        #expect(arbiter.current(now: 0)?.flags.contains(.fixed) == true)
        // Bern, 95 km away
        _ = arbiter.take(fix(46.948, 7.447, accuracy: 10, at: 1), from: 1, now: 1_000_000)
        #expect(arbiter.current(now: 1_000_000)?.latitude == 46.948)
        // and the configured one returns when the receiver falls silent
        #expect(arbiter.current(now: 20_000_000)?.latitude == zurich.latitude)
    }

    @Test func `A surveyed place stays if a worse live fix agrees with it`() {
        var arbiter = PlaceArbiter(sources: 2)
        _ = arbiter.take(
            fix(zurich.latitude, zurich.longitude, accuracy: 1, at: 0, source: "static", flags: .fixed), from: 0, now: 0
        )
        // 0.0001° of latitude are 11 m
        _ = arbiter.take(fix(zurich.latitude + 0.0001, zurich.longitude, accuracy: 8, at: 1), from: 1, now: 1_000_000)
        #expect(arbiter.current(now: 1_000_000)?.horizontalAccuracy == 1)
    }

    @Test func `A cached place is given only up to the age that is asked for`() {
        var arbiter = PlaceArbiter(sources: 1)
        _ = arbiter.take(fix(47, 8, accuracy: 5, at: 0), from: 0, now: 0)
        #expect(arbiter.lastKnown(maximumAge: 30_000_000, now: 29_000_000) != nil)
        #expect(arbiter.lastKnown(maximumAge: 30_000_000, now: 31_000_000) == nil)
        #expect(arbiter.lastKnown(maximumAge: 0, now: 86_400_000_000)?.flags.contains(.cached) == true)
    }
}
