import Foundation
import Geometry
import HeadingEstimation
import LocateMeModel
import MagnetometerCalibration
import Testing

/// A device in known motion: the truth is the motion's own formula.
@Suite("Moving device")
struct MovingDeviceTests {
    /// A hand that looks around: heading ±120°, pitch and roll of some tens of degrees, all smooth.
    static func lookingAround(_ time: Double) -> Quaternion {
        attitude(heading: 200 + 120 * sin(0.5 * time), pitch: 30 * sin(0.83 * time), roll: 25 * sin(1.1 * time + 1))
    }
    /// A tumble through all directions.
    static func tumbling(_ time: Double) -> Quaternion {
        attitude(heading: 97 * time, pitch: 61 * time, roll: 38 * time)
    }

    private func worstError(_ estimates: [HeadingEstimate], _ device: SyntheticDevice, after: Double) -> Double {
        estimates.filter { $0.isValid && Double($0.bootMicroseconds) * 1e-6 > after }
            .map { abs(device.headingError($0)) }.max() ?? .infinity
    }

    @Test("Nine axes with a given calibration follow within 1°, at any rate", arguments: [25.0, 50, 100, 200])
    func rates(rate: Double) {
        let device = SyntheticDevice(attitude: Self.lookingAround)
        var estimator = HeadingEstimator(fieldIsCalibrated: true)
        let sensors = SyntheticDevice.Sensors(
            magnetometer: min(rate, 100), accelerometer: rate, gyroscope: rate)
        let estimates = estimator.run(device.samples(sensors, to: 20))
        #expect(worstError(estimates, device, after: 3) < 1)
    }

    @Test("At 10 Hz it follows within 3°")
    func slowSensors() {
        let device = SyntheticDevice(attitude: Self.lookingAround)
        var estimator = HeadingEstimator(fieldIsCalibrated: true)
        let sensors = SyntheticDevice.Sensors(magnetometer: 10, accelerometer: 10, gyroscope: 10)
        let estimates = estimator.run(device.samples(sensors, to: 20))
        #expect(estimates.last?.isValid == true)
        #expect(worstError(estimates, device, after: 3) < 3)
    }

