import LocateMeModel
import LocationEngine
import Testing

/// Cases named `bug-…` are re-created from public bug reports of other location software; the id is the report's
/// subject.
@Suite struct FixValidatorTests {
    /// 2026-06-12T09:00:00Z (GNU date: 1781254800).
    static let now: Int64 = 1_781_254_800_000_000
    static let second: Int64 = 1_000_000

    static func clock(_ real: Int64 = now, boot: Int64 = 100_000_000, synchronized: Bool = true) -> ClockReading {
        ClockReading(realMicroseconds: real, bootMicroseconds: boot, isSynchronized: synchronized)
    }

    static func validator() -> FixValidator {
        FixValidator(parameters: .init(earliestClock: micro("2015-01-01T00:00:00Z")))
    }

    static func micro(_ text: String) -> Int64 { UTCDate(iso8601: text)?.realMicroseconds ?? .min }

    static func fix(
        _ latitude: Double = 47.4211, _ longitude: Double = 10.9853, accuracy: Double = 8, real: Int64 = now,
        boot: Int64 = 99_900_000
    ) -> Fix {
        var fix = Fix(
            realMicroseconds: real, bootMicroseconds: boot, latitude: latitude, longitude: longitude,
            horizontalAccuracy: accuracy)
        fix.source = "gpsd"
        return fix
    }

    private func verdict(_ fix: Fix, _ clock: ClockReading = clock()) -> FixValidator.Verdict {
        var validator = Self.validator()
        return validator.validate(fix, at: clock)
    }

    // MARK: - Place

    @Test(arguments: [
        (47.0, 8.0, 8.0), (90, 0.5, 0.5), (-90, 0.5, 0.5), (51.5, 0, 0), (0, 32.6, 32.6), (10, 180, -180),
        (10, -180, -180), (10, 190, -170), (10, -181, 179), (89.99998, 179.99998, 179.99998), (10, 359, -1),
        (0, -0.001, -0.001),
    ])
    func placesOnEarthAreAcceptedAndLongitudesWrapped(latitude: Double, longitude: Double, published: Double) throws {
        let fix = try #require(verdict(Self.fix(latitude, longitude)).fix)
        #expect(fix.latitude == latitude)
        #expect(abs(fix.longitude - published) < 1e-9)
    }

    @Test(arguments: [
        (90.000001, 0.0), (-91, 0), (.nan, 0), (.infinity, 8), (47, .nan), (47, -.infinity), (1e308, 1),
    ])
    func `C10: places that are none are dropped`(latitude: Double, longitude: Double) {
        #expect(verdict(Self.fix(latitude, longitude)) == .dropped(.placeInvalid))
    }

    @Test func zeroZeroIsBelievedOnlyOfASubstantialFix() {
        #expect(verdict(Self.fix(0, 0)) == .dropped(.placeZero))
        #expect(verdict(Self.fix(-0.0, 0)) == .dropped(.placeZero))
        // A buoy with differential corrections, or a fix with an altitude.
        var buoy = Self.fix(0, 0, accuracy: 2)
        buoy.correction = .differential
        #expect(verdict(buoy).fix != nil)
        var threeDimensional = Self.fix(0, 0, accuracy: 100)
        threeDimensional.altitude = 3
        threeDimensional.verticalAccuracy = 0
        #expect(verdict(threeDimensional).fix != nil)
        threeDimensional.horizontalAccuracy = 100.1
        #expect(verdict(threeDimensional) == .dropped(.placeZero))
        threeDimensional.horizontalAccuracy = 0
        #expect(verdict(threeDimensional) == .dropped(.placeZero))
    }

    /// bug-accuracy-zero-and-negative
    @Test(arguments: [
        (0.0, FixValidator.DropReason?.none, 3.0), (-1, .accuracyInvalid, 0), (.nan, .accuracyInvalid, 0),
        (.infinity, .accuracyInvalid, 0), (1e9, .accuracyAbsurd, 0), (900, nil, 900), (0.01, nil, 3),
        (20_000_000, nil, 20_000_000),
    ])
    func `P11: accuracies are judged`(accuracy: Double, drop: FixValidator.DropReason?, published: Double) {
        switch verdict(Self.fix(accuracy: accuracy)) {
        case .accepted(let fix):
            #expect(drop == nil)
            #expect(fix.horizontalAccuracy == published)
        case .dropped(let reason): #expect(reason == drop)
        }
    }

