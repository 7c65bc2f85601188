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
