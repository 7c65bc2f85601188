import Geometry
import HeadingEstimation
import LocateMeModel
import Testing

@Suite("Heading composer")
struct HeadingComposerTests {
    private func estimate(accuracy: Double) -> HeadingEstimate {
        var estimate = HeadingEstimate(bootMicroseconds: 7, field: Vector3(0, 3, -4), source: .fused9)
        estimate.attitude = attitude(heading: 359)
        estimate.accuracyDegrees = accuracy
        estimate.hasTilt = true
        return estimate
    }
    private let field = EarthField(declination: 3, declinationAccuracy: 4, horizontal: 30, down: 40)

    private func compose(_ estimate: HeadingEstimate, _ field: EarthField?) -> Heading {
        var reference = HeadingReference()
        return HeadingComposer.heading(
            of: estimate, reference: &reference, orientation: .portrait, earthField: field, model: "WMM2025",
            realMicroseconds: 11)
    }

    @Test("True is magnetic plus declination, wrapped, and its accuracy holds both bounds")
    func trueHeading() {
        let heading = compose(estimate(accuracy: 3), field)
        #expect(abs(heading.magnetic - 359) < 1e-9)
        #expect(abs(heading.trueHeading - 2) < 1e-9)
        #expect(abs(heading.accuracy - 5) < 1e-12)  // 3-4-5
        #expect(heading.expectedField == 50)
        #expect(abs(heading.expectedInclination - 53.13010235415598) < 1e-9)  // atan(4/3)
        #expect(heading.model == "WMM2025")
        #expect((heading.realMicroseconds, heading.bootMicroseconds) == (11, 7))
        #expect(heading.fieldStrength == 5)
    }

    @Test("Without a place nothing is said of it")
    func withoutPlace() {
        let heading = compose(estimate(accuracy: 3), nil)
        #expect(heading.trueHeading == -1)
        #expect(heading.accuracy == 3)
        #expect(heading.declination.isNaN && heading.expectedField.isNaN && heading.model.isEmpty)
    }

    @Test("An invalid estimate makes an invalid heading, magnetic and true")
    func invalid() {
        let heading = compose(estimate(accuracy: -1), field)
        #expect(heading.magnetic == -1 && heading.trueHeading == -1 && heading.accuracy == -1)
    }

    @Test("A hub's heading has no pitch and no roll")
    func hub() {
        var estimator = HeadingEstimator()
        let estimate = estimator.update(
            SensorSample(bootMicroseconds: 1, reading: .hubHeading(degrees: 271, accuracyDegrees: 9)))
        let heading = compose(estimate ?? self.estimate(accuracy: -1), nil)
        #expect(abs(heading.magnetic - 271) < 1e-9)
        #expect(heading.accuracy == 9)
        #expect(heading.source == .hub)
        #expect(heading.pitch.isNaN && heading.roll.isNaN)
    }
}
