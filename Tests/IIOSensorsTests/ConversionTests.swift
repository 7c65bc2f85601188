import EventLoop
import Geometry
import Testing

@testable import IIOSensors

@Suite("Hub heading scale")
struct HubHeadingScaleTests {
    @Test(
        "tenths of a degree are recognised whatever the scale says",
        arguments: [0.000001, 1.0, nil] as [Double?])
    func tenths(scale: Double?) {
        // hadess/iio-sensor-proxy PR 15 (ThinkPad Twist): raw 2716… is 271.6°…
        var hub = HubHeadingScale(scale: scale)
        let degrees = [2716.0, 2719, 2731, 2744].map { hub.degrees($0) }
        for (value, expected) in zip(degrees, [271.6, 271.9, 273.1, 274.4]) {
            #expect(abs((value ?? .nan) - expected) < 1e-9)
        }
    }

    @Test("whole degrees stay whole degrees")
    func wholeDegrees() {
        var hub = HubHeadingScale(scale: 1)
        #expect(hub.degrees(271) == 271)
        #expect(hub.degrees(360) == 0)
        #expect(hub.degrees(0) == 0)
    }

    @Test("a true scale is used as it is")
    func trueScale() {
        var hub = HubHeadingScale(scale: 0.1)
        #expect(hub.degrees(300) == 30)
    }

    @Test("what is no heading in any unit is none", arguments: [-12.0, -1, 40000, .nan, .infinity])
    func nonsense(counts: Double) {
        var hub = HubHeadingScale(scale: 1)
        #expect(hub.degrees(counts) == nil)
        #expect(hub.degreesPerCount == 1)
    }
}

@Suite("Timestamps")
struct TimestampMapperTests {
    @Test("boot time is taken as it is, other clocks of this machine are shifted")
    func ownClocks() {
        var boot = TimestampMapper(clock: .boot)
        #expect(boot.bootMicroseconds(stamp: 1_000_000, arrival: 1_003_000) == 1_000_000)
        var shifted = TimestampMapper(clock: .shifted)
        #expect(shifted.bootMicroseconds(stamp: 400_000, arrival: 1_003_000, shift: 600_000) == 1_000_000)
    }

    @Test(
        "a stamp that cannot be gives way to the arrival",
        arguments: [5_000_000, 1, -7, Int64.min, Int64.max] as [Int64])
    func impossibleStamps(stamp: Int64) {
        var mapper = TimestampMapper(clock: .boot)
        #expect(mapper.bootMicroseconds(stamp: stamp, arrival: 4_000_000) == 4_000_000)
    }

    @Test("scans from before the capture are left over, until the first that is not, or too many of them")
    func leftOvers() {
        func judged(
            _ clock: TimestampMapper.Clock, _ stamps: [Int64?], shift: Int64 = 0
        ) -> [Bool] {
            var mapper = TimestampMapper(clock: clock, captureStart: 10_000_000)
            return stamps.map { mapper.isLeftOver(stamp: $0, shift: shift) }
        }
        // A clock that jumps back later is no reason to lose samples.
        #expect(
            judged(.shifted, [3_900_000, 3_999_999, 4_000_000, 3_000_000], shift: 6_000_000)
                == [true, true, false, false])
        // A device whose clock is wrong is believed in the end.
        #expect(judged(.boot, (0..<100).map { 5 + $0 }).filter { $0 }.count == 64)
        // Other machines' clocks, and scans without a stamp, cannot be judged.
        #expect(judged(.foreign, [5]) == [false])
        #expect(judged(.boot, [nil]) == [false])
    }

    @Test("time never stands still or goes back")
    func monotone() {
        var mapper = TimestampMapper(clock: .boot)
        #expect(mapper.bootMicroseconds(stamp: 1000, arrival: 2000) == 1000)
        #expect(mapper.bootMicroseconds(stamp: 900, arrival: 2100) == 1001)
        #expect(mapper.bootMicroseconds(stamp: nil, arrival: 2100) == 2100)
        #expect(mapper.bootMicroseconds(stamp: nil, arrival: 2100) == 2101)
    }

    @Test("another machine's clock is aligned by the least delay, so jitter of the network does not show")
    func foreignClock() {
        var mapper = TimestampMapper(clock: .foreign)
        let ahead: Int64 = 987_654_321_000
        var results: [Int64] = []
        for index in 0..<100 {
            let taken = Int64(1_000_000 + index * 10_000)
            let delay: Int64 = index == 0 ? 1000 : 1000 + Int64((index * 7919) % 30_000)
            results.append(mapper.bootMicroseconds(stamp: taken + ahead, arrival: taken + delay))
        }
        for (first, second) in zip(results, results.dropFirst()) {
            // 100 ppm of slack let go per sample is 1 µs here.
            #expect(abs(second - first - 10_000) <= 2)
        }
    }

    @Test("a foreign clock that is set is aligned anew")
    func foreignClockIsSet() {
        var mapper = TimestampMapper(clock: .foreign)
        #expect(mapper.bootMicroseconds(stamp: 5_000_000, arrival: 1_000_000) == 1_000_000)
        #expect(mapper.bootMicroseconds(stamp: 3_605_010_000, arrival: 1_010_000) == 1_010_000)
        // 10 ms later by its clock, plus the 1 µs that is let go in that time.
        #expect(mapper.bootMicroseconds(stamp: 3_605_020_000, arrival: 1_021_000) == 1_020_001)
    }
}

