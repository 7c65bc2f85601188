import func Glibc.atan

/// Decides when to ask the user to turn the device, and when that is settled. One per magnetometer; sessions only
/// repeat what it says.
///
/// Turning the device helps against one thing alone: an unknown hard iron. So the question is asked when the stated
/// accuracy is poor **and** the hard iron's own share of it is large; never because of a place with iron in it
/// (there the field is disturbed and turning teaches wrong things), and once per cause.
public struct CalibrationAdvisor: Sendable {
    /// Thresholds of the advisor. Times in seconds, angles in degrees, fields in µT.
    public struct Parameters: Hashable, Sendable {
        /// An accuracy worse than this, or none at all, is worth asking for. Larger: fewer prompts. Chosen: a heading
        /// that is off by more than 25° sends a walker down the wrong street.
        public var poorAccuracy = 25.0
        /// How long it must stay poor with a steady field before asking. Larger: fewer prompts at a start.
        public var patience = 5.0
        /// While everyday motion teaches the hard iron, its standard deviation falling to this share within `patience`, the user
        /// turns the device enough already: the question waits, …
        public var learningShare = 0.8
        /// … but not longer than this. Larger: fewer prompts at a cold start in use, later ones where use does not suffice.
        /// Chosen: recorded walks had a heading 9–20 s after a cold start.
        public var learningPatience = 20.0
        /// An accuracy better than this settles the question.
        public var settledAccuracy = 12.0
        /// So does a heading error that twice the hard iron's standard deviation can make, if it is below this: what is still poor
        /// then comes from elsewhere, and turning is no help. As `settledAccuracy`, well below `hardIronShare`. A hard iron that
        /// moved is settled by the accuracy alone: its deviation is that of what was learned before.
        public var settledHardIronShare = 12.0
        /// The heading error that twice the hard iron's standard deviation can make must be at least this for turning
        /// to help.
        public var hardIronShare = 20.0
        /// A hard iron that moved by this much (a case, a dock, a magnet cover) asks at once, unless the heading is good all the
        /// same.
        public var movedHardIron = 10.0
        /// Least time between two questions.
        public var pause = 600.0

        /// The values above.
        public init() {}
    }

    /// Why the user is asked: the `reason` of `CalibrationNeeded` and `Calibration1.Reason`.
    public enum Reason: String, Hashable, Sendable {
        /// Nothing was ever learned of this device.
        case neverCalibrated = "never-calibrated"
        /// The hard iron changed: what was learned no longer fits.
        case residual
        /// What was learned is too old to be trusted.
        case age
        /// What was learned was learned much colder or warmer.
        case temperature
    }

    /// What is known at one heading.
    public struct Evidence: Hashable, Sendable {
        /// CLOCK_BOOTTIME in microseconds.
        public var bootMicroseconds: Int64
        /// Stated accuracy in degrees, negative if there is no heading.
        public var accuracy: Double
        /// Standard deviation of the hard iron in µT, largest component; infinite if nothing is known.
        public var hardIronSigma: Double
        /// Horizontal field in µT: the model's, or the estimate.
        public var horizontalField: Double
        /// True if the field of the place is not the earth's, now or for much of the recent past.
        public var isDisturbed: Bool
        /// By how much the hard iron was found to have moved since the evidence before, µT; 0 if it was not.
        public var hardIronStep: Double
        /// True if the heading began from a stored calibration.
        public var startedFromStore: Bool
        /// True if the magnetometer's temperature has changed much since what is stored was learned.
        public var isTemperatureOff: Bool

        /// Evidence.
        public init(
            bootMicroseconds: Int64, accuracy: Double, hardIronSigma: Double, horizontalField: Double,
            isDisturbed: Bool, hardIronStep: Double, startedFromStore: Bool,
            isTemperatureOff: Bool = false
        ) {
            self.bootMicroseconds = bootMicroseconds
            self.accuracy = accuracy
            self.hardIronSigma = hardIronSigma
            self.horizontalField = horizontalField
            self.isDisturbed = isDisturbed
            self.hardIronStep = hardIronStep
            self.startedFromStore = startedFromStore
            self.isTemperatureOff = isTemperatureOff
        }
    }

