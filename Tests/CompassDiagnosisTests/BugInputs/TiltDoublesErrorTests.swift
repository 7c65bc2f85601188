import CompassDiagnosis
import Geometry
import LocateMeModel
import Testing

/// tilt-doubles-error: with z of the magnetometer negated, five degrees of tilt turn the heading by ten
/// (kriswiner/MPU9250#418).
struct TiltDoublesErrorTests {
    /// Dip 45°, roll 0, 5, −5, 10°: what the chip shows, and up.
    private static let samples = [
        (Vector3(0, 0.3, 0.3), Vector3(0, 0, 1)), (Vector3(0.0261, 0.3, 0.2989), Vector3(-0.0872, 0, 0.9962)),
        (Vector3(-0.0261, 0.3, 0.2989), Vector3(0.0872, 0, 0.9962)),
        (Vector3(0.0521, 0.3, 0.2954), Vector3(-0.1736, 0, 0.9848)),
    ]

    @Test func `The inverted axis is named where the dip is known, and its matrix keeps the dip over the tilts`() throws
    {
        let inverted = Matrix3(diagonal: Vector3(1, 1, -1))
        let (health, context) = Samples.health(
            Samples.turned(Samples.tumble, magnetometer: inverted), earthField: Samples.field)
        let found = try #require(health.findings(context).first { Samples.axisCodes.contains($0.code) })
        #expect(found.code == "magn-z-inverted")
        let matrix = try #require(health.axes.judgement(inclination: 63.4)?.matrix)
        for (field, up) in Self.samples { #expect(abs((matrix * field).dot(up) + 0.3) < 1e-3) }
        // Left as they are they do not: that is what shows.
        #expect(Self.samples.contains { abs($0.0.dot($0.1) - 0.3) > 0.01 })
    }
}