@Suite("Sample transform")
struct SampleTransformTests {
    @Test("offset, scale per axis and matrix apply in that order")
    func order() {
        // (2+1)·10, (3+1)·20, (4+1)·30 = 30, 80, 150; the matrix turns x to y, y to −x.
        let transform = SampleTransform(
            offset: Vector3(1, 1, 1), scale: Vector3(10, 20, 30),
            matrix: Matrix3(Vector3(0, -1, 0), Vector3(1, 0, 0), Vector3(0, 0, 1)))
        #expect(transform.apply(Vector3(2, 3, 4)) == Vector3(-80, 30, 150))
    }

    /// adafruit/Adafruit_Learning_System_Guides#2448.
    @Test("raw-taken-as-microtesla: counts times gauss a count times a hundred")
    func microtesla() {
        let scale = 0.000146 * 100
        let transform = SampleTransform(
            offset: .zero, scale: Vector3(scale, scale, scale), matrix: .identity)
        let field = transform.apply(Vector3(1292, -2210, 3105))
        #expect((field - Vector3(18.9, -32.3, 45.3)).length < 0.1)
        #expect(abs(field.length - 58.8) < 0.1)
    }
}

@Suite("Read faults")
struct ReadFaultsTests {
    @Test(
        "a value out of range is a magnet, not a fault, and is over with the next good one",
        arguments: [22, 34, 75] as [Int32])
    func overflow(code: Int32) {
        var faults = ReadFaults()
        #expect(faults.failed(Errno(rawValue: code), at: 0) == .overflow)
        #expect(faults.failed(Errno(rawValue: code), at: 60_000_000) == .overflow)
        let isOver = faults.succeeded()
        #expect(isOver)
        let isOverAgain = faults.succeeded()
        #expect(!isOverAgain)
    }

    @Test("a device that is gone is given up at once", arguments: [19, 2, 6, 32, 104] as [Int32])
    func gone(code: Int32) {
        var faults = ReadFaults()
        #expect(faults.failed(Errno(rawValue: code), at: 0) == .gone)
    }

    @Test("other errors are tried again for a second", arguments: [5, 16, 110, 74, 13] as [Int32])
    func patience(code: Int32) {
        var faults = ReadFaults()
        #expect(faults.failed(Errno(rawValue: code), at: 10) == .retry)
        #expect(faults.failed(Errno(rawValue: code), at: 999_999) == .retry)
        #expect(faults.failed(Errno(rawValue: code), at: 1_000_010) == .giveUp)
        _ = faults.succeeded()
        #expect(faults.failed(Errno(rawValue: code), at: 9_000_000) == .retry)
    }
}

@Suite("Polling pace")
struct PollingPaceTests {
    @Test("a chip that takes 40 ms a round is said to give 25 Hz, once")
    func slowChip() {
        var pace = PollingPace(hertz: 100)
        let rates = (0...200).compactMap { pace.round(atMonotonicMicroseconds: Int64($0) * 40_000) }
        #expect(rates == [25])
    }

    @Test("a pace as announced says nothing")
    func steady() {
        var pace = PollingPace(hertz: 50)
        let rates = (0...500).compactMap { pace.round(atMonotonicMicroseconds: Int64($0) * 21_000) }
        #expect(rates.isEmpty)
    }
}
