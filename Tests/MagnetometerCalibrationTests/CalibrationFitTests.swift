import Foundation
import Geometry
import LocateMeModel
import MagnetometerCalibration
import Testing

/// Fits to clouds of which centre, gains and field are known by construction.
@Suite("Calibration fits")
struct CalibrationFitTests {
    static let center = Vector3(85.4, 204.2, -548.3)
    static let gains = Matrix3(
        Vector3(1.04, 0.01, -0.02), Vector3(0.01, 0.98, 0.015), Vector3(-0.02, 0.015, 0.98))

    /// Points of a Fibonacci sphere whose height lies in a range, as raw samples with pseudo-random noise in µT.
    static func cloud(
        count: Int = 600, heights: ClosedRange<Double> = -1...1, noise: Double = 0, softIron: Matrix3 = gains,
        field: Double = 47
    ) -> [Vector3] {
        var state: UInt64 = 42
        func uniform() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / Double(1 << 53)
        }
        func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform() } * noise }
        let inverse = softIron.inverse ?? .identity
        return (0..<count).map { index in
            let height =
                heights.lowerBound + (heights.upperBound - heights.lowerBound) * (Double(index) + 0.5) / Double(count)
            let angle = Double(index) * 2.399963229728653  // the golden angle
            let radius = (1 - height * height).squareRoot()
            let direction = Vector3(radius * cos(angle), radius * sin(angle), height)
            return inverse * (direction * field) + center + Vector3(normal(), normal(), normal())
        }
    }

    @Test("An ellipsoid is found exactly")
    func exact() throws {
        let fit = try CalibrationFitJob(points: Self.cloud()).run()
        #expect(fit.model == .ellipsoid)
        #expect((fit.center - Self.center).length < 0.05)
        // The gains are pulled to 1 a little: within two tenths of a percent.
        for row in 0..<3 {
            for column in 0..<3 { #expect(abs(fit.softIron[row, column] - Self.gains[row, column]) < 2e-3) }
        }
        #expect(abs(fit.field - 47) < 0.05)
        #expect(fit.coverage == 1)
        #expect(fit.rejection(expectedField: 47) == nil)
    }

    @Test("With 2 µT of noise the centre is within its stated deviation", arguments: [100, 200, 600])
    func noisy(count: Int) throws {
        let fit = try CalibrationFitJob(points: Self.cloud(count: count, noise: 2)).run()
        let error = (fit.hardIron - fit.softIron * Self.center).length
        #expect(error < 2 * fit.hardIronSigma)
        #expect(fit.hardIronSigma < 2)
    }

    @Test("Outliers of a passing magnet do not move the centre")
    func outliers() throws {
        var points = Self.cloud(softIron: .identity)
        for index in stride(from: 0, to: points.count, by: 10) { points[index] += Vector3(40, 20, -30) }
        let fit = try CalibrationFitJob(points: points, expectedField: 47).run()
        #expect((fit.center - Self.center).length < 1)
    }

    @Test("On half a sphere the gains stay near 1 and the centre near the truth")
    func partial() throws {
        let points = Self.cloud(count: 120, heights: -0.2...0.8, noise: 1.5, softIron: .identity)
        let fit = try CalibrationFitJob(points: points, expectedField: 47).run()
        #expect((fit.center - Self.center).length < 3)
        for axis in 0..<3 { #expect(abs(fit.softIron[axis, axis] - 1) < 0.03) }
    }

    @Test("A flat spin gives the horizontal hard iron, no gains, and an open vertical")
    func planar() throws {
        // 22.8 µT horizontal, 41.2 down: a table in Grenoble; half a µT of unevenness.
        let points = (0..<200).map { index -> Vector3 in
            let angle = Double(index) / 200 * 2 * Double.pi
            return Self.center + Vector3(22.8 * cos(angle), 22.8 * sin(angle), -41.2 + 0.5 * sin(7 * angle))
        }
        let fit = try CalibrationFitJob(points: points, expectedField: 47.1).run()
        #expect(fit.model == .planar)
        #expect(fit.softIron == .identity)
        #expect(abs(fit.center.x - Self.center.x) < 0.2 && abs(fit.center.y - Self.center.y) < 0.2)
        #expect(abs(fit.field - 22.8) < 0.1)
        #expect(fit.coverage == 1)
        #expect(fit.covariance[0, 0].squareRoot() < 1 && fit.covariance[1, 1].squareRoot() < 1)
        #expect(fit.covariance[2, 2].squareRoot() > 20)
        #expect(fit.rejection(expectedField: 47.1) == nil)
    }

    @Test("A half-turned spin is not accepted")
    func halfSpin() throws {
        let points = (0..<100).map { index -> Vector3 in
            let angle = Double(index) / 100 * Double.pi
            return Vector3(22.8 * cos(angle), 22.8 * sin(angle), -41.2)
        }
        let fit = try CalibrationFitJob(points: points).run()
        #expect(fit.rejection(expectedField: nil) == .coverage)
    }

    @Test("Too few points, too weak and too strong fields, and fields far from the model's are refused with the reason")
    func refused() throws {
        #expect(throws: CalibrationRejection.samples) {
            try CalibrationFitJob(points: Array(Self.cloud().prefix(20))).run()
        }
        #expect(throws: CalibrationRejection.samples) {
            try CalibrationFitJob(points: Array(repeating: Vector3(1, 2, 3), count: 100)).run()
        }
        let weak = try CalibrationFitJob(points: Self.cloud(softIron: .identity, field: 8)).run()
        #expect(weak.rejection(expectedField: nil) == .implausibleField)
        let strong = try CalibrationFitJob(points: Self.cloud(softIron: .identity, field: 130)).run()
        #expect(strong.rejection(expectedField: nil) == .implausibleField)
        let off = try CalibrationFitJob(points: Self.cloud(softIron: .identity, field: 60)).run()
        #expect(off.rejection(expectedField: 47) == .unexpectedField)
        let rough = try CalibrationFitJob(points: Self.cloud(noise: 6)).run()
        #expect(rough.rejection(expectedField: nil) == .residual)
    }

    @Test("Not a number in, no crash and no number out")
    func notFinite() {
        var points = Self.cloud()
        points[4] = Vector3(.nan, 0, 0)
        #expect(throws: CalibrationRejection.self) { try CalibrationFitJob(points: points).run() }
    }
}

