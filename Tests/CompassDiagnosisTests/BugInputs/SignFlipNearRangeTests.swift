import CompassDiagnosis
import Geometry
import LocateMeModel
import Testing

/// sign-flip-near-range: z of an LSM303DLHC flips its sign when a magnet comes near (ST community, "LSM303DLHC max mag range
/// is wrong").
@Test func `sign-flip-near-range: a jump to the other end of the range is saturation`() {
    var health = CompassHealth()
    for (index, z) in [1.602, 1.701, 1.833, 1.923, -2.079, -2.061, 1.911, 1.84, 1.702].enumerated() {
        let sample = SensorSample(
            bootMicroseconds: Int64(index) * 200_000, reading: .magneticField(Vector3(11, -5, 100 * z)))
        health.update(sample, arrival: sample.bootMicroseconds)
    }
    #expect(health.findings(CompassHealth.Context()).map(\.code) == ["magn-axis-saturated"])
}

/// The field of a magnet that is moved past is no fault of the chip.
@Test func `A strong field that turns in steps is not called saturation`() {
    var health = CompassHealth()
    for (index, z) in [160.0, 90, 10, -70, -150, -90, 10, 95, 170].enumerated() {
        let sample = SensorSample(
            bootMicroseconds: Int64(index) * 200_000, reading: .magneticField(Vector3(11, 120 - z, z)))
        health.update(sample, arrival: sample.bootMicroseconds)
    }
    #expect(!health.findings(CompassHealth.Context()).map(\.code).contains("magn-axis-saturated"))
}
