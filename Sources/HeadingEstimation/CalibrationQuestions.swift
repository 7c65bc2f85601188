import Geometry
import LocateMeModel
public import MagnetometerCalibration

/// When to ask for a calibration, seen from an estimator: collects the advisor's evidence a few times a second.
public struct CalibrationQuestions: Sendable {
    /// Interval of the evidence in microseconds.
    private static let interval: Int64 = 200_000
    /// Horizontal field in µT where no place is known: Central Europe's.
    private static let unplacedHorizontal = 20.0

    private var advisor = CalibrationAdvisor()
    private var next = Int64.min
    /// Moves of the hard iron that the advisor knows of.
    private var movesSeen = 0

    /// Nothing asked yet.
    public init() {}

    /// The open question, nil if there is none.
    public var openReason: CalibrationAdvisor.Reason? { advisor.openReason }

    /// Whether an estimate at this time would be looked at: asked first, it spares the caller the rest.
    public func isDue(at bootMicroseconds: Int64) -> Bool { bootMicroseconds >= next }

    /// Takes an estimate and the estimator that has just made it. A source that delivers a calibrated field is never asked for.
    ///
    /// - Parameters:
    ///   - startedFromStore: the estimator began with a stored calibration.
    ///   - bootMicroseconds: CLOCK_BOOTTIME, or time since a recording's start.
    public mutating func update(
        _ estimate: HeadingEstimate, of estimator: HeadingEstimator, startedFromStore: Bool,
        at bootMicroseconds: Int64
    ) -> CalibrationAdvisor.Advice {
        guard isDue(at: bootMicroseconds), !estimator.fieldIsCalibrated else { return .none }
        next = bootMicroseconds + Self.interval
        let moves = estimator.hardIronMoves
        let step = moves.count > movesSeen ? moves.last : 0
        movesSeen = moves.count
        let sigma = estimator.hardIronSigma
        return advisor.update(
            .init(
                bootMicroseconds: bootMicroseconds, accuracy: estimate.accuracyDegrees,
                hardIronSigma: max(sigma.x, sigma.y, sigma.z),
                horizontalField: estimator.earthField?.horizontal ?? Self.unplacedHorizontal,
                isDisturbed: estimator.isPlaceDisturbed, hardIronStep: step, startedFromStore: startedFromStore,
                isTemperatureOff: estimator.hasNotableTemperatureChange))
    }

    /// A calibration came into force from elsewhere: an open question is answered.
    public mutating func settle() { advisor.settle() }
}
