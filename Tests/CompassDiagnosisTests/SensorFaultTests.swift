import CompassDiagnosis
import Geometry
import LocateMeModel
import Testing

/// Sensors that answer and do not measure, and times that make no sense.
struct SensorFaultTests {
    private func codes(
        _ samples: [SensorSample], _ context: CompassHealth.Context = CompassHealth.Context(),
        resolution: Double = 0, delay: Int64 = 0
    ) -> [String] {
        var health = CompassHealth()
        health.setResolution(magnetometer: resolution, accelerometer: 0)
        for sample in samples { health.update(sample, arrival: sample.bootMicroseconds + delay) }
        return health.findings(context).map(\.code)
    }

    private func changing(_ change: (SensorSample, Int) -> SensorSample.Reading?) -> [SensorSample] {
        var number = 0
        return Samples.tumble.map { sample in
            var sample = sample
            if let reading = change(sample, number) {
                sample.reading = reading
                number += 1
            }
            return sample
        }
    }

    @Test func `A tumble of a phone that is right has no fault`() { #expect(codes(Samples.tumble) == []) }

    @Test func `A magnetometer that repeats itself while the device turns is dead`() {
        let samples = changing { sample, _ in
            guard case .magneticField = sample.reading else { return nil }
            return .magneticField(Vector3(18, -32, 45))
        }
        #expect(codes(samples) == ["magn-dead"])
    }

    @Test func `A phone that rests repeats itself and is not dead`() {
        var samples: [SensorSample] = []
        for index in 0..<500 {
            let time = Int64(index) * 20_000
            samples.append(SensorSample(bootMicroseconds: time, reading: .acceleration(Vector3(0, 0, 9.80665))))
            samples.append(SensorSample(bootMicroseconds: time, reading: .magneticField(Vector3(18, -32, 45))))
            samples.append(SensorSample(bootMicroseconds: time, reading: .angularRate(Vector3(0.004, 0, 0))))
        }
        #expect(codes(samples) == [])
    }

    @Test func `A gyroscope that shows nothing but zero while the device turns is told`() {
        let samples = changing { sample, _ in
            guard case .angularRate = sample.reading else { return nil }
            return .angularRate(.zero)
        }
        #expect(codes(samples) == ["gyro-always-zero"])
    }

    @Test func `An accelerometer that stands still while the gyroscope turns is dead`() {
        let samples = changing { sample, _ in
            guard case .acceleration = sample.reading else { return nil }
            return .acceleration(Vector3(0, 0, 9.80665))
        }
        #expect(codes(samples).contains("accel-dead"))
    }

    @Test(arguments: [(50.0, 3.0, true), (50, 20, false), (5, 4, false), (25, 7, true)])
    func `A rate far below what is wanted is told`(wanted: Double, rate: Double, isTold: Bool) {
        var context = CompassHealth.Context()
        context.wantedHertz = wanted
        var samples: [SensorSample] = []
        for index in 0..<60 {
            let time = Int64(Double(index) * 1e6 / rate)
            samples.append(
                SensorSample(bootMicroseconds: time, reading: .magneticField(Vector3(18, -32 + Double(index), 45))))
        }
        #expect(codes(samples, context) == (isTold ? ["rate-too-low"] : []))
    }

    @Test func `Times an hour off and times that run backward are told, a late sample now and then is not`() {
        #expect(codes(Samples.tumble, delay: 3_600_000_000).contains("timestamps-odd"))
        let jumping = changing { _, _ in nil }.enumerated().map { index, sample in
            var sample = sample
            if index.isMultiple(of: 4) { sample.bootMicroseconds -= 500_000 }
            return sample
        }
        #expect(codes(jumping).contains("timestamps-odd"))
        var late = Samples.tumble
        for index in stride(from: 100, to: late.count, by: 900) { late[index].bootMicroseconds -= 30_000 }
        #expect(codes(late) == [])
    }

    @Test func `A calibration that does not fit any more is stale, an old one is worth knowing`() {
        var context = CompassHealth.Context()
        context.hardIronMoved = 25
        context.hardIronSigma = 1
        #expect(CompassHealth().findings(context).map(\.code) == ["calibration-stale"])
        context.hardIronSigma = 10
        #expect(CompassHealth().findings(context) == [])
        context.calibrationAge = 400 * 86_400
        let old = CompassHealth().findings(context)
        #expect(old.map(\.code) == ["calibration-old"] && old.first?.severity == .info)
    }

    @Test(arguments: [
        // µT horizontal and down, as measured; Zürich-like 21.5 and 43 expected.
        (21.5, 43.0, [String]()), (24, 40, []), (21.5, 20, ["magn-vertical-too-small"]), (60, 43, ["magnet-nearby"]),
        (21.5, 90, ["magnet-nearby"]), (4, 48, ["magnet-nearby"]),
    ])
    func `A field that is not the earth's is told, one that is about right is not`(
        horizontal: Double, down: Double, expected: [String]
    ) {
        var context = CompassHealth.Context()
        context.earthField = Samples.field
        var health = CompassHealth()
        for _ in 0..<120 {
            health.update(
                calibratedField: Vector3(0, horizontal, -down), up: Vector3(0, 0, 1), isDisturbed: false)
        }
        #expect(health.findings(context).map(\.code) == expected)
    }

    @Test func `A disturbance that lasts is told without a place, one that passes is not`() {
        var health = CompassHealth()
        for index in 0..<300 {
            health.update(
                calibratedField: Vector3(0, 20, -40), up: Vector3(0, 0, 1), isDisturbed: index > 100 && index < 150)
        }
        #expect(health.findings(CompassHealth.Context()) == [])
        for _ in 0..<300 {
            health.update(calibratedField: Vector3(0, 20, -40), up: Vector3(0, 0, 1), isDisturbed: true)
        }
        #expect(health.findings(CompassHealth.Context()).map(\.code) == ["magnet-nearby"])
    }
}
