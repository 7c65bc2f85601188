import CompassDiagnosis
import Geometry
import LocateMeModel
import Testing

/// components-mistaken: 190.7, 12.4, 450.4 mG are expected north, east and down, and a level chip shows 190.7, −3.3,
/// −198.6 (kriswiner/MPU9250#54). Strength and dip tell what is wrong, not single axes.
@Test func `components-mistaken: a vertical part that is too small is told from strength and dip`() {
    var health = CompassHealth()
    var context = CompassHealth.Context()
    // µT; horizontal √(190.7² + 12.4²) mG.
    context.earthField = EarthField(declination: 3.7, declinationAccuracy: 1, horizontal: 19.11, down: 45.04)
    for _ in 0..<120 {
        health.update(
            calibratedField: Vector3(19.07, -0.33, -19.86), up: Vector3(0, 0, 1), isDisturbed: false)
    }
    #expect(health.findings(context).map(\.code) == ["magn-vertical-too-small"])
    #expect(abs(health.field.strength - 27.54) < 0.01)
}
