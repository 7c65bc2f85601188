import Foundation
import Geometry
import Testing

@testable import MagnetometerCalibration

/// Runs over synthetic tumbles whose hard and soft iron are known exactly.
@Suite struct GuidedCalibrationTests {
    /// A phone's: far larger than the field it hides.
    let hardIron = Vector3(-120, 45, 310)
    let field = 48.0

    /// A direction that winds from pole to pole in 15 turns: spherical spiral, `phase` 0…1.
    func spiral(_ phase: Double) -> Vector3 {
        let z = 1 - 2 * phase
        let radius = (max(0, 1 - z * z)).squareRoot()
        let angle = phase * 15 * 2 * Double.pi
        return Vector3(radius * cos(angle), radius * sin(angle), z)
    }

    /// Feeds raw samples at 50 Hz and runs the fits as they fall due; the number of fits.
    @discardableResult
    func feed(
        _ run: inout GuidedCalibration, from start: Double = 0, seconds: Double, raw: (Double) -> Vector3
    ) -> Int {
        var fits = 0
        for step in 0..<Int(seconds * 50) {
            let share = Double(step) / (seconds * 50)
            run.add(raw(share), at: Int64((start + share * seconds) * 1e6))
            if let job = run.takeFitJob() {
                fits += 1
                run.take(Result { () throws(CalibrationRejection) in try job.run() })
            }
        }
        return fits
    }

    func tumble(timeout: Double = 60, expected: Double? = 48) -> GuidedCalibration {
        GuidedCalibration(
            method: .figureEight, startedAt: 0, timeoutMicroseconds: Int64(timeout * 1e6), expectedField: expected)
    }

    @Test func aTumbleFindsTheHardIron() throws {
        var run = tumble()
        feed(&run, seconds: 20) { hardIron + spiral($0) * field }
        guard case .ready(let fit) = run.state else {
            Issue.record("not ready: \(run.progress)")
            return
        }
        #expect((fit.center - hardIron).length < 0.2)
        #expect(run.progress.coverage == 1)
        #expect(run.progress.bins.count == 100)
    }

    @Test func fitsAreAskedForAtMostTwiceASecond() {
        var run = tumble()
        #expect((10...40).contains(feed(&run, seconds: 20) { hardIron + spiral($0) * field }))
    }

    @Test func halfASphereIsNotEnoughAndTheHintNamesTheOtherHalf() {
        var run = tumble()
        // Only fields that leave through the upper half: the back was never turned down.
        feed(&run, seconds: 20) { hardIron + spiral($0 * 0.35) * field }
        #expect(run.state == .collecting)
        #expect(run.progress.hint == "Point the back to the ground and keep turning.")
    }

    @Test func southOfTheEquatorTheHintPointsToTheSky() {
        var run = GuidedCalibration(
            method: .figureEight, startedAt: 0, timeoutMicroseconds: 60_000_000, expectedField: 48,
            fieldPointsDown: false)
        feed(&run, seconds: 20) { hardIron + spiral($0 * 0.35) * field }
        #expect(run.progress.hint == "Point the back to the sky and keep turning.")
    }

    @Test func aDeviceLeftAloneEndsWithTheReason() {
        var run = tumble(timeout: 10)
        feed(&run, seconds: 12) { _ in hardIron + Vector3(20, 0, -43) }
        guard case .failed(let reason) = run.state else {
            Issue.record("did not end: \(run.state)")
            return
        }
        #expect(reason.contains("hardly turned"))
    }

    @Test func aRunThatSawHalfTheSphereEndsWithTheSidesThatAreMissing() {
        // Only directions with a positive z and x were seen: screen and right edge.
        var run = tumble(timeout: 10)
        feed(&run, seconds: 12) { share in
            let direction = spiral(share * 0.45)
            return hardIron + Vector3(abs(direction.x), direction.y, direction.z) * field
        }
        guard case .failed(let reason) = run.state else {
            Issue.record("did not end: \(run.state)")
            return
        }
        #expect(reason.contains("back") && reason.contains("left edge"))
        #expect(!reason.contains("right edge") && !reason.contains("screen"))
        #expect(reason.hasSuffix("never pointed to the ground"))
    }

    @Test func aFieldFullOfMagnetsIsRefused() {
        var run = tumble(timeout: 20)
        feed(&run, seconds: 21) { share in
            // 15 µT that change with the place, not with the device: no sphere at all.
            let wobble = Vector3(sin(share * 211), sin(share * 307 + 1), sin(share * 401 + 2)) * 15
            return hardIron + spiral(share) * field + wobble
        }
        guard case .failed(let reason) = run.state else {
            Issue.record("was accepted: \(run.state)")
            return
        }
        #expect(reason.contains("uneven"))
    }

