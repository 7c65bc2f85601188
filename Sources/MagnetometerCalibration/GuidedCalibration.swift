public import Geometry

/// A calibration that a person makes on purpose: collects raw field samples, says how much of the sphere (or circle) is
/// covered and what to do next, and ends with a fit or with the reason why there is none.
///
/// A value without a clock and without threads: the owner gives times, runs the fits that are due (`takeFitJob`, a few
/// milliseconds) where it likes, and hands them back (`take`).
public struct GuidedCalibration: Sendable {
    /// How the device is moved.
    public enum Method: String, Hashable, Sendable {
        /// Tumbled through all directions, as with a figure of eight.
        case figureEight = "figure-eight"
        /// Turned once around on the level: boats, vehicles, robots. Finds the hard iron in that plane only.
        case flatTurn = "flat-turn"
    }

    /// Where the run stands.
    public enum State: Hashable, Sendable {
        /// More samples are needed.
        case collecting
        /// A good fit is there; more turning may still improve it.
        case ready(CalibrationFit)
        /// The time is over without a good fit.
        case failed(reason: String)
    }

    /// What a picture of the run shows.
    public struct Progress: Hashable, Sendable {
        /// Share covered, 0…1.
        public var coverage: Double
        /// One value per cell of `SphereCoverage` (or per 18° sector of the circle): 0 empty … 1 well filled.
        public var bins: [Double]
        /// Root mean square residual of the present fit in µT, NaN before there is one.
        public var residual: Double
        /// Samples collected.
        public var samples: Int
        /// What to do next, in a sentence.
        public var hint: String
    }

    /// How the device is moved.
    public let method: Method
    /// Where the run stands.
    public private(set) var state = State.collecting
    /// The present best fit, good or not; nil before there is one.
    public private(set) var fit: CalibrationFit?
    /// Raw samples collected, µT, device frame, in time order.
    public private(set) var points: CalibrationPoints
    private let parameters: CalibrationFitParameters
    private let expectedField: Double?
    private let fieldPointsDown: Bool
    private let deadline: Int64
    private let stillness = 4_000_000 as Int64
    private var nextFit: Int64
    private var fittedSamples = 0
    private var lastKept: Int64
    private var rejection: CalibrationRejection?
    private var time: Int64

    /// A run that has seen nothing. `expectedField`: the model's field strength here in µT, nil without a place.
    /// `fieldPointsDown`: true north of the magnetic equator. Times are CLOCK_BOOTTIME in microseconds.
    public init(
        method: Method, startedAt start: Int64, timeoutMicroseconds: Int64, expectedField: Double? = nil,
        fieldPointsDown: Bool = true, parameters: CalibrationFitParameters = CalibrationFitParameters()
    ) {
        self.method = method
        var chosen = parameters
        // A circle has three unknowns; at high latitudes a whole turn gives hardly more than forty samples.
        if method == .flatTurn { chosen.leastSamples = min(chosen.leastSamples, 16) }
        self.parameters = chosen
        self.expectedField = expectedField
        self.fieldPointsDown = fieldPointsDown
        deadline = start &+ max(0, timeoutMicroseconds)
        points = CalibrationPoints(spacing: 2)
        nextFit = start
        lastKept = start
        time = start
    }

    /// Takes a raw field sample in µT; non-finite ones are ignored.
    public mutating func add(_ field: Vector3, at time: Int64) {
        self.time = max(self.time, time)
        if points.add(field) { lastKept = time }
        if time >= deadline, case .collecting = state { state = .failed(reason: failure) }
    }

    /// The fit that is due, at most twice a second and only if samples came since; nil if none is.
    public mutating func takeFitJob() -> CalibrationFitJob? {
        guard time >= nextFit, points.added > fittedSamples, points.count >= parameters.leastSamples else { return nil }
        nextFit = time + 500_000
        fittedSamples = points.added
        return CalibrationFitJob(
            points: points.sampled(atMost: parameters.samplesUsed), expectedField: expectedField,
            parameters: parameters)
    }

    /// Takes the outcome of a fit job.
    public mutating func take(_ outcome: Result<CalibrationFit, CalibrationRejection>) {
        switch outcome {
        case .failure(let reason): rejection = reason
        case .success(let fit):
            self.fit = fit
            rejection = fit.rejection(expectedField: expectedField, parameters: parameters)
            let flat = fit.model == .planar
            if method == .figureEight, flat { rejection = .coverage }
            // A good fit stays when a later one is bad: a magnet met on the last turn must not take it away.
            if rejection == nil { state = .ready(fit) }
        }
    }

    /// The present picture. Allocates; meant for a few times a second.
    public var progress: Progress {
        method == .flatTurn ? circleProgress : sphereProgress
    }

