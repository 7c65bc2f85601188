import Foundation
import Geometry
import MagnetometerCalibration
import Testing

@Suite struct FieldScaleWatchTests {
    /// A tumble at 50 Hz: a spherical spiral of 48 µT around a hard iron, in the unit a faulty driver reports.
    func watch(
        scale: Double, field: Double = 48, hardIron: Vector3 = Vector3(-30, 12, 80), share: Double = 1,
        expected: Double? = nil
    ) -> (watch: FieldScaleWatch, findings: Int) {
        var watch = FieldScaleWatch()
        var findings = 0
        for step in 0..<1000 {
            let phase = Double(step) / 1000 * share
            let z = 1 - 2 * phase
            let radius = max(0, 1 - z * z).squareRoot()
            let angle = phase * 12 * 2 * Double.pi
            let raw = hardIron + Vector3(radius * cos(angle), radius * sin(angle), z) * field
            if watch.update(raw * scale, expectedField: expected) { findings += 1 }
        }
        return (watch, findings)
    }

    /// hmc5843 prints its scale 100 times too small, HID hubs were seen 10⁴ too small, a unit exponent read wrong is
    /// any power.
    @Test(arguments: [0.01, 0.0001, 0.001, 0.1, 10.0, 100.0, 1000.0])
    func aPowerOfTenIsFoundOnceAndRepaired(scale: Double) {
        let (watch, findings) = watch(scale: scale)
        #expect(findings == 1)
        #expect(abs(watch.factor * scale - 1) < 1e-9)
    }

    /// The weakest and the strongest field on earth, and what buildings make of them.
    @Test(arguments: [22.0, 30, 48, 60, 67])
    func aRightScaleIsLeftAlone(field: Double) {
        let (watch, findings) = watch(scale: 1, field: field)
        #expect(findings == 0)
        #expect(watch.factor == 1)
        #expect(watch.isDecided)
    }

    @Test func aHugeHardIronIsNoScaleFault() {
        // Galaxy Express: |B| of 35 G on a phone whose scale is right.
        let (watch, findings) = watch(scale: 1, hardIron: Vector3(2000, -1500, 2400))
        #expect(findings == 0)
        #expect(watch.factor == 1)
    }

    @Test func aFactorThatIsKnownIsUsedAtOnceAndCorrectedWhereTheDriverWasRepaired() {
        for (scale, expected) in [(0.01, 100.0), (1, 1)] {
            var watch = FieldScaleWatch(factor: 100)
            #expect(watch.factor == 100)
            var changes = 0
            for index in 0..<400 {
                let z = 1 - 2 * (Double(index) + 0.5) / 400
                let radius = (1 - z * z).squareRoot()
                let angle = Double(index) * 2.399963229728653
                let field = Vector3(radius * cos(angle), radius * sin(angle), z) * 48 + Vector3(30, -20, 60)
                if watch.update(field * scale, expectedField: 48) { changes += 1 }
            }
            #expect(watch.factor == expected)
            #expect(changes == (expected == 100 ? 0 : 1))
        }
    }

    @Test func aDeviceThatHardlyMovedDecidesNothing() {
        let (watch, findings) = watch(scale: 0.01, share: 0.03)
        #expect(findings == 0)
        #expect(!watch.isDecided)
    }

    @Test func aFactorThatIsNoPowerOfTenIsNotRepaired() {
        // 19 times too weak (LSM303DLH at its widest range): 2.5 µT is no earth field at any power of ten of 25 µT: the model says 48.
        let (watch, _) = watch(scale: 1.0 / 19, expected: 48)
        #expect(watch.factor == 1)
        #expect(!watch.isDecided)
    }

    @Test func notANumberIsIgnored() {
        var watch = FieldScaleWatch()
        let found = [Vector3(.nan, 1, 1), Vector3(.infinity, 1, 1)].map { watch.update($0, expectedField: 48) }
        #expect(found == [false, false])
        #expect(watch.factor == 1)
    }
}
