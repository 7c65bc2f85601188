import Foundation
import Geometry
import HeadingEstimation
import LocateMeModel
import Testing

@Suite("Broken data")
struct BrokenDataTests {
    private let device = SyntheticDevice(attitude: MovingDeviceTests.lookingAround)

    @Test(
        "NaN, infinities and absurd numbers are dropped and counted", arguments: [Double.nan, .infinity, -1e30, 1e300])
    func implausible(value: Double) {
        var clean = HeadingEstimator(fieldIsCalibrated: true)
        var broken = HeadingEstimator(fieldIsCalibrated: true)
        let samples = device.samples(.nine, to: 5)
        let expected = clean.run(samples)
        var got: [HeadingEstimate] = []
        for (index, sample) in samples.enumerated() {
            if index.isMultiple(of: 7) {
                let bad = Vector3(value, 1, 2)
                for reading in [
                    SensorSample.Reading.angularRate(bad), .acceleration(bad), .magneticField(bad),
                ] {
                    let none = broken.update(
                        SensorSample(bootMicroseconds: sample.bootMicroseconds, reading: reading))
                    #expect(none == nil)
                }
            }
            if let estimate = broken.update(sample) { got.append(estimate) }
        }
        #expect(got.filter(\.isValid) == expected.filter(\.isValid))
        #expect(got.count == expected.count && expected.filter(\.isValid).count > 100)
        #expect(broken.implausibleSamples > 300)
    }

    @Test("Repeated and late samples change nothing")
    func repeated() {
        var clean = HeadingEstimator(fieldIsCalibrated: true)
        var broken = HeadingEstimator(fieldIsCalibrated: true)
        let samples = device.samples(.nine, to: 5)
        let expected = clean.run(samples)
        var got: [HeadingEstimate] = []
        for (index, sample) in samples.enumerated() {
            if let estimate = broken.update(sample) { got.append(estimate) }
            _ = broken.update(sample)
            if index > 20 { _ = broken.update(samples[index - 20]) }
        }
        #expect(got.filter(\.isValid) == expected.filter(\.isValid))
        #expect(got.count == expected.count && expected.filter(\.isValid).count > 100)
    }

    @Test("When time goes back for good, it starts over and keeps what it has learned")
    func timeGoesBack() {
        var estimator = HeadingEstimator(stored: MovingDeviceTests.known)
        _ = estimator.run(device.samples(.nine, from: 1000, to: 1010))
        let again = estimator.run(device.samples(.nine, to: 10))
        #expect(again.last?.isValid == true)
        #expect(abs(device.headingError(again[again.count - 1])) < 2)
    }

    @Test("After a silence of all sensors the direction is found anew", arguments: [0.3, 1, 6, 3600])
    func gap(seconds: Double) {
        var estimator = HeadingEstimator(fieldIsCalibrated: true)
        _ = estimator.run(device.samples(.nine, to: 10))
        let after = estimator.run(device.samples(.nine, from: 10 + seconds, to: 20 + seconds))
        let valid = after.filter(\.isValid)
        #expect(valid.count > 300)
        #expect(valid.allSatisfy { abs(device.headingError($0)) <= $0.accuracyDegrees })
        #expect(abs(device.headingError(after[after.count - 1])) < 1)
    }