    @Test("Started in motion it states little until some seconds of undisturbed field were seen")
    func startInMotion() {
        let device = SyntheticDevice(attitude: Self.lookingAround)
        var estimator = HeadingEstimator(fieldIsCalibrated: true)
        let estimates = estimator.run(device.samples(.nine, from: 5, to: 20)).filter(\.isValid)
        func accuracies(_ from: Double, _ to: Double) -> [Double] {
            estimates.filter { (from..<to).contains(Double($0.bootMicroseconds) * 1e-6) }.map(\.accuracyDegrees)
        }
        #expect(!accuracies(5, 6.5).isEmpty && accuracies(5, 6.5).allSatisfy { $0 > 35 })
        #expect(
            !accuracies(16, 20).isEmpty && accuracies(16, 20).allSatisfy { $0 < 12 },
            "\(accuracies(16, 20).max() ?? -1), \(accuracies(19.8, 20).max() ?? -1)")
    }

    @Test("Started in a magnet's field that looks like the earth's, among magnets, it states nothing better than 45°")
    func startInMagnet() {
        let device = SyntheticDevice(attitude: Self.lookingAround)
        // The magnet's field has the strength and the dip of the earth's, and points 80° away: no sample of it tells.
        let turned = SyntheticDevice { Quaternion(aboutZ: 80 * .pi / 180) * Self.lookingAround($0) }
        let samples = device.samples(.nine, from: 5, to: 30).map { sample in
            guard case .magneticField(let field) = sample.reading else { return sample }
            let time = Double(sample.bootMicroseconds) * 1e-6
            // From the second second on each metre of the way has another field, up to three times the earth's.
            let among = field * (2 + sin(1.3 * time))
            return SensorSample(
                bootMicroseconds: sample.bootMicroseconds,
                reading: .magneticField(time < 7 ? turned.rawField(at: time) : among))
        }
        var known = StoredHeadingState()
        known.magnetometer = .init(softIron: .identity, hardIron: .zero, hardIronSigma: 1)
        var estimator = HeadingEstimator(stored: known)
        estimator.setEarthField(
            EarthField(
                declination: 0, declinationAccuracy: 0.5, horizontal: device.horizontal, down: device.down))
        let late = estimator.run(samples).filter { $0.bootMicroseconds > 8_000_000 }
        #expect(!late.isEmpty)
        #expect(late.allSatisfy { !$0.isValid || $0.accuracyDegrees > 45 })
    }

    @Test("A gyroscope that shows 3 % too little, as an iPhone 4S's does, is learned while the device turns, and kept")
    func gyroScale() throws {
        var device = SyntheticDevice { attitude(heading: 60 * $0, pitch: 20 * sin(0.9 * $0), roll: 15 * sin(1.3 * $0)) }
        device.gyroScale = Vector3(0.03, 0.03, 0.03)
        device.gyroBias = Vector3(0.01, 0, 0.02)
        var known = StoredHeadingState()
        known.magnetometer = .init(softIron: .identity, hardIron: .zero, hardIronSigma: 1)
        known.gyroscope = .init(bias: device.gyroBias, sigma: 0.001)
        var estimator = HeadingEstimator(stored: known)
        let estimates = estimator.run(device.samples(.nine, to: 60))
        #expect(estimates.filter(\.isValid).allSatisfy { abs(device.headingError($0)) <= $0.accuracyDegrees })
        #expect(worstError(estimates, device, after: 30) < 2)
        // The device turns about its z axis for the most part; the others are seen less.
        let scale = try #require(estimator.storedState.gyroscope?.scale)
        #expect(abs(scale.error.z - 0.03) < 0.006, "\(scale)")
        #expect(scale.sigma < 0.02)
        // What was kept serves the next start.
        var next = HeadingEstimator(stored: estimator.storedState)
        #expect(abs(next.gyroScale.z - scale.error.z) < 1e-12)
        #expect(worstError(next.run(device.samples(.nine, from: 60, to: 80)), device, after: 63) < 2)
    }

    @Test("A cold start learns hard iron and gyroscope bias by mere use")
    func coldStart() {
        var device = SyntheticDevice(attitude: Self.lookingAround)
        device.hardIron = Vector3(-80, 240, 410)
        device.gyroBias = Vector3(0.02, -0.04, 0.06)
        var estimator = HeadingEstimator()
        estimator.setEarthField(
            EarthField(declination: 2, declinationAccuracy: 0.5, horizontal: 22.8, down: 41.2))
        let estimates = estimator.run(device.samples(.nine, to: 40))
        #expect(estimates.first?.isValid == false)
        #expect(estimates.filter(\.isValid).allSatisfy { abs(device.headingError($0)) <= $0.accuracyDegrees })
        #expect(worstError(estimates, device, after: 20) < 3)
        let stored = estimator.storedState
        #expect(((stored.gyroscope?.bias ?? .zero) - device.gyroBias).length < 3 * (stored.gyroscope?.sigma ?? 0))
    }

    @Test("A tumble calibrates: hard iron within 1 µT after 5 s")
    func tumble() {
        var device = SyntheticDevice(attitude: Self.tumbling)
        device.hardIron = Vector3(-80, 240, 410)
        var estimator = HeadingEstimator()
        _ = estimator.run(device.samples(.nine, to: 5))
        let magnetometer = estimator.storedState.magnetometer
        #expect(((magnetometer?.hardIron ?? .zero) - device.hardIron).length < 1)
        #expect((magnetometer?.hardIronSigma ?? 99) < 4)
    }

    @Test("Without a gyroscope a tumble calibrates too, and then a tilt compass is there")
    func tumbleWithoutGyroscope() {
        var device = SyntheticDevice(attitude: { $0 < 20 ? Self.tumbling($0 / 2) : attitude(heading: 33, pitch: 10) })
        device.hardIron = Vector3(60, -40, 20)
        var estimator = HeadingEstimator()
        let estimates = estimator.run(device.samples(.tilt, to: 30))
        let last = estimates.last
        #expect(last?.isValid == true)
        #expect(last?.source == .tilt)
        if let last { #expect(abs(device.headingError(last)) < 2) }
    }

    @Test("A flat spin serves a flat tilt compass, and rolled by 30° it does not pretend to know")
    func flatSpin() {
        var device = SyntheticDevice { time in
            time < 20
                ? attitude(heading: 36 * time) : time < 25 ? attitude(heading: 50) : attitude(heading: 50, roll: 30)
        }
        device.hardIron = Vector3(60, -40, 20)
        var estimator = HeadingEstimator()
        let estimates = estimator.run(device.samples(.tilt, to: 30))
        let flat = estimates.last { $0.bootMicroseconds < 25_000_000 }
        #expect(flat?.isValid == true)
        if let flat {
            #expect(abs(device.headingError(flat)) < 2)
            #expect(flat.accuracyDegrees < 25)
        }
        if let rolled = estimates.last { #expect(!rolled.isValid || rolled.accuracyDegrees >= 20) }
        #expect(estimator.acceptedFit?.model == .planar)
    }

    @Test("Swung without a gyroscope, a device states what the lag of gravity costs; held still, it is sure again")
    func swing() throws {
        // An arm that swings by 40° once a second, and then hangs.
        let device = SyntheticDevice {
            attitude(heading: 70, pitch: 10, roll: $0 < 20 ? 40 * sin(2 * Double.pi * $0) : 0)
        }
        var estimator = HeadingEstimator(stored: Self.known)
        let estimates = estimator.run(device.samples(.tilt, to: 30))
        let swung = estimates.filter { $0.isValid && (3_000_000..<20_000_000).contains($0.bootMicroseconds) }
        let held = swung.filter { abs(device.headingError($0)) <= $0.accuracyDegrees }
        #expect(swung.count < 100 || Double(held.count) > 0.95 * Double(swung.count))
        #expect(swung.allSatisfy { $0.accuracyDegrees > 20 })
        let last = try #require(estimates.last)
        #expect(last.isValid && last.accuracyDegrees < 20 && abs(device.headingError(last)) < 1)
    }

    @Test("Started among magnets, an accuracy is wider than started away from them and carried there")
    func startAmongMagnets() throws {
        let device = SyntheticDevice(attitude: Self.lookingAround)
        // Every other second a magnet of 50 µT, from 20 s to 26 s.
        let among = device.samples(.nine, to: 26).map { sample -> SensorSample in
            let time = Double(sample.bootMicroseconds) * 1e-6
            guard case .magneticField(let field) = sample.reading, time >= 20 else { return sample }
            let strength = 50 * pow(sin(.pi * time / 2), 2)
            let extra = device.attitude(time).conjugate.rotate(Vector3(strength, 0, strength))
            return SensorSample(bootMicroseconds: sample.bootMicroseconds, reading: .magneticField(field + extra))
        }
        func accuracy(from start: Double) throws -> Double {
            var estimator = HeadingEstimator(stored: Self.known)
            estimator.setEarthField(EarthField(declination: 0, declinationAccuracy: 1, horizontal: 22.8, down: 41.2))
            let samples = among.filter { Double($0.bootMicroseconds) * 1e-6 >= start }
            let last = try #require(estimator.run(samples).last)
            #expect(!last.isValid || abs(device.headingError(last)) <= last.accuracyDegrees)
            return last.isValid ? last.accuracyDegrees : .infinity
        }
        #expect(try accuracy(from: 20) > 1.2 * accuracy(from: 0))
    }

    @Test("The turn rate is clockwise positive", arguments: [40.0, -25])
    func turnRate(rate: Double) {
        let device = SyntheticDevice { attitude(heading: rate * $0) }
        for sensors in [SyntheticDevice.Sensors.nine, .tilt] {
            var estimator = HeadingEstimator(fieldIsCalibrated: true)
            let last = estimator.run(device.samples(sensors, to: 5)).last
            #expect(abs((last?.turnRate ?? 0) - rate) < 1)
        }
    }

    @Test("A warm start is as good as the run that was stored")
    func warmStart() {
        // At rest first, so that the bias is known, then tumbled.
        var device = SyntheticDevice { Self.tumbling(max(0, $0 - 4)) }
        device.hardIron = Vector3(30, 90, -200)
        device.gyroBias = Vector3(0.01, 0.02, -0.05)
        var first = HeadingEstimator()
        _ = first.run(device.samples(.nine, to: 20))
        device.attitude = Self.lookingAround
        var second = HeadingEstimator(stored: first.storedState)
        let estimates = second.run(device.samples(.nine, to: 10))
        let valid = estimates.filter(\.isValid)
        #expect(valid.count > 400)
        #expect(worstError(estimates, device, after: 2) < 2)
    }

    @Test("A moved hard iron is found by the challenger")
    func movedHardIron() {
        var device = SyntheticDevice(attitude: Self.lookingAround)
        var estimator = HeadingEstimator(stored: Self.known)
        estimator.setEarthField(EarthField(declination: 0, declinationAccuracy: 1, horizontal: 22.8, down: 41.2))
        _ = estimator.run(device.samples(.nine, to: 20))
        device.hardIron = Vector3(25, -15, 10)
        let after = estimator.run(device.samples(.nine, from: 20, to: 60))
        let late = after.filter { Double($0.bootMicroseconds) * 1e-6 > 45 }
        #expect(late.allSatisfy { abs(device.headingError($0)) < 8 })
        #expect((estimator.hardIron - device.hardIron).length < 5)
    }

    static let known: StoredHeadingState = {
        var state = StoredHeadingState()
        state.magnetometer = StoredHeadingState.Magnetometer(softIron: .identity, hardIron: .zero, hardIronSigma: 1)
        return state
    }()

    @Test("A magnet held near shows as a disturbance, its accuracy grows, and nothing is learned from it")
    func magnet() {
        let device = SyntheticDevice(attitude: Self.lookingAround)
        var estimator = HeadingEstimator(stored: Self.known)
        estimator.setEarthField(EarthField(declination: 0, declinationAccuracy: 1, horizontal: 22.8, down: 41.2))
        _ = estimator.run(device.samples(.nine, to: 20))
        // A fixed magnet in the room: 60 µT to the east and up, for 3 s while passing.
        let passing = device.samples(.nine, from: 20, to: 23).map { sample -> SensorSample in
            guard case .magneticField(let field) = sample.reading else { return sample }
            let time = Double(sample.bootMicroseconds) * 1e-6
            let strength = 60 * exp(-pow((time - 21.5) / 0.6, 2))
            let extra = device.attitude(time).conjugate.rotate(Vector3(strength, 0, strength))
            return SensorSample(bootMicroseconds: sample.bootMicroseconds, reading: .magneticField(field + extra))
        }
        let during = estimator.run(passing)
        #expect(during.contains { $0.isDisturbed })
        #expect(during.allSatisfy { abs(device.headingError($0)) < 15 })
        let after = estimator.run(device.samples(.nine, from: 23, to: 30))
        #expect(after.last?.isDisturbed == false)
        #expect(abs(device.headingError(after[after.count - 1])) < 3)
        #expect(estimator.hardIron.length < 5)
    }
}