    // MARK: - Pictures and words

    private var sphereProgress: Progress {
        var cells = SphereCoverage()
        let center = fit.map { ($0.center, $0.softIron) } ?? (middle, .identity)
        for point in points.points { cells.add(center.1 * (point - center.0)) }
        let bins = (0..<SphereCoverage.cells).map { min(1, Double(cells[$0]) / 3) }
        let share = points.count < 10 ? 0 : cells.share
        return Progress(
            coverage: share, bins: bins, residual: fit?.residual ?? .nan, samples: points.count,
            hint: hint(bins: bins, share: share))
    }

    private var circleProgress: Progress {
        let circle = CircleCoverage(points.points, fit: fit)
        return Progress(
            coverage: circle.share, bins: circle.bins, residual: fit?.residual ?? .nan, samples: points.count,
            hint: flatHint)
    }

    private var middle: Vector3 {
        guard let first = points.points.first else { return .zero }
        var low = first
        var high = first
        for point in points.points {
            low = Vector3(min(low.x, point.x), min(low.y, point.y), min(low.z, point.z))
            high = Vector3(max(high.x, point.x), max(high.y, point.y), max(high.z, point.z))
        }
        return (low + high) * 0.5
    }

    private var isStill: Bool { time - lastKept > stillness }

    private var flatHint: String {
        if case .ready = state { return "Done: this can be applied." }
        if isStill { return "Turn on the level, slowly, once around." }
        if rejection == .residual { return "The field is uneven here: move away from iron and electronics." }
        if let fit, fit.model != .planar { return "Keep the device level while turning." }
        return "Keep turning until the circle is closed."
    }

    private func hint(bins: [Double], share: Double) -> String {
        if case .ready = state { return "Done: this can be applied; more turning still refines it." }
        if isStill { return "Turn the device slowly through all directions, as if drawing an eight." }
        if rejection == .residual { return "The field is uneven here: move away from iron and electronics." }
        if rejection == .unexpectedField || rejection == .implausibleField, share > parameters.leastCoverage {
            return "The field strength is not the earth's: move away from iron, magnets and electronics."
        }
        guard points.count >= 10 else {
            return "Turn the device slowly through all directions, as if drawing an eight."
        }
        var missing = Vector3.zero
        for cell in 0..<SphereCoverage.cells where bins[cell] == 0 {
            missing += SphereCoverage.direction(ofCell: cell)
        }
        return "Point the \(Self.side(of: missing)) to the \(fieldPointsDown ? "ground" : "sky") and keep turning."
    }

    /// The side of the device that a direction in the device frame leaves through.
    private static func side(of direction: Vector3) -> String {
        let size = Vector3(abs(direction.x), abs(direction.y), abs(direction.z))
        if size.z >= size.x, size.z >= size.y { return direction.z > 0 ? "screen" : "back" }
        if size.y >= size.x { return direction.y > 0 ? "top edge" : "bottom edge" }
        return direction.x > 0 ? "right edge" : "left edge"
    }

    /// Which sides of the device never pointed along the field, as the end of a sentence; empty if that cannot be said.
    ///
    /// A side counts as seen if a sample's direction lies within 45° of it: those caps touch, so that nothing between two
    /// sides is left out.
    private var missingSides: String {
        guard method == .figureEight else { return "; turn once around on the level" }
        let center = fit.map { ($0.center, $0.softIron) } ?? (middle, .identity)
        var names: [String] = []
        for axis in 0..<3 {
            for sign in [1.0, -1] {
                let isSeen = points.points.contains { point in
                    let direction = center.1 * (point - center.0)
                    return sign * direction[axis] > 0.7071 * direction.length
                }
                guard !isSeen else { continue }
                var side = Vector3.zero
                side[axis] = sign
                names.append(Self.side(of: side))
            }
        }
        guard let last = names.last else { return "" }
        let list =
            names.count == 1 ? "its \(last)" : "its " + names.dropLast().joined(separator: ", ") + " and \(last)"
        return ": \(list) never pointed to the \(fieldPointsDown ? "ground" : "sky")"
    }

    private var failure: String {
        switch rejection {
        case nil, .samples:
            "the device was hardly turned: too few different directions were seen"
        case .coverage:
            "the device was not turned through enough directions" + missingSides
        case .residual:
            "the field was uneven: iron, magnets or electronics are near; try again elsewhere"
        case .saturated:
            "an axis of the sensor was at the end of its range: a magnet is near; try again elsewhere"
        case .implausibleField, .unexpectedField:
            "the field strength is not the earth's here: try again away from iron, magnets and electronics"
        }
    }
}
