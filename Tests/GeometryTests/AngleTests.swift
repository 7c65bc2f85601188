import Geometry
import Testing

@Suite("Angles")
struct AngleTests {
    @Test(
        "A direction wraps into [0, 360)",
        arguments: [
            (0, 0), (359.75, 359.75), (360, 0), (360.25, 0.25), (719.5, 359.5), (-0.5, 359.5), (-360, 0),
            (-720.5, 359.5),
            (36_000_090, 90), (-36_000_090, 270),
        ] as [(Double, Double)])
    func wrap360(degrees: Double, expected: Double) {
        #expect(Angle.wrap360(degrees) == expected)
    }

    @Test(
        "A direction wraps into [−180, 180)",
        arguments: [
            (0, 0), (179.5, 179.5), (180, -180), (-180, -180), (180.5, -179.5), (-180.5, 179.5), (540, -180),
            (270, -90),
            (-270, 90), (360, 0), (-359.5, 0.5),
        ] as [(Double, Double)])
    func wrap180(degrees: Double, expected: Double) {
        #expect(Angle.wrap180(degrees) == expected)
    }

    // −1e-17 + 360 rounds to 360 in binary floating point.
    @Test(
        "The upper bound is never reached, however close the direction comes from below",
        arguments: [-1e-17, -Double.leastNonzeroMagnitude, -1e-14, 360.0.nextDown, -360.0.nextUp])
    func openUpperBound(degrees: Double) {
        #expect((0..<360).contains(Angle.wrap360(degrees)))
        #expect((-180..<180).contains(Angle.wrap180(degrees)))
    }

    @Test("North is plus zero, so that nobody prints -0.0", arguments: [-0.0, -360.0, -720.0, 360.0])
    func plusZero(degrees: Double) {
        #expect(Angle.wrap360(degrees).sign == .plus)
        #expect(Angle.wrap180(degrees).sign == .plus)
    }

    @Test("What is not a direction stays NaN", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(degrees: Double) {
        #expect(Angle.wrap360(degrees).isNaN)
        #expect(Angle.wrap180(degrees).isNaN)
        #expect(Angle.turn(from: degrees, to: 10).isNaN)
        #expect(Angle.turn(from: 10, to: degrees).isNaN)
    }

    @Test(
        "A turn takes the shorter way and is positive clockwise",
        arguments: [
            (350, 10, 20), (10, 350, -20), (0, 90, 90), (90, 0, -90), (0, 180, -180), (180, 0, -180),
            (270, 269.5, -0.5),
            (359.5, 0.5, 1), (725, 5, 0), (-10, 10, 20),
        ] as [(Double, Double, Double)])
    func turn(start: Double, end: Double, expected: Double) {
        #expect(Angle.turn(from: start, to: end) == expected)
    }

    @Test("Whole turns change nothing", arguments: Array(stride(from: -179.5, to: 180, by: 15.25)), [-7, -1, 1, 12])
    func wholeTurns(degrees: Double, turns: Int) {
        // Exact: all numbers here are multiples of 1/4.
        #expect(Angle.wrap180(degrees + Double(turns) * 360) == degrees)
        #expect(Angle.wrap360(degrees + Double(turns) * 360) == (degrees < 0 ? degrees + 360 : degrees))
    }

    @Test("Degrees and radians are each other's inverse, and half a turn is π")
    func factors() {
        #expect(180 * Angle.radiansPerDegree == Double.pi)
        #expect(abs(Angle.radiansPerDegree * Angle.degreesPerRadian - 1) < 1e-15)
    }
}
