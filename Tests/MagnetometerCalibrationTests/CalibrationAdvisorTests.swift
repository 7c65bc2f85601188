import Foundation
import MagnetometerCalibration
import Testing

/// The rules of the prompt: only when turning would help, once per cause, never for a place.
@Suite struct CalibrationAdvisorTests {
    func evidence(
        _ seconds: Double, accuracy: Double, sigma: Double = 300, disturbed: Bool = false, step: Double = 0,
        stored: Bool = false
    ) -> CalibrationAdvisor.Evidence {
        .init(
            bootMicroseconds: Int64(seconds * 1e6), accuracy: accuracy, hardIronSigma: sigma, horizontalField: 20,
            isDisturbed: disturbed, hardIronStep: step, startedFromStore: stored)
    }

    /// Every advice over a run of evidence at 10 Hz.
    func run(
        _ advisor: inout CalibrationAdvisor, from start: Double = 0, seconds: Double,
        _ make: (Double) -> CalibrationAdvisor.Evidence
    ) -> [CalibrationAdvisor.Advice] {
        stride(from: start, to: start + seconds, by: 0.1).map { advisor.update(make($0)) }.filter { $0 != .none }
    }

    @Test func aColdStillDeviceIsAskedForOnceInAMinute() {
        var advisor = CalibrationAdvisor()
        #expect(run(&advisor, seconds: 60) { evidence($0, accuracy: -1) } == [.ask(.neverCalibrated)])
    }

    @Test func nobodyIsAskedBeforeTheFieldWasSteadyForFiveSeconds() {
        var advisor = CalibrationAdvisor()
        #expect(run(&advisor, seconds: 4.9) { evidence($0, accuracy: -1) } == [])
        // A second of disturbance begins the five seconds anew.
        #expect(run(&advisor, from: 5, seconds: 1) { evidence($0, accuracy: -1, disturbed: true) } == [])
        #expect(run(&advisor, from: 6, seconds: 4.9) { evidence($0, accuracy: -1) } == [])
        #expect(run(&advisor, from: 10.9, seconds: 0.3) { evidence($0, accuracy: -1) } == [.ask(.neverCalibrated)])
    }

    @Test func aGoodHeadingIsNeverAskedFor() {
        var advisor = CalibrationAdvisor()
        #expect(run(&advisor, seconds: 300) { evidence($0, accuracy: 10, sigma: 1, stored: true) } == [])
    }

    @Test func aPoorHeadingAmongMagnetsIsThePlacesFault() {
        var advisor = CalibrationAdvisor()
        #expect(run(&advisor, seconds: 300) { evidence($0, accuracy: 50, sigma: 30, disturbed: true) } == [])
    }

    @Test func aPoorHeadingWithAKnownHardIronIsNotHelpedByTurning() {
        // 2 · 1.5 µT in 20 µT is 8.5°: the rest of the 40° comes from elsewhere.
        var advisor = CalibrationAdvisor()
        #expect(run(&advisor, seconds: 300) { evidence($0, accuracy: 40, sigma: 1.5, stored: true) } == [])
    }

    @Test func theQuestionIsSettledBelowTwelveDegreesAndNotBefore() {
        var advisor = CalibrationAdvisor()
        _ = run(&advisor, seconds: 6) { evidence($0, accuracy: -1) }
        #expect(advisor.openReason == .neverCalibrated)
        #expect(run(&advisor, from: 6, seconds: 5) { evidence($0, accuracy: 13) } == [])
        #expect(run(&advisor, from: 11, seconds: 5) { evidence($0, accuracy: 11) } == [.settled])
        #expect(advisor.openReason == nil)
    }

