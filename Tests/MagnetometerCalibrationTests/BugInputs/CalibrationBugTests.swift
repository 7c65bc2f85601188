import Foundation
import Geometry
import LocateMeModel
import TestSupport
import Testing

@testable import MagnetometerCalibration

/// Clouds that broke calibrators of others, and their kin. The origins stand at each test.
@Suite("Bug inputs: calibration")
struct CalibrationBugTests {
    /// flat-spin-three-d-fit: a 3-D fit of a level turn returned NaN and was stored (Razor-AHRS/razor-9dof-ahrs#69,
    /// RigacciOrg/py-qmc5883l#6, betaflight/betaflight-configurator#5174, uf-mil/mil2#485).
    @Test("flat-spin-three-d-fit: a level turn gives its circle, a 3-D fit of it is refused, nothing is NaN")
    func flatSpin() throws {
        let text = try String(
            contentsOf: Repository.file("Tests/Recordings/flat-spin-three-d-fit.csv"), encoding: .utf8)
        let points = text.split(separator: "\n").dropFirst().compactMap { line -> Vector3? in
            let numbers = line.split(separator: ",").compactMap { Double($0) }
            return numbers.count == 3 ? Vector3(numbers[0], numbers[1], numbers[2]) : nil
        }
        #expect(points.count == 90)
        let planar = try CalibrationFitJob(points: points).run()
        #expect(planar.model == .planar)
        #expect(abs(planar.center.x - 40) < 0.5 && abs(planar.center.y + 20) < 0.5)
        #expect(abs(planar.field - 45) < 0.5)
        #expect(planar.center.isFinite && planar.covariance.isFinite && planar.residual.isFinite)
        #expect(planar.stored.defect == nil)
        // A guided tumble that was only a turn is refused for its coverage.
        var run = GuidedCalibration(method: .figureEight, startedAt: 0, timeoutMicroseconds: 1_000_000)
        for (index, point) in points.enumerated() { run.add(point, at: Int64(index) * 10_000) }
        run.take(.success(planar))
        run.add(points[0], at: 2_000_000)
        guard case .failed(let reason) = run.state else {
            Issue.record("a turn was taken for a tumble")
            return
        }
        #expect(reason.contains("directions"))
        // Told to fit three dimensions all the same: refused, and no number that is none.
        var forced = CalibrationFitParameters()
        forced.flatness = 0
        for plane in [0.0, 1e-9, 0.02] {
            let tilted = points.enumerated().map { $1 + Vector3(0, 0, plane * sin(Double($0))) }
            do throws(CalibrationRejection) {
                let fit = try CalibrationFitJob(points: tilted, parameters: forced).run()
                #expect(fit.rejection(expectedField: nil) != nil)
                #expect(fit.center.isFinite && fit.softIron.isFinite)
            } catch {
                #expect(error == .samples || error == .coverage)
            }
        }
    }

    /// too-few-points: an ellipsoid fitted to eight points (uf-mil/mil2#485, ZSWatch/ZSWatch#581).
    @Test("too-few-points: eight points are no ellipsoid, but they are a sphere")
    func tooFew() throws {
        let points = [
            Vector3(51, 0, -1), Vector3(-49, 1, 0), Vector3(0, 50, 2), Vector3(1, -50, 0), Vector3(0, 1, 49),
            Vector3(-1, 0, -51), Vector3(35, 35, 1), Vector3(-34, 36, 0),
        ]
        for count in 0...points.count {
            #expect(throws: CalibrationRejection.samples) {
                try CalibrationFitJob(points: Array(points.prefix(count))).run()
            }
        }
        let sphere = try #require(SphereFit(points, stride: 1))
        #expect(sphere.center.length < 2)
        #expect(abs(sphere.radius - 50) < 2)
    }

    /// span-too-small: accepted from a device that hardly moved (mprograms/QMC5883LCompass#5).
    @Test("span-too-small: noise about one direction is no calibration, in counts or in µT", arguments: [1.0, 0.03])
    func span(scale: Double) {
        var state: UInt64 = 7
        func uniform(_ low: Double, _ high: Double) -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return low + (high - low) * Double(state >> 11) / Double(1 << 53)
        }
        let points = (0..<400).map { _ in
            Vector3(uniform(102, 108), uniform(-44, -39), uniform(310, 316)) * scale
        }
        do throws(CalibrationRejection) {
            let fit = try CalibrationFitJob(points: points).run()
            #expect(fit.rejection(expectedField: nil) == .coverage)
        } catch {
            #expect(error == .samples)
        }
        var run = GuidedCalibration(method: .figureEight, startedAt: 0, timeoutMicroseconds: 3_000_000)
        for (index, point) in points.enumerated() {
            run.add(point, at: Int64(index) * 10_000)
            if let job = run.takeFitJob() { run.take(Result { () throws(CalibrationRejection) in try job.run() }) }
        }
        guard case .failed(let reason) = run.state else {
            Issue.record("accepted: \(run.state)")
            return
        }
        #expect(reason.contains("turned"))
    }

    /// offset-limit-too-tight: a valid fit was refused for its offset (PX4/PX4-Autopilot#28549, #13717).
    @Test("offset-limit-too-tight: gauss of hard iron are normal inside phones", arguments: [1.0, 5, 15])
    func offset(factor: Double) throws {
        // 2.1, −0.4, 0.9 G and a field of 0.48 G with 0.006 G of noise.
        let center = Vector3(210, -40, 90) * factor
        let points = CalibrationFitTests.cloud(count: 600, noise: 0.6, softIron: .identity, field: 48).map {
            $0 - CalibrationFitTests.center + center
        }
        let fit = try CalibrationFitJob(points: points).run()
        #expect(fit.rejection(expectedField: nil) == nil)
        #expect((fit.center - center).length < 0.5)
        #expect(fit.stored.defect == nil)
        // The same with an axis at the end of its range is no sphere.
        let clipped = points.map { Vector3(min($0.x, center.x + 10), $0.y, $0.z) }
        do throws(CalibrationRejection) {
            #expect(try CalibrationFitJob(points: clipped).run().rejection(expectedField: nil) != nil)
        } catch {
            // Refused as well.
        }
    }
}
