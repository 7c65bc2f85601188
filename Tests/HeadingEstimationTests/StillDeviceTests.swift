import Geometry
import HeadingEstimation
import LocateMeModel
import Testing

/// A device at rest, with a given calibration: every attitude, every heading, against the closed form.
@Suite("Still device")
struct StillDeviceTests {
    static let attitudes: [(pitch: Double, roll: Double)] = [
        (0, 0), (90, 0), (-90, 0), (0, 180), (0, 90), (35, -50),
    ]
    static let headings = [0.0, 45, 90, 135, 180, 225, 270, 315]

    private func check(
        _ sensors: SyntheticDevice.Sensors, source: HeadingSource, fieldIsCalibrated: Bool,
        stored: StoredHeadingState? = nil, device: SyntheticDevice, after: Double
    ) {
        var estimator = HeadingEstimator(stored: stored, fieldIsCalibrated: fieldIsCalibrated)
        let estimates = estimator.run(device.samples(sensors, to: after + 1))
        let late = estimates.filter { Double($0.bootMicroseconds) * 1e-6 > after }
        #expect(!late.isEmpty)
        for estimate in late {
            #expect(abs(device.headingError(estimate)) < 0.1)
            #expect(estimate.accuracyDegrees > 0 && estimate.accuracyDegrees < 30)
            #expect(estimate.source == source)
        }
        // atan(41.2/22.8); a stored hard iron that may have moved by 3 µT lets it wander.
        #expect(abs((late.last?.inclination ?? 0) - 61.04) < 1)
    }

    @Test("Tilt compass: 8 headings in 6 attitudes within 0.1°, half a second after the start", arguments: headings)
    func tilt(heading: Double) {
        for tilted in Self.attitudes {
            let pose = attitude(heading: heading, pitch: tilted.pitch, roll: tilted.roll)
            let device = SyntheticDevice { _ in pose }
            check(.tilt, source: .tilt, fieldIsCalibrated: true, device: device, after: 0.5)
        }
    }

    @Test("Nine axes: the same within 1.2 s", arguments: headings)
    func nine(heading: Double) {
        for tilted in Self.attitudes {
            let pose = attitude(heading: heading, pitch: tilted.pitch, roll: tilted.roll)
            let device = SyntheticDevice { _ in pose }
            check(.nine, source: .fused9, fieldIsCalibrated: true, device: device, after: 1.2)
        }
    }

    @Test("A stored calibration is applied", arguments: [SyntheticDevice.Sensors.tilt, .nine])
    func stored(sensors: SyntheticDevice.Sensors) {
        var device = SyntheticDevice { _ in attitude(heading: 222, pitch: 20, roll: 10) }
        device.hardIron = Vector3(120, -340, 55)
        device.softIron = Matrix3(Vector3(1.05, 0.02, 0), Vector3(0.02, 0.97, -0.01), Vector3(0, -0.01, 0.98))
        var state = StoredHeadingState()
        state.magnetometer = StoredHeadingState.Magnetometer(
            softIron: device.softIron, hardIron: device.hardIron, hardIronSigma: 1)
        let source: HeadingSource = sensors.gyroscope > 0 ? .fused9 : .tilt
        check(sensors, source: source, fieldIsCalibrated: false, stored: state, device: device, after: 1.2)
    }

    @Test(
        "With a stored calibration the field told is the earth's from the first sample on, before there is a heading",
        arguments: [SyntheticDevice.Sensors.tilt, .nine])
    func fieldBeforeHeading(sensors: SyntheticDevice.Sensors) {
        var device = SyntheticDevice { _ in attitude(heading: 222, pitch: 20, roll: 10) }
        device.hardIron = Vector3(120, -340, 55)
        var state = StoredHeadingState()
        state.magnetometer = .init(softIron: .identity, hardIron: device.hardIron, hardIronSigma: 1)
        var estimator = HeadingEstimator(stored: state)
        let estimates = estimator.run(device.samples(sensors, to: 2))
        #expect(estimates.first?.isValid == false)
        // 22.8 µT horizontal, 41.2 µT down.
        #expect(estimates.allSatisfy { abs($0.fieldStrength - 47.09) < 1.5 })
    }

    @Test("Uncalibrated and still, there is no heading", arguments: [SyntheticDevice.Sensors.tilt, .nine])
    func uncalibrated(sensors: SyntheticDevice.Sensors) {
        var device = SyntheticDevice { _ in attitude(heading: 10) }
        device.hardIron = Vector3(200, -100, 30)
        var estimator = HeadingEstimator()
        let estimates = estimator.run(device.samples(sensors, to: 20))
        #expect(estimates.count == 1000)
        #expect(estimates.allSatisfy { $0.accuracyDegrees == -1 && $0.magneticHeading == -1 })
        #expect(estimates.last?.calibration == .uncalibrated)
    }

    @Test("A magnetometer alone says nothing unless the device is declared level")
    func magnetometerAlone() {
        let device = SyntheticDevice { _ in attitude(heading: 75) }
        var estimator = HeadingEstimator(fieldIsCalibrated: true)
        let silent = estimator.run(device.samples(.magnetometerOnly, to: 2))
        #expect(silent.count == 100 && silent.allSatisfy { !$0.isValid })
        var parameters = HeadingParameters()
        parameters.assumesLevel = true
        var level = HeadingEstimator(parameters: parameters, fieldIsCalibrated: true)
        let estimates = level.run(device.samples(.magnetometerOnly, to: 2))
        #expect(estimates.allSatisfy { $0.source == .flat && $0.accuracyDegrees >= 25 })
        #expect(abs(device.headingError(estimates[99])) < 0.1)
    }

    @Test("Magnetometer and gyroscope, declared level: a heading of 25° or worse that follows the gyroscope")
    func withoutAccelerometer() {
        let device = SyntheticDevice { attitude(heading: 30 * $0) }
        var parameters = HeadingParameters()
        parameters.assumesLevel = true
        var estimator = HeadingEstimator(parameters: parameters, fieldIsCalibrated: true)
        let estimates = estimator.run(device.samples(.withoutAccelerometer, to: 10)).filter(\.isValid)
        #expect(estimates.count > 400)
        #expect(estimates.allSatisfy { $0.source == .fused6 && $0.accuracyDegrees >= 25 })
        #expect(estimates.allSatisfy { abs(device.headingError($0)) < 2 })
    }

    @Test("A hub's heading passes only while no magnetometer delivers")
    func hub() {
        let device = SyntheticDevice { _ in .identity }
        var estimator = HeadingEstimator(fieldIsCalibrated: true)
        func hub(at seconds: Double) -> HeadingEstimate? {
            estimator.update(
                SensorSample(
                    bootMicroseconds: Int64(seconds * 1e6), reading: .hubHeading(degrees: 400, accuracyDegrees: .nan)))
        }
        let first = hub(at: 0)
        #expect(abs((first?.magneticHeading ?? -1) - 40) < 1e-9)
        #expect(first?.source == .hub)
        #expect((first?.accuracyDegrees ?? 0) >= 20)
        _ = estimator.run(device.samples(.tilt, from: 1, to: 2))
        let soon = hub(at: 2.1)
        let late = hub(at: 4)
        #expect(soon == nil)
        #expect(late != nil)
    }
}
