import CompassDiagnosis
import Geometry
import LocateMeModel
import Testing

/// matrix-against-panel-not-case: hwdb matrices of accelerometers are for the panel; in a landscape case a portrait panel is
/// turned by 90° against the magnetometer's frame (systemd/systemd#40067, #40576).
struct MatrixAgainstPanelNotCaseTests {
    /// Panel x = case y, panel y = −case x: case (0, 0.5, 0.866) is panel (0.5, 0, 0.866).
    private static let panelOfCase = Matrix3(Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))

    @Test func `It shows over tilts and is called two frames, with the case's matrix as the remedy`() throws {
        // No gyroscope, as in such tablets.
        let samples = Samples.turned(Samples.tumble, accelerometer: Self.panelOfCase).filter {
            if case .angularRate = $0.reading { false } else { true }
        }
        let (health, context) = Samples.health(samples)
        let found = try #require(health.findings(context).first { Samples.axisCodes.contains($0.code) })
        #expect(found.code == "accel-and-magn-frames-differ")
        #expect(found.text.contains("or the accelerometer's"), "\(found.text)")
    }

    @Test func `It does not show while the device lies flat`() {
        var axes = AxisAgreement()
        for step in 0..<300 {
            let angle = Double(step) * 0.05
            axes.update(
                force: Self.panelOfCase * Vector3(0, 0, 9.80665),
                field: Vector3(-21 * angle.sine, 21 * angle.cosine, -42))
        }
        #expect(axes.judgement(inclination: 63.4) == nil)
    }
}
