import Foundation
import Geometry
import HeadingEstimation
import LocateMeModel
import Testing

/// Poses and numbers that broke compasses of others. The origins stand at each test. Field in gauss there, µT here.
@Suite("Bug inputs: heading")
struct HeadingBugTests {
    /// What the estimator says after a second of a still pose; `up` points away from the ground.
    private func heading(field: Vector3, up: Vector3) -> HeadingEstimate? {
        var estimator = HeadingEstimator(fieldIsCalibrated: true)
        var last: HeadingEstimate?
        for index in 0..<100 {
            let time = Int64(index) * 20_000
            _ = estimator.update(SensorSample(bootMicroseconds: time, reading: .acceleration(up * 9.80665)))
            last = estimator.update(SensorSample(bootMicroseconds: time, reading: .magneticField(field * 100)))
        }
        return last
    }

    private func apart(_ first: Double, _ second: Double) -> Double { abs(Angle.wrap180(first - second)) }

    /// screen-down-mirror: east and west swapped with the screen to the ground (Kr0oked/Compass#128, Hamza417/Positional#4).
    @Test(
        "screen-down-mirror: turned over, the top edge still points where it pointed",
        arguments: [
            (Vector3(0, 0.21, -0.42), Vector3(0, 0, 1), 0.0), (Vector3(0, 0.21, 0.42), Vector3(0, 0, -1), 0),
            (Vector3(0.21, 0, 0.42), Vector3(0, 0, -1), 90), (Vector3(-0.21, 0, 0.42), Vector3(0, 0, -1), 270),
            (Vector3(0, -0.21, 0.42), Vector3(0, 0, -1), 180),
        ] as [(Vector3, Vector3, Double)])
    func screenDown(field: Vector3, up: Vector3, expected: Double) throws {
        let estimate = try #require(heading(field: field, up: up))
        #expect(estimate.isValid)
        #expect(apart(estimate.magneticHeading, expected) < 0.1)
        var reference = HeadingReference()
        #expect(apart(reference.heading(of: estimate.attitude, orientation: .portrait), expected) < 0.1)
    }

    /// orientation-upside-down: off by 180° for an upside-down interface (Kr0oked/Compass#22, cachly/issues-tracker#1478).
    @Test(
        "orientation-upside-down: each orientation is a rotation, not a mirror", arguments: [0.0, 70, 123.4, 359.9],
        [0.0, 180])
    func orientations(device: Double, roll: Double) {
        let pose = attitude(heading: device, roll: roll)
        // Landscape left has the right edge on top: 90° clockwise of the top edge, seen from the front.
        let right = roll == 0 ? 90.0 : -90
        let expected: [(HeadingOrientation, Double)] = [
            (.portrait, 0), (.upsideDown, 180), (.landscapeLeft, right), (.landscapeRight, -right),
        ]
        for (orientation, turn) in expected {
            var reference = HeadingReference()
            #expect(apart(reference.heading(of: pose, orientation: orientation), device + turn) < 1e-6)
        }
    }

    /// heading-out-of-range: a conversion left 0…360 (stephent/ObjectiveWMM#6 and #7, esphome/feature-requests#1232).
    @Test(
        "heading-out-of-range: true headings are 0 ≤ h < 360, never 360 and never −0",
        arguments: [
            (350.0, 15.0, 5.0), (5, -15, 350), (359.96, 0.04, 0), (0, -0.0, 0), (10, -10, 0), (1e-14, -2e-14, 0),
            (359.999999999999, 1e-12, 0), (90, 300, 30), (90, -500, 310),
        ] as [(Double, Double, Double)])
    func range(magnetic: Double, declination: Double, expected: Double) throws {
        var estimate = HeadingEstimate(bootMicroseconds: 1, field: Vector3(0, 20, -40), source: .fused9)
        estimate.attitude = attitude(heading: magnetic)
        estimate.accuracyDegrees = 5
        var reference = HeadingReference()
        let heading = HeadingComposer.heading(
            of: estimate, reference: &reference, orientation: .portrait,
            earthField: EarthField(declination: declination, declinationAccuracy: 0.5, horizontal: 20, down: 40),
            model: "test", realMicroseconds: 0)
        #expect((0..<360).contains(heading.trueHeading) && (0..<360).contains(heading.magnetic))
        #expect(heading.trueHeading.sign == .plus && heading.magnetic.sign == .plus)
        #expect(apart(heading.trueHeading, expected) < 1e-9)
    }

    @Test("heading-out-of-range: −30° from atan2 is 330°, and tiny negative angles are 0, not 360")
    func wrapping() {
        #expect(abs(Angle.wrap360(-30) - 330) < 1e-12)
        for tiny in [-1e-15, -1e-300, -0.0, 360, 720, -360] {
            let wrapped = Angle.wrap360(tiny)
            #expect(wrapped >= 0 && wrapped < 360 && wrapped.sign == .plus)
        }
    }

    /// imu-magn-axes-xy-swapped (kriswiner/MPU9250#34 and #2, bolderflight/invensense-imu#121).
    @Test(
        "imu-magn-axes-xy-swapped: with the matrix 0 1 0, 1 0 0, 0 0 −1 the headings are right",
        arguments: [
            (Vector3(0.21, 0, 0.42), 0.0), (Vector3(0.105, -0.1819, 0.42), 60), (Vector3(0, -0.21, 0.42), 90),
            (Vector3(-0.1973, 0.0718, 0.42), 200),
        ] as [(Vector3, Double)])
    func swappedAxes(chip: Vector3, expected: Double) throws {
        let matrix = Matrix3(Vector3(0, 1, 0), Vector3(1, 0, 0), Vector3(0, 0, -1))
        let estimate = try #require(heading(field: matrix * chip, up: Vector3(0, 0, 1)))
        #expect(apart(estimate.magneticHeading, expected) < 0.1)
        #expect(estimate.inclination > 0)
    }
}