@Suite("Calibration points")
struct CalibrationPointsTests {
    @Test("A device at rest adds next to nothing")
    func rest() {
        var points = CalibrationPoints()
        for index in 0..<5000 { points.add(Vector3(20 + Double(index % 7) * 0.9, 10, -40)) }
        #expect(points.count <= 2 * CalibrationPoints.neighbourhoodCapacity)
    }

    @Test("Points are spaced, NaN is refused, and the capacity holds")
    func capacity() {
        var points = CalibrationPoints(spacing: 3, capacity: 50)
        for index in 0..<1000 { points.add(Vector3(Double(index) * 4, 0, 0)) }
        #expect(points.count <= 50)
        #expect(points.added == 1000)
        let refused = points.add(Vector3(.nan, 1, 1))
        #expect(!refused)
        #expect(points.sampled(atMost: 10).count <= 10)
        points.removeAll()
        #expect(points.count == 0)
    }
}

@Suite("Sphere coverage")
struct SphereCoverageTests {
    @Test("Every cell's middle lies in its cell", arguments: 0..<SphereCoverage.cells)
    func middles(cell: Int) {
        let direction = SphereCoverage.direction(ofCell: cell)
        #expect(abs(direction.length - 1) < 1e-12)
        #expect(SphereCoverage.cell(of: direction) == cell)
    }

    @Test("The share counts cells, not samples")
    func share() {
        var coverage = SphereCoverage()
        for _ in 0..<9 { coverage.add(Vector3(0, 0.1, 5)) }
        coverage.add(Vector3(1, 0.1, 0.1))
        coverage.add(.zero)
        coverage.add(Vector3(.nan, 0, 0))
        #expect(coverage.share == 0.02)
    }
}