    /// What changes at a piece of evidence.
    public enum Advice: Hashable, Sendable {
        /// Nothing to say.
        case none
        /// Ask the user to turn the device.
        case ask(Reason)
        /// The question is settled.
        case settled
    }

    /// Thresholds.
    public var parameters: Parameters
    /// The open question, nil if there is none.
    public private(set) var openReason: Reason?
    private var poorSince: Int64?
    /// When the hard iron's standard deviation had fallen to `learningShare` of what it was, and what it then was.
    private var learned: (time: Int64, sigma: Double)?
    private var lastAsked: Int64?

    /// An advisor that has seen nothing.
    public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

    /// Takes one piece of evidence, in time order. NaN counts as nothing known.
    public mutating func update(_ evidence: Evidence) -> Advice {
        if let openReason {
            guard isSettled(openReason, evidence) else { return .none }
            settle()
            return .settled
        }
        if evidence.hardIronStep >= parameters.movedHardIron, !isAccurate(evidence), !evidence.isDisturbed,
            mayAsk(at: evidence.bootMicroseconds)
        {
            return ask(.residual, at: evidence.bootMicroseconds)
        }
        guard isPoor(evidence), !evidence.isDisturbed, turningHelps(evidence) else {
            poorSince = nil
            learned = nil
            return .none
        }
        let since = poorSince ?? evidence.bootMicroseconds
        poorSince = since
        guard seconds(from: since, to: evidence.bootMicroseconds) >= parameters.patience,
            !isLearning(evidence, since: since), mayAsk(at: evidence.bootMicroseconds)
        else {
            noteLearning(evidence)
            return .none
        }
        let stale: Reason = evidence.isTemperatureOff ? .temperature : .age
        return ask(evidence.startedFromStore ? stale : .neverCalibrated, at: evidence.bootMicroseconds)
    }

    /// The user, or a finished calibration, settled the question from outside.
    public mutating func settle() {
        openReason = nil
        poorSince = nil
        learned = nil
    }

    private mutating func ask(_ reason: Reason, at time: Int64) -> Advice {
        openReason = reason
        lastAsked = time
        poorSince = nil
        learned = nil
        return .ask(reason)
    }

    /// True while motion teaches the hard iron by itself.
    private func isLearning(_ evidence: Evidence, since start: Int64) -> Bool {
        guard let learned, seconds(from: start, to: evidence.bootMicroseconds) < parameters.learningPatience else {
            return false
        }
        return seconds(from: learned.time, to: evidence.bootMicroseconds) < parameters.patience
    }

    private mutating func noteLearning(_ evidence: Evidence) {
        guard evidence.hardIronSigma.isFinite else { return }
        guard let known = learned else {
            learned = (evidence.bootMicroseconds, evidence.hardIronSigma)
            return
        }
        if evidence.hardIronSigma <= parameters.learningShare * known.sigma {
            learned = (evidence.bootMicroseconds, evidence.hardIronSigma)
        }
    }

    private func isPoor(_ evidence: Evidence) -> Bool {
        !(evidence.accuracy >= 0 && evidence.accuracy <= parameters.poorAccuracy)
    }

    private func isAccurate(_ evidence: Evidence) -> Bool {
        evidence.accuracy >= 0 && evidence.accuracy < parameters.settledAccuracy
    }

    private func isSettled(_ reason: Reason, _ evidence: Evidence) -> Bool {
        isAccurate(evidence) || reason != .residual && hardIronError(evidence) < parameters.settledHardIronShare
    }

    private func turningHelps(_ evidence: Evidence) -> Bool { hardIronError(evidence) >= parameters.hardIronShare }

    /// Heading error in degrees that twice the hard iron's standard deviation can make; 90 if nothing is known of it.
    private func hardIronError(_ evidence: Evidence) -> Double {
        guard evidence.hardIronSigma.isFinite, evidence.horizontalField > 0 else { return 90 }
        return atan(2 * evidence.hardIronSigma / evidence.horizontalField) * 180 / .pi
    }

    private func mayAsk(at time: Int64) -> Bool {
        guard let lastAsked else { return true }
        return seconds(from: lastAsked, to: time) >= parameters.pause
    }

    private func seconds(from start: Int64, to end: Int64) -> Double { Double(end - start) * 1e-6 }
}
