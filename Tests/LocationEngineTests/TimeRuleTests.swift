import LocateMeModel
import LocationEngine
import Testing

/// Cases named `bug …` are re-created from public bug reports; the id is the report's subject.
@Suite struct TimeRuleTests {
    private static func micro(_ text: String) -> Int64 { UTCDate(iso8601: text)?.realMicroseconds ?? .min }
    private static let now = micro("2026-06-12T10:00:00Z")

    private static func clock(_ real: Int64, boot: Int64, synchronized: Bool = true) -> ClockReading {
        ClockReading(realMicroseconds: real, bootMicroseconds: boot, isSynchronized: synchronized)
    }

    private static func pipeline() -> SourcePipeline {
        SourcePipeline(parameters: .init(earliestClock: micro("2015-01-01T00:00:00Z")))
    }

    private static func fix(_ real: Int64, boot: Int64, accuracy: Double = 8, source: String = "nmea") -> Fix {
        var fix = Fix(
            realMicroseconds: real, bootMicroseconds: boot, latitude: 47.4211, longitude: 10.9853,
            horizontalAccuracy: accuracy)
        fix.source = source
        return fix
    }

    /// What comes through of fixes given at real and boot seconds from `now`.
    private func through(
        _ pipeline: inout SourcePipeline, _ moments: [(real: Double, boot: Double)], clockAhead: Double = 0
    ) -> [Fix] {
        var result: [Fix] = []
        for moment in moments {
            let boot = 100_000_000 + Int64(moment.boot * 1e6)
            let clock = Self.clock(Self.now + Int64((moment.boot + clockAhead) * 1e6), boot: boot)
            _ = pipeline.take(Self.fix(Self.now + Int64(moment.real * 1e6), boot: boot), at: clock) {
                result.append($0)
            }
        }
        return result
    }

    @Test func `bug first-fix-from-yesterday: a fix that the source had kept is not the place of now`() {
        var pipeline = Self.pipeline()
        var arbiter = PlaceArbiter(sources: 1)
        var stream = LocationStream()
        var delivered: [Fix] = []
        for (boot, age, accuracy) in [(2.0, 61_000.0, 12.0), (6, 0, 25)] {
            let bootMicroseconds = Int64(boot * 1e6)
            let real = Self.now + bootMicroseconds
            _ = pipeline.take(
                Self.fix(real - Int64(age * 1e6), boot: bootMicroseconds, accuracy: accuracy),
                at: Self.clock(real, boot: bootMicroseconds)
            ) { fix in
                if let place = arbiter.take(fix, from: 0, now: bootMicroseconds) {
                    _ = stream.take(place, settings: LocationSettings(), now: bootMicroseconds) { delivered.append($0) }
                } else {
                    let known = arbiter.lastKnown(maximumAge: 0, now: bootMicroseconds)
                    #expect(known?.flags.contains(.cached) == true)
                    #expect(known?.realMicroseconds == real - Int64(age * 1e6))
                    #expect(arbiter.lastKnown(maximumAge: 30_000_000, now: bootMicroseconds) == nil)
                }
            }
        }
        #expect(delivered.map(\.horizontalAccuracy) == [25])
    }

    @Test func `A receiver whose clock is always late by the same hour is believed from its third fix on`() {
        var pipeline = Self.pipeline()
        let fixes = through(&pipeline, (0..<5).map { (Double($0) - 3600, Double($0)) })
        #expect(fixes.map { $0.flags.contains(.cached) } == [true, true, false, false, false])
        #expect(fixes.last?.bootMicroseconds == 104_000_000)
        #expect(fixes.last?.flags.contains(.clockUnsure) == true)
    }