    @Test func centimetresAreBelievedOfCarrierPhaseAndOfConfiguredPlaces() {
        var survey = Self.fix(accuracy: 0.01)
        survey.correction = .realTimeKinematic
        #expect(verdict(survey).fix?.horizontalAccuracy == 0.01)
        var configured = Self.fix(accuracy: 0.05)
        configured.flags = .fixed
        #expect(verdict(configured).fix?.horizontalAccuracy == 0.05)
    }

    @Test(arguments: [("gpsd", 3.0), ("nmea", 3), ("wifi", 20), ("cell", 1000), ("ip", 5000)])
    func anUnknownAccuracyIsTheSourcesFloor(source: String, floor: Double) {
        var fix = Self.fix(accuracy: 0)
        fix.source = source
        #expect(verdict(fix).fix?.horizontalAccuracy == floor)
    }

    // MARK: - Members

    @Test func `P11, T14: members that make no sense are invalid, each for itself`() throws {
        var fix = Self.fix()
        fix.altitude = .nan
        fix.ellipsoidalAltitude = .nan
        fix.verticalAccuracy = 5
        fix.speed = -3
        fix.speedAccuracy = 0.5
        fix.course = 400
        fix.courseAccuracy = 2
        let clean = try #require(verdict(fix).fix)
        #expect(
            [clean.verticalAccuracy, clean.speed, clean.speedAccuracy, clean.course, clean.courseAccuracy] == [
                -1, -1, -1, -1, -1,
            ])
        #expect(clean.latitude == fix.latitude)
        for bad in [Double.nan, .infinity, -.infinity, 1e9] {
            fix.speed = bad
            fix.course = bad
            #expect(verdict(fix).fix?.speed == -1)
            #expect(verdict(fix).fix?.course == -1)
        }
    }

    /// Deepest trench 10.9 km, Dead Sea shore −430 m, airliner 12 km, geostationary 35,786 km.
    @Test func heightsThatAreNeitherOnNorNearTheEarthAreUnknown() throws {
        var fix = Self.fix()
        fix.verticalAccuracy = 5
        for height in [-10_900.0, -430, 0, 12_000, 35_786_000] {
            (fix.altitude, fix.ellipsoidalAltitude) = (height, height)
            let clean = try #require(verdict(fix).fix)
            #expect(clean.altitude == height && clean.ellipsoidalAltitude == height && clean.verticalAccuracy == 5)
        }
        for height in [-20_000.0, 1e9, -1e9, .infinity] {
            (fix.altitude, fix.ellipsoidalAltitude) = (height, height)
            let clean = try #require(verdict(fix).fix)
            #expect(clean.altitude.isNaN && clean.ellipsoidalAltitude.isNaN && clean.verticalAccuracy == -1)
            #expect(clean.latitude == fix.latitude)
        }
    }

    @Test func oneHeightIsEnoughAndItsUnknownAccuracyFollowsTheHorizontalOne() throws {
        var fix = Self.fix(accuracy: 8)
        fix.altitude = .nan
        fix.ellipsoidalAltitude = 700
        fix.verticalAccuracy = 0
        let clean = try #require(verdict(fix).fix)
        #expect(clean.verticalAccuracy == 12)
        #expect(clean.ellipsoidalAltitude == 700)
        fix.verticalAccuracy = .nan
        #expect(verdict(fix).fix?.verticalAccuracy == -1)
    }

    /// bug-vtg-and-standing-course: below 0.5 m/s a course is noise; 0 is a value of both speed and course.
    @Test(arguments: [
        (0.0, 90.0, 0.0, -1.0), (0.4, 310, 0.4, -1), (0.5, 310, 0.5, 310), (3, 0, 3, 0), (3, 360, 3, 0),
        (-1, 45, -1, 45),
        (3, -1, 3, -1),
    ])
    func aCourseNeedsASpeed(speed: Double, course: Double, speedAfter: Double, courseAfter: Double) {
        var fix = Self.fix()
        fix.speed = speed
        fix.course = course
        fix.courseAccuracy = 3
        let clean = verdict(fix).fix
        #expect(clean?.speed == speedAfter)
        #expect(clean?.course == courseAfter)
        #expect(clean?.courseAccuracy == (courseAfter < 0 ? -1 : 3))
    }

    /// bug-speed-missing-is-not-zero
    @Test func aMissingSpeedStaysMissing() {
        #expect(verdict(Self.fix()).fix?.speed == -1)
    }

    // MARK: - Time

    /// bug-rollover-dates: whole multiples of 7168 days, in UTC.
    @Test(arguments: [
        ("2007-01-13T09:20:00Z", "2026-08-29T09:20:03Z", "2026-08-29T09:20:00Z", true),
        ("2002-11-18T23:30:00Z", "2022-07-04T23:30:02Z", "2022-07-04T23:30:00Z", true),
        ("2000-03-19T10:00:00Z", "2019-11-03T10:00:01Z", "2019-11-03T10:00:00Z", true),
        ("2001-02-06T16:00:00Z", "2020-09-22T16:00:05Z", "2020-09-22T16:00:00Z", true),
        ("1987-05-30T09:20:00Z", "2026-08-29T09:20:01Z", "2026-08-29T09:20:00Z", true),
        ("2026-08-29T09:20:00Z", "2026-08-29T09:20:00Z", "2026-08-29T09:20:00Z", false),
    ])
    func datesThatAreOffByRolloversAreRepaired(received: String, clock: String, delivered: String, isRepaired: Bool)
        throws
    {
        let fix = try #require(verdict(Self.fix(real: Self.micro(received)), Self.clock(Self.micro(clock))).fix)
        #expect(fix.realMicroseconds == Self.micro(delivered))
        #expect(fix.flags.contains(.timeRepaired) == isRepaired)
        #expect(!fix.flags.contains(.clockUnsure))
    }

    /// A machine without a battery-backed clock starts in 1970; the date of the build is then the better guess.
    @Test func aClockBeforeTheBuildDateIsNotBelieved() throws {
        var validator = FixValidator(parameters: .init(earliestClock: Self.micro("2026-01-01T00:00:00Z")))
        let clock = Self.clock(5_000_000, synchronized: true)
        let right = try #require(validator.validate(Self.fix(real: Self.micro("2026-06-12T09:00:00Z")), at: clock).fix)
        #expect(right.realMicroseconds == Self.micro("2026-06-12T09:00:00Z"))
        #expect(right.flags == [.clockUnsure])
        var other = FixValidator(parameters: .init(earliestClock: Self.micro("2026-01-01T00:00:00Z")))
        let stale = try #require(other.validate(Self.fix(real: Self.micro("2006-10-27T09:00:00Z")), at: clock).fix)
        #expect(stale.realMicroseconds == Self.micro("2026-06-12T09:00:00Z"))
        #expect(stale.flags == [.clockUnsure, .timeRepaired])
    }

    @Test(arguments: [(1, true), (2, true), (3, false), (3600, false)] as [(Int64, Bool)])
    func aTimeAheadOfASynchronisedClockIsDropped(seconds: Int64, isAccepted: Bool) {
        let fix = Self.fix(real: Self.now + seconds * Self.second)
        #expect((verdict(fix).fix != nil) == isAccepted)
        if !isAccepted { #expect(verdict(fix) == .dropped(.timeInFuture)) }
        let unsure = verdict(fix, Self.clock(synchronized: false)).fix
        #expect(unsure?.flags.contains(.clockUnsure) == !isAccepted)
        #expect(unsure?.realMicroseconds == fix.realMicroseconds)
    }

    /// A date of 2014 is more than 512 weeks behind 2026, and moves to 2033, which is the future.
    @Test func aRepairedDateCanItselfLieInTheFuture() {
        #expect(verdict(Self.fix(real: Self.micro("2014-05-01T00:00:00Z"))) == .dropped(.timeInFuture))
    }

    /// bug-tpv-missing-members: never 1970.
    @Test(arguments: [0, -1, Int64.min])
    func aFixWithoutTimeHasTheClocks(real: Int64) throws {
        let fix = try #require(verdict(Self.fix(real: real)).fix)
        #expect(fix.realMicroseconds == Self.now)
        #expect(fix.flags == [.clockUnsure])
    }

    /// bug-backward-time-in-source: the third is given with the second's time, and the fourth is as if nothing had been.
    @Test func oneStepBackwardDoesNotStopASource() throws {
        var validator = Self.validator()
        var delivered: [Int64] = []
        for (offset, boot) in [(1, 1), (2, 2), (-2, 3), (3, 4)] as [(Int64, Int64)] {
            let clock = Self.clock(Self.now + boot * Self.second, boot: boot * Self.second)
            let fix = Self.fix(real: Self.now + offset * Self.second, boot: boot * Self.second)
            delivered.append(try #require(validator.validate(fix, at: clock).fix).realMicroseconds)
        }
        #expect(delivered == [1, 2, 2, 3].map { Self.now + $0 * Self.second })
    }

    /// bug-leap-second: 23:59:60 is the same POSIX time as the next midnight; no step goes backward.
    @Test func aLeapSecondGivesNoStepBackward() throws {
        var validator = Self.validator()
        var delivered: [Int64] = []
        for (index, text) in ["2016-12-31T23:59:59Z", "2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"].enumerated() {
            let clock = Self.clock(Self.micro("2017-01-01T00:00:01Z"), boot: Int64(index + 1) * Self.second)
            let fix = Self.fix(real: Self.micro(text), boot: Int64(index + 1) * Self.second)
            delivered.append(try #require(validator.validate(fix, at: clock).fix).realMicroseconds)
        }
        #expect(delivered == delivered.sorted())
        #expect(delivered.last == Self.micro("2017-01-01T00:00:00Z"))
    }

    @Test func aSourceWhoseClockWasCorrectedByAnHourIsHeardAgain() {
        var validator = Self.validator()
        var verdicts: [FixValidator.Verdict] = []
        for index in 0..<8 {
            let offset: Int64 = index == 0 ? 0 : -3600 + Int64(index)
            let boot = Int64(index + 1) * Self.second
            verdicts.append(
                validator.validate(
                    Self.fix(real: Self.now + offset * Self.second, boot: boot), at: Self.clock(boot: boot)))
        }
        #expect(verdicts[1...4].allSatisfy { $0 == .dropped(.timeBackward) })
        #expect(verdicts[5...].allSatisfy { $0.fix != nil })
    }

    /// bug-stale-clock-beats-network: a validator for each source, order by boot time.
    @Test func aReceiverWithAStaleDateIsAsGoodAsTheNetwork() throws {
        var network = Self.validator()
        var receiver = Self.validator()
        let start = Self.micro("2026-06-12T10:00:00Z")
        let first = try #require(
            network.validate(
                Self.fix(real: start, boot: 10 * Self.second), at: Self.clock(start, boot: 10 * Self.second)
            ).fix)
        var boots = [first.bootMicroseconds]
        for (text, after) in [("2006-10-27T10:00:05Z", 5), ("2006-10-27T10:00:06Z", 6)] as [(String, Int64)] {
            let clock = Self.clock(start + after * Self.second, boot: (10 + after) * Self.second)
            let fix = Self.fix(real: Self.micro(text), boot: (10 + after) * Self.second)
            let accepted = try #require(receiver.validate(fix, at: clock).fix)
            #expect(accepted.realMicroseconds == start + after * Self.second)
            boots.append(accepted.bootMicroseconds)
        }
        #expect(boots == boots.sorted())
    }

    @Test func bootTimesRiseAndAreNotAheadOfTheClock() throws {
        var validator = Self.validator()
        var boots: [Int64] = []
        for boot in [50, 50, 40, 500, 60] as [Int64] {
            let clock = Self.clock(boot: 100)
            boots.append(try #require(validator.validate(Self.fix(boot: boot), at: clock).fix).bootMicroseconds)
        }
        #expect(boots == [50, 51, 52, 100, 101])
    }

    /// A clock that is a day ahead stood in for unknown times; the source's own times are taken when they come.
    @Test func anUnsureClockDoesNotPushBackTheSourcesTimes() {
        var validator = Self.validator()
        let day = 86_400 * Self.second
        _ = validator.validate(Self.fix(real: 0), at: Self.clock(Self.now + day, synchronized: false))
        let fix = validator.validate(Self.fix(real: Self.now), at: Self.clock(Self.now + day, synchronized: false)).fix
        #expect(fix?.realMicroseconds == Self.now)
    }

    @Test(arguments: [Int64.max, .min, .max - 1, 1])
    func extremeTimesNeitherTrapNorPassUnmarked(real: Int64) {
        for clockReal in [Int64.min, -1, 0, Self.now, .max] {
            for synchronized in [true, false] {
                guard let fix = verdict(Self.fix(real: real), Self.clock(clockReal, synchronized: synchronized)).fix
                else { continue }
                #expect(fix.flags != [])
                #expect(fix.realMicroseconds >= 0)
            }
        }
    }

    // MARK: - Counters

    @Test func dropsAreCountedByReasonAndTheLatestIsKnown() {
        var validator = Self.validator()
        _ = validator.validate(Self.fix(.nan, 0), at: Self.clock())
        _ = validator.validate(Self.fix(0, 0), at: Self.clock())
        _ = validator.validate(Self.fix(.nan, 0), at: Self.clock())
        #expect(validator.drops == [.placeInvalid: 2, .placeZero: 1])
        #expect(validator.latestDrop == .placeInvalid)
        _ = validator.validate(Self.fix(), at: Self.clock())
        #expect(validator.latestDrop == nil)
        #expect(validator.drops == [.placeInvalid: 2, .placeZero: 1])
    }
}