    @Test func aFieldOfTheWrongStrengthIsRefused() {
        var run = tumble(timeout: 20, expected: 48)
        feed(&run, seconds: 21) { hardIron + spiral($0) * 70 }
        guard case .failed(let reason) = run.state else {
            Issue.record("was accepted: \(run.state)")
            return
        }
        #expect(reason.contains("strength"))
    }

    @Test func aGoodFitSurvivesAMagnetOnTheLastTurn() {
        var run = tumble(timeout: 60)
        feed(&run, seconds: 20) { hardIron + spiral($0) * field }
        guard case .ready = run.state else {
            Issue.record("not ready")
            return
        }
        feed(&run, from: 20, seconds: 20) { hardIron + spiral($0) * field + Vector3(60 * $0, 30, -40 * $0) }
        guard case .ready(let fit) = run.state else {
            Issue.record("the good fit was taken away")
            return
        }
        #expect((fit.center - hardIron).length < 1)
    }

    @Test func aTurnOnTheLevelFindsThePlanesHardIronAndFitsNoGains() {
        var run = GuidedCalibration(
            method: .flatTurn, startedAt: 0, timeoutMicroseconds: 60_000_000, expectedField: 48)
        feed(&run, seconds: 20) { share in
            let angle = share * 2 * Double.pi
            return hardIron + Vector3(21 * sin(angle), 21 * cos(angle), -43)
        }
        guard case .ready(let fit) = run.state else {
            Issue.record("not ready: \(run.progress)")
            return
        }
        #expect(fit.model == .planar)
        #expect(fit.softIron == .identity)
        #expect(abs(fit.center.x - hardIron.x) < 0.1)
        #expect(abs(fit.center.y - hardIron.y) < 0.1)
        #expect(fit.covariance[2, 2].squareRoot() > 20)
        #expect(run.progress.bins.filter { $0 > 0 }.count == 20)
    }

    /// The horizontal field of the equator, of central Europe, and of northern Norway (World Magnetic Model 2025), µT.
    @Test(arguments: [38.0, 21, 11])
    func aTurnOnTheLevelShowsItsProgressFromTheFirstSamplesOn(horizontal: Double) {
        var run = GuidedCalibration(method: .flatTurn, startedAt: 0, timeoutMicroseconds: 60_000_000)
        var seen: [Double] = []
        // Once around in 20 s, looked at each second.
        for second in 0..<20 {
            feed(&run, from: Double(second), seconds: 1) { share in
                let angle = (Double(second) + share) / 20 * 2 * Double.pi
                return hardIron + Vector3(horizontal * sin(angle), horizontal * cos(angle), -43)
            }
            seen.append(run.progress.coverage)
            #expect(run.progress.bins[0] > 0, "the first sector is the first sample's")
            #expect(run.progress.bins.filter { $0 > 0 }.count == Int((seen[second] * 20).rounded()))
        }
        #expect(seen[0] > 0)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $1 > $0 - 0.11 }, "\(seen)")
        for (second, share) in seen.enumerated() {
            // Until the radius is known it is taken for 20 µT: a quarter of a turn is then shown as 0.13 to 0.5.
            let turned = Double(second + 1) / 20
            #expect(share > 0.35 * turned && share < 2 * turned + 0.11, "\(seen)")
        }
        #expect(seen[19] > 0.9)
    }

    @Test func aTurnOnTheLevelIsNoTumble() {
        var run = tumble(timeout: 20)
        feed(&run, seconds: 21) { share in
            let angle = share * 2 * Double.pi
            return hardIron + Vector3(21 * sin(angle), 21 * cos(angle), -43)
        }
        guard case .failed(let reason) = run.state else {
            Issue.record("was accepted: \(run.state)")
            return
        }
        #expect(reason.contains("enough directions"))
    }

    @Test func samplesThatAreNotNumbersAreIgnored() {
        var run = tumble()
        feed(&run, seconds: 20) { share in
            Int(share * 1000) % 7 == 0 ? Vector3(.nan, .infinity, 1) : hardIron + spiral(share) * field
        }
        guard case .ready(let fit) = run.state else {
            Issue.record("not ready")
            return
        }
        #expect((fit.center - hardIron).length < 0.2)
    }
}