    @Test(
        "A gyroscope without noise says the same zero after a turn and is no frozen one, at any rate",
        arguments: [20.0, 50], [1.2, 1.4, 1.6, 1.8, 2.0])
    func noiselessRest(rate: Double, stop: Double) {
        // A hub that filters, or a simulated device: 90° a second, an abrupt stop, then rest.
        let device = SyntheticDevice { attitude(heading: 90 * min(max($0 - 3, 0), stop)) }
        var estimator = HeadingEstimator(fieldIsCalibrated: true)
        let sensors = SyntheticDevice.Sensors(magnetometer: rate, accelerometer: rate, gyroscope: rate)
        let estimates = estimator.run(device.samples(sensors, to: 15))
        #expect(estimator.frozenSamples == 0)
        #expect(estimates.filter { $0.bootMicroseconds > 2_000_000 }.allSatisfy { $0.source == .fused9 && $0.isValid })
        if let last = estimates.last { #expect(abs(device.headingError(last)) < 1) }
    }

    @Test("Without its gyroscope a fused compass goes on as a tilt compass, and comes back")
    func gyroscopeFails() {
        let slow = SyntheticDevice { attitude(heading: 5 * $0, pitch: 10) }
        var estimator = HeadingEstimator(fieldIsCalibrated: true)
        _ = estimator.run(slow.samples(.nine, to: 5))
        let without = estimator.run(slow.samples(.tilt, from: 5, to: 10))
        let last = without[without.count - 1]
        #expect(last.source == .tilt && last.isValid)
        #expect(abs(slow.headingError(last)) < 2)
        let again = estimator.run(slow.samples(.nine, from: 10, to: 15))
        let end = again[again.count - 1]
        #expect(end.source == .fused9 && end.isValid)
        #expect(abs(slow.headingError(end)) < 2)
    }

    enum Hung: CaseIterable { case field, zeroForce, forceInG }

    @Test(
        "Without a gyroscope, a field that stays while the device tilts, and a force that is none, end the heading until they do",
        arguments: Hung.allCases)
    func hangsWithoutGyroscope(hung: Hung) {
        let tilting = SyntheticDevice { attitude(heading: 20 * $0, pitch: 45 * sin($0), roll: 45 * sin(1.3 * $0)) }
        var estimator = HeadingEstimator(fieldIsCalibrated: true)
        #expect(estimator.run(tilting.samples(.tilt, to: 10)).last?.isValid == true)
        let broken = tilting.samples(.tilt, from: 10, to: 30).map { sample in
            var sample = sample
            switch (sample.reading, hung) {
            case (.magneticField, .field): sample.reading = .magneticField(Vector3(10, 20, -30))
            case (.acceleration, .zeroForce): sample.reading = .acceleration(.zero)
            case (.acceleration(let force), .forceInG): sample.reading = .acceleration(force * (1 / 9.80665))
            default: break
            }
            return sample
        }
        let late = estimator.run(broken).filter { $0.bootMicroseconds > 13_000_000 }
        #expect(late.allSatisfy { !$0.isValid })
        #expect(estimator.run(tilting.samples(.tilt, from: 30, to: 35)).last?.isValid == true)
    }

    @Test("Without its accelerometer the gyroscope holds the tilt for a while, with an accuracy that grows")
    func accelerometerFails() {
        var estimator = HeadingEstimator(fieldIsCalibrated: true)
        _ = estimator.run(device.samples(.nine, to: 10))
        let without = estimator.run(device.samples(.withoutAccelerometer, from: 10, to: 130))
        let early = without[100]
        #expect(early.source == .fused6 && early.accuracyDegrees >= 25)
        #expect(without.filter(\.isValid).allSatisfy { abs(device.headingError($0)) <= $0.accuracyDegrees })
        let accuracies = without.dropFirst(50).filter(\.isValid).map(\.accuracyDegrees)
        #expect(accuracies == accuracies.sorted())
        #expect(without.last?.isValid == false)
    }

    @Test("A saturated magnetometer is a disturbance, not a heading with confidence")
    func saturated() {
        var estimator = HeadingEstimator(fieldIsCalibrated: true)
        _ = estimator.run(device.samples(.nine, to: 10))
        let samples = device.samples(.nine, from: 10, to: 40).map { sample -> SensorSample in
            guard case .magneticField = sample.reading else { return sample }
            return SensorSample(
                bootMicroseconds: sample.bootMicroseconds, reading: .magneticField(Vector3(4912, 4912, 4912)))
        }
        let estimates = estimator.run(samples)
        #expect(estimates.dropFirst(100).allSatisfy { $0.isDisturbed })
        for estimate in estimates where estimate.isValid {
            #expect(abs(device.headingError(estimate)) <= estimate.accuracyDegrees)
        }
    }

    @Test(
        "A noiseless turn about the vertical, gravity and rate the same for ever, freezes nothing",
        arguments: [36.0, 90])
    func noiselessTurn(rate: Double) {
        let turning = SyntheticDevice { attitude(heading: rate * $0) }
        var estimator = HeadingEstimator(fieldIsCalibrated: true)
        let estimates = estimator.run(turning.samples(.nine, to: 20).map(Self.rounded))
        #expect(estimator.frozenSamples == 0)
        let late = estimates.filter { $0.bootMicroseconds > 5_000_000 }
        // About one axis alone, latency and direction cannot be told apart: 20 ms are 2° at 90° a second.
        #expect(late.allSatisfy { $0.source == .fused9 && $0.isValid && abs(turning.headingError($0)) < 3 })
    }

    /// A sample as a text with nine decimals would keep it: constant rates are constant then.
    private static func rounded(_ sample: SensorSample) -> SensorSample {
        func round(_ vector: Vector3) -> Vector3 {
            Vector3(
                (vector.x * 1e6).rounded() / 1e6, (vector.y * 1e6).rounded() / 1e6, (vector.z * 1e6).rounded() / 1e6)
        }
        var copy = sample
        switch sample.reading {
        case .angularRate(let rate): copy.reading = .angularRate(round(rate))
        case .acceleration(let force): copy.reading = .acceleration(round(force))
        case .magneticField(let field): copy.reading = .magneticField(round(field))
        default: break
        }
        return copy
    }

    @Test("A temperature away from the calibration's, and age, make the stored hard iron less certain")
    func aged() {
        var known = MovingDeviceTests.known
        known.temperature = 20
        let field = EarthField(declination: 0, declinationAccuracy: 1, horizontal: 22.8, down: 41.2)
        func firstAccuracy(ageSeconds: Double, temperature: Double) -> Double {
            var estimator = HeadingEstimator(stored: known, storedAgeSeconds: ageSeconds)
            estimator.setEarthField(field)
            _ = estimator.update(
                SensorSample(bootMicroseconds: 0, reading: .temperature(degreesCelsius: temperature)))
            let still = SyntheticDevice { _ in attitude(heading: 50) }
            return estimator.run(still.samples(.nine, to: 3)).last?.accuracyDegrees ?? -1
        }
        let fresh = firstAccuracy(ageSeconds: 0, temperature: 20)
        let warm = firstAccuracy(ageSeconds: 0, temperature: 45)
        let old = firstAccuracy(ageSeconds: 4 * 604_800, temperature: 20)
        #expect(fresh > 0 && warm > fresh + 2 && old > fresh + 2)
        var estimator = HeadingEstimator(stored: known)
        #expect(!estimator.hasNotableTemperatureChange)
        _ = estimator.update(SensorSample(bootMicroseconds: 0, reading: .temperature(degreesCelsius: 45)))
        #expect(estimator.hasNotableTemperatureChange)
    }

    @Test("Any order of any samples neither crashes nor leaves a number that is not one", arguments: 0..<20)
    func fuzz(seed: UInt64) {
        var generator = SplitMix64(state: seed)
        var estimator = HeadingEstimator(fieldIsCalibrated: seed.isMultiple(of: 2))
        let specials = [0, -0.0, .nan, .infinity, -.infinity, 1e-300, 1e300, 9.81, 4912, -50]
        func number() -> Double {
            Double.random(in: 0...1, using: &generator) < 0.1
                ? specials[Int.random(in: 0..<specials.count, using: &generator)]
                : Double.random(in: -60...60, using: &generator)
        }
        var time: Int64 = 0
        for _ in 0..<3000 {
            let jump = Double.random(in: 0...1, using: &generator)
            time &+= jump < 0.01 ? Int64.random(in: Int64.min...Int64.max, using: &generator) : Int64(jump * 20_000)
            let vector = Vector3(number(), number(), number())
            let reading: SensorSample.Reading
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: reading = .angularRate(vector)
            case 1: reading = .acceleration(vector)
            case 2, 3: reading = .magneticField(vector)
            case 4: reading = .hubHeading(degrees: number() * 10, accuracyDegrees: number())
            default: reading = .temperature(degreesCelsius: number())
            }
            if jump > 0.99 {
                estimator.setEarthField(
                    EarthField(declination: 1, declinationAccuracy: 1, horizontal: number(), down: number()))
            }
            if jump > 0.998 { estimator.restart() }
            guard let estimate = estimator.update(SensorSample(bootMicroseconds: time, reading: reading)) else {
                continue
            }
            #expect(estimate.accuracyDegrees == -1 || (0...60).contains(estimate.accuracyDegrees))
            #expect(estimate.attitude.matrix.isFinite)
            #expect(estimate.magneticHeading == -1 || (0..<360).contains(estimate.magneticHeading))
        }
        let state = estimator.storedState
        #expect(state.magnetometer?.hardIron.isFinite ?? true)
        #expect(state.gyroscope?.bias.isFinite ?? true)
    }
}