    @Test func `bug stale-clock-beats-network: fixes with a date 19.6 years ago follow those of the network`() {
        var network = Self.pipeline()
        var receiver = Self.pipeline()
        var delivered: [Fix] = []
        var stream = LocationStream()
        func take(_ fix: Fix, _ pipeline: inout SourcePipeline) {
            let clock = Self.clock(Self.now + fix.bootMicroseconds - 100_000_000, boot: fix.bootMicroseconds)
            _ = pipeline.take(fix, at: clock) { valid in
                _ = stream.take(valid, settings: LocationSettings(), now: fix.bootMicroseconds) { delivered.append($0) }
            }
        }
        take(Self.fix(Self.now, boot: 100_000_000, accuracy: 20, source: "wifi"), &network)
        take(Self.fix(Self.micro("2006-10-27T10:00:05Z"), boot: 105_000_000, accuracy: 4), &receiver)
        take(Self.fix(Self.micro("2006-10-27T10:00:06Z"), boot: 106_000_000, accuracy: 4), &receiver)
        #expect(
            delivered.map(\.realMicroseconds) == [
                Self.now, Self.micro("2026-06-12T10:00:05Z"), Self.micro("2026-06-12T10:00:06Z"),
            ])
        #expect(delivered.dropFirst().allSatisfy { $0.flags.contains(.timeRepaired) })
    }

    @Test(arguments: [
        ("2007-01-13T09:20:00Z", "2026-08-29T09:20:03Z", "2026-08-29T09:20:00Z", true),
        ("2002-11-18T23:30:00Z", "2022-07-04T23:30:02Z", "2022-07-04T23:30:00Z", true),
        ("2000-03-19T10:00:00Z", "2019-11-03T10:00:01Z", "2019-11-03T10:00:00Z", true),
        ("2001-02-06T16:00:00Z", "2020-09-22T16:00:05Z", "2020-09-22T16:00:00Z", true),
        ("1987-05-30T09:20:00Z", "2026-08-29T09:20:01Z", "2026-08-29T09:20:00Z", true),
        ("2026-08-29T09:20:00Z", "2026-08-29T09:20:00Z", "2026-08-29T09:20:00Z", false),
        // Bar 7: the first rollover in the receivers' own counting.
        ("1999-08-21T12:00:00Z", "2019-04-06T12:00:01Z", "2019-04-06T12:00:00Z", true),
    ])
    func `bug rollover-dates, bar 7: dates move by whole rollovers of 7168 days`(
        received: String, clock: String, delivered: String, isRepaired: Bool
    ) {
        var pipeline = Self.pipeline()
        var result: [Fix] = []
        _ = pipeline.take(
            Self.fix(Self.micro(received), boot: 100_000_000), at: Self.clock(Self.micro(clock), boot: 100_000_000)
        ) { result.append($0) }
        #expect(result.map(\.realMicroseconds) == [Self.micro(delivered)])
        #expect(result.first?.flags.contains(.timeRepaired) == isRepaired)
        #expect(result.first?.bootMicroseconds == 100_000_000)
    }

    @Test func `bug backward-time-in-source: one step back neither goes out as such nor stops the source`() {
        var pipeline = Self.pipeline()
        let fixes = through(&pipeline, [(1, 1), (2, 2), (-2, 3), (3, 4)])
        #expect(fixes.count == 4)
        #expect(fixes.map(\.realMicroseconds).sorted() == fixes.map(\.realMicroseconds))
        #expect(fixes.last?.realMicroseconds == Self.now + 3_000_000)
    }

    @Test func `bug leap-second: 23:59:60 is delivered, and nothing goes back`() {
        // As an NMEA parser hands it over: 60.00 is the same Unix time as the second after it.
        let midnight = Self.micro("2017-01-01T00:00:00Z")
        var pipeline = Self.pipeline()
        var stream = LocationStream()
        var delivered: [Fix] = []
        for (index, real) in [midnight - 1_000_000, midnight, midnight].enumerated() {
            let boot = 100_000_000 + Int64(index) * 1_000_000
            _ = pipeline.take(
                Self.fix(real, boot: boot), at: Self.clock(midnight + Int64(index - 1) * 1_000_000, boot: boot)
            ) { fix in
                _ = stream.take(fix, settings: LocationSettings(), now: boot) { delivered.append($0) }
            }
        }
        #expect(delivered.map(\.realMicroseconds) == [midnight - 1_000_000, midnight, midnight])
    }

    @Test func `A receiver that learns of 18 leap seconds goes on, at a standstill of its time`() {
        var pipeline = Self.pipeline()
        let fixes = through(&pipeline, [(1, 1), (2, 2)] + (3..<23).map { (Double($0) - 18, Double($0)) })
        // The first alone might be one that the receiver had kept.
        #expect(fixes.count == 21)
        #expect(!fixes.contains { $0.flags.contains(.cached) })
        #expect(fixes.map(\.realMicroseconds).sorted() == fixes.map(\.realMicroseconds))
        #expect(fixes[10].realMicroseconds == Self.now + 2_000_000)
    }

    @Test(arguments: [11.0, 20, 29, 31, 600, 86_400])
    func `A fix from before what is known already is no place of now, whatever its distance`(age: Double) {
        var pipeline = Self.pipeline()
        var arbiter = PlaceArbiter(sources: 1)
        var stream = LocationStream()
        var settings = LocationSettings()
        settings.distanceFilter = 100
        var delivered: [Fix] = []
        for (second, lag, latitude) in [(1.0, 0.0, 47.0), (2, 0, 47.0), (3, age, 47.01), (4, 0, 47.0), (5, 0, 47.0)] {
            let boot = 100_000_000 + Int64(second * 1e6)
            var fix = Self.fix(Self.now + Int64((second - lag) * 1e6), boot: boot)
            fix.latitude = latitude
            _ = pipeline.take(fix, at: Self.clock(Self.now + Int64(second * 1e6), boot: boot)) { fix in
                #expect(!fix.flags.contains(.cached))
                guard let place = arbiter.take(fix, from: 0, now: boot) else { return }
                _ = stream.take(place, settings: settings, now: boot) { delivered.append($0) }
            }
        }
        #expect(delivered.map(\.latitude) == [47])
        #expect(arbiter.lastKnown(maximumAge: 0, now: 105_000_000)?.latitude == 47)
    }

    @Test func `Bar 7: 3 s ahead is dropped, 1 s ahead is kept, X15: no age of the future counts as young`() {
        var pipeline = Self.pipeline()
        #expect(through(&pipeline, [(1, 0)]).count == 1)
        pipeline = Self.pipeline()
        #expect(through(&pipeline, [(3, 0)]).isEmpty)
    }

    @Test func `Bar 7: a clock set back by an hour makes no old fix young`() {
        var pipeline = Self.pipeline()
        var arbiter = PlaceArbiter(sources: 1)
        let fix = through(&pipeline, [(0, 0)])[0]
        _ = arbiter.take(fix, from: 0, now: fix.bootMicroseconds)
        // 40 s later by the boot clock; what the real clock says plays no part.
        let later = fix.bootMicroseconds + 40_000_000
        #expect(arbiter.lastKnown(maximumAge: 30_000_000, now: later) == nil)
        #expect(arbiter.lastKnown(maximumAge: 50_000_000, now: later)?.flags.contains(.cached) == true)
        #expect(arbiter.current(now: later) == nil)
    }

    @Test func `bug duplicate-events, bar 4: stream, one-shot and second sentence of one moment are one fix`() {
        var pipeline = Self.pipeline()
        var stream = LocationStream()
        var delivered: [Fix] = []
        for (real, boot) in [(0.0, 0.0), (0, 0.4), (0.020, 0.45), (1, 1)] {
            let bootMicroseconds = 100_000_000 + Int64(boot * 1e6)
            let fix = Self.fix(Self.now + Int64(real * 1e6), boot: bootMicroseconds)
            _ = pipeline.take(fix, at: Self.clock(Self.now + Int64(boot * 1e6), boot: bootMicroseconds)) { valid in
                _ = stream.take(valid, settings: LocationSettings(), now: bootMicroseconds) { delivered.append($0) }
            }
        }
        #expect(delivered.map(\.sequence) == [1, 2])
        #expect(delivered.map(\.realMicroseconds) == [Self.now, Self.now + 1_000_000])
    }

    @Test(arguments: [
        ("bug tpv-missing-members, first: no accuracy is the source's floor", 0.0, 3.0),
        ("bug accuracy-zero-and-negative: 900 m stay 900 m", 900, 900),
    ])
    func `Accuracies as published`(_ case: (String, Double, Double)) {
        var pipeline = Self.pipeline()
        var result: [Fix] = []
        _ = pipeline.take(
            Self.fix(Self.now, boot: 100_000_000, accuracy: `case`.1), at: Self.clock(Self.now, boot: 100_000_000)
        ) { result.append($0) }
        #expect(result.first?.horizontalAccuracy == `case`.2)
        #expect(result.first?.speed == -1)
    }

    @Test func `bug tpv-missing-members, second: no time is the time of arrival, said to be unsure, never 1970`() {
        var pipeline = Self.pipeline()
        var result: [Fix] = []
        _ = pipeline.take(Self.fix(0, boot: 100_000_000), at: Self.clock(Self.now, boot: 100_000_000)) {
            result.append($0)
        }
        #expect(result.first?.realMicroseconds == Self.now)
        #expect(result.first?.flags.contains(.clockUnsure) == true)
    }

    @Test func `Bar 8, T50, Z2, Z3: void zeros never, a buoy at zero, Greenwich and the equator always`() {
        func count(_ latitude: Double, _ longitude: Double, _ change: (inout Fix) -> Void = { _ in }) -> Int {
            var pipeline = Self.pipeline()
            var fix = Self.fix(Self.now, boot: 100_000_000)
            (fix.latitude, fix.longitude) = (latitude, longitude)
            change(&fix)
            var number = 0
            _ = pipeline.take(fix, at: Self.clock(Self.now, boot: 100_000_000)) { _ in number += 1 }
            return number
        }
        #expect(count(0, 0) == 0)
        #expect(count(0, 0) { $0.correction = .differential } == 1)
        #expect(count(51.5, 0) == 1)
        #expect(count(0, 32.6) == 1)
        #expect(count(-33.9, 18.4) == 1)
        #expect(count(-22.9, -43.2) == 1)
    }

    @Test func `T11, T12: a restored place keeps its time and grows with its age`() {
        var arbiter = PlaceArbiter(sources: 1)
        arbiter.restore(Self.fix(Self.now - 3_600_000_000, boot: -3_500_000_000, accuracy: 10))
        #expect(arbiter.current(now: 100_000_000) == nil)
        let known = arbiter.lastKnown(maximumAge: 0, now: 100_000_000)
        #expect(known?.realMicroseconds == Self.now - 3_600_000_000)
        #expect(known?.flags.contains(.cached) == true)
        #expect(known.map { abs($0.horizontalAccuracy - 3610) < 1e-6 } == true)
    }

    @Test func `The arbiter gives its reason`() {
        var arbiter = PlaceArbiter(sources: 3)
        var home = Self.fix(Self.now, boot: 0, accuracy: 3, source: "static")
        home.flags = .fixed
        _ = arbiter.take(home, from: 2, now: 0)
        #expect(arbiter.choice(now: 0)?.reason == .noReceiver)
        _ = arbiter.take(Self.fix(Self.now, boot: 0, accuracy: 20), from: 0, now: 0)
        #expect(arbiter.choice(now: 0)?.reason == .agrees)
        var far = Self.fix(Self.now, boot: 0, accuracy: 8)
        far.latitude = 48
        _ = arbiter.take(far, from: 1, now: 0)
        #expect(arbiter.choice(now: 0)?.reason == .disagrees)
        arbiter.lose(0)
        arbiter.forget(2)
        #expect(arbiter.choice(now: 0)?.reason == .onlyFresh)
    }
}