    @Test func aHardIronThatIsKnownSettlesTheQuestionWhateverThePlaceDoesToTheHeading() {
        // Twice 2.2 µT across 20 µT are 12.4°, twice 2.1 µT are 11.9°; no accuracy is settling here.
        for stored in [false, true] {
            var advisor = CalibrationAdvisor()
            #expect(run(&advisor, seconds: 6) { evidence($0, accuracy: -1, sigma: 9, stored: stored) }.count == 1)
            #expect(run(&advisor, from: 6, seconds: 5) { evidence($0, accuracy: 30, sigma: 2.2) } == [])
            let answers = run(&advisor, from: 11, seconds: 60) {
                evidence($0, accuracy: 30, sigma: 2.1, disturbed: true)
            }
            #expect(answers == [.settled])
            #expect(advisor.openReason == nil)
        }
    }

    @Test func aMovedHardIronIsSettledByTheHeadingAlone() {
        var advisor = CalibrationAdvisor()
        #expect(advisor.update(evidence(0, accuracy: 15, sigma: 1, step: 12, stored: true)) == .ask(.residual))
        #expect(run(&advisor, from: 1, seconds: 5) { evidence($0, accuracy: 15, sigma: 1, stored: true) } == [])
        #expect(advisor.update(evidence(7, accuracy: 11, sigma: 1, stored: true)) == .settled)
    }

    @Test func aMovedHardIronAsksAtOnceButNotTwiceInTenMinutes() {
        var advisor = CalibrationAdvisor()
        #expect(advisor.update(evidence(0, accuracy: 15, step: 12, stored: true)) == .ask(.residual))
        #expect(advisor.update(evidence(1, accuracy: 8, stored: true)) == .settled)
        #expect(advisor.update(evidence(300, accuracy: 15, step: 12, stored: true)) == .none)
        #expect(advisor.update(evidence(601, accuracy: 15, step: 12, stored: true)) == .ask(.residual))
    }

    @Test func aMoveThatTheHeadingHasAlreadyTakenIsNotAskedFor() {
        var advisor = CalibrationAdvisor()
        #expect(advisor.update(evidence(0, accuracy: 10, step: 30, stored: true)) == .none)
    }

    @Test func aMoveFoundAmongMagnetsIsThePlacesFault() {
        var advisor = CalibrationAdvisor()
        #expect(advisor.update(evidence(0, accuracy: 30, disturbed: true, step: 30, stored: true)) == .none)
    }

    @Test func whileUseTeachesTheHardIronNobodyIsAskedForTwentySeconds() {
        // A walk after a cold start: the deviation halves every three seconds and the heading is good after fifteen.
        var advisor = CalibrationAdvisor()
        let walk = run(&advisor, seconds: 60) { time in
            evidence(time, accuracy: time < 15 ? -1 : 10, sigma: max(1, 30 * exp2(-time / 3)))
        }
        #expect(walk == [])
        // The same walk that never gets there is asked for, once, when its patience ends.
        var patient = CalibrationAdvisor()
        let answers = run(&patient, seconds: 19) { evidence($0, accuracy: -1, sigma: 300 * exp2(-$0 / 6)) }
        #expect(answers == [])
        let late = run(&patient, from: 19, seconds: 20) { evidence($0, accuracy: -1, sigma: 300 * exp2(-$0 / 6)) }
        #expect(late == [.ask(.neverCalibrated)])
    }

    @Test func aStoredCalibrationIsBlamedOnItsAgeOrOnTheTemperature() {
        for (isOff, reason) in [(false, CalibrationAdvisor.Reason.age), (true, .temperature)] {
            var advisor = CalibrationAdvisor()
            let answers = run(&advisor, seconds: 10) { time in
                var poor = evidence(time, accuracy: 40, sigma: 9, stored: true)
                poor.isTemperatureOff = isOff
                return poor
            }
            #expect(answers == [.ask(reason)])
        }
    }

    @Test func aSmallMoveIsLeftToTheFilter() {
        var advisor = CalibrationAdvisor()
        #expect(advisor.update(evidence(0, accuracy: 15, step: 9.9, stored: true)) == .none)
    }

    @Test func notANumberCountsAsNothingKnown() {
        var advisor = CalibrationAdvisor()
        let answers = run(&advisor, seconds: 10) { evidence($0, accuracy: .nan, sigma: .nan) }
        #expect(answers == [.ask(.neverCalibrated)])
    }
}
