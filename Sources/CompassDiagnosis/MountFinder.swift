public import Geometry
internal import LocateMeModel
internal import MagnetometerCalibration

/// Finds the mount matrices of accelerometer and magnetometer from three poses and a turn through many attitudes.
///
/// The poses tell the accelerometer's axes outright; with them right, the turn tells the magnetometer's (`AxisAgreement`),
/// then by how little both chips are askew. What is still open after that is the sign: the dip at the place decides, or
/// the rule that a chip's axes are right-handed.
public struct MountFinder: Sendable {
    /// How the device is held for a moment.
    public enum Pose: String, Hashable, Sendable, CaseIterable {
        /// On its back, screen up: up is +z.
        case flat
        /// Standing on its bottom edge, screen to you: up is +y.
        case upright
        /// Standing on its left edge: up is +x.
        case right

        var up: Vector3 {
            switch self {
            case .flat: Vector3(0, 0, 1)
            case .upright: Vector3(0, 1, 0)
            case .right: Vector3(1, 0, 0)
            }
        }
    }

    /// Why there is no answer.
    public enum Failure: Error, Hashable, Sendable {
        /// Two poses are nearly the same, or none is near a right angle to the others.
        case posesUnclear
        /// The turn does not single one matrix out: too few attitudes, or a field that changes.
        case turnUnclear
    }

    /// What was found.
    public struct Result: Hashable, Sendable {
        /// What the accelerometer's reading must be multiplied by; nil without poses.
        public var accelerometer: Matrix3?
        /// What the magnetometer's reading must be multiplied by: a signed permutation, before refinement.
        public var turn: Matrix3
        /// The same with the small turn between the chips.
        public var magnetometer: Matrix3
        /// That small turn in degrees.
        public var skewDegrees: Double
        /// Remainder of the fit relative to the scatter of the field.
        public var remainder: Double
        /// Attitudes that were used.
        public var pairs: Int
        /// True if the sign is only known from the rule that axes are right-handed.
        public var isSignAssumed: Bool

        /// True if the accelerometer's matrix is wrong.
        public var accelerometerIsWrong: Bool { accelerometer.map { $0 != .identity } ?? false }
        /// True if the magnetometer's matrix is wrong.
        public var magnetometerIsWrong: Bool { turn != .identity }
    }

    private var poses: [Pose: Vector3] = [:]
    private var samples: [(force: Vector3, field: Vector3)] = []
    private var spread = AxisAgreement()

    /// Degrees by which a pose may be off: nobody holds a phone better.
    private static let poseTolerance = 30.0
    private static let capacity = 4000

    /// A finder that knows nothing.
    public init() { samples.reserveCapacity(Self.capacity) }

    /// Poses that are known.
    public var known: Set<Pose> { Set(poses.keys) }

    /// Attitudes seen so far, of which some forty are needed.
    public var attitudes: Int { spread.count }

    /// Takes a pose: the specific force at rest in m/s², as delivered. False if it is nearly that of another pose, which
    /// means that the device was not moved.
    public mutating func add(_ pose: Pose, force: Vector3) -> Bool {
        guard let up = force.normalized else { return false }
        for (other, known) in poses where other != pose && arcCosine(abs(known.dot(up))) < 0.7 { return false }
        poses[pose] = up
        return true
    }

    /// Takes a moment of the turn: specific force in m/s² and field in any unit, as delivered.
    public mutating func add(force: Vector3, field: Vector3) {
        guard force.isFinite, field.isFinite, samples.count < Self.capacity else { return }
        samples.append((force, field))
        spread.update(force: force, field: field)
    }

    /// The small turn between the chips; nil if the field cannot be calibrated, since soft iron shears the axes as well.
    private func skew(of turn: Matrix3, accelerometer: Matrix3, gravity: Double) -> Vector3? {
        var points = CalibrationPoints()
        for sample in samples { points.add(sample.field) }
        guard let fit = try? CalibrationFitJob(points: points.points, expectedField: nil).run(),
            fit.model == .ellipsoid,
            fit.rejection(expectedField: nil) == nil
        else { return nil }
        var parameters = AxisAgreement.Parameters()
        parameters.capacity = 600
        var agreement = AxisAgreement(parameters: parameters)
        for sample in samples {
            agreement.update(
                force: accelerometer * sample.force, field: fit.softIron * sample.field - fit.hardIron, gravity: gravity
            )
        }
        return agreement.skew(of: turn)
    }

    /// The answer. `inclination`: the dip at the place in degrees, NaN unknown. `present`: the matrices that the readings
    /// were multiplied by already.
    public func result(
        inclination: Double = .nan, presentMagnetometer: Matrix3 = .identity
    ) throws(Failure) -> Result {
        var accelerometer: Matrix3?
        if poses.count == Pose.allCases.count {
            guard let right = poses[.right], let upright = poses[.upright], let flat = poses[.flat],
                let inverse = Matrix3(right, upright, flat).transposed.inverse,
                let nearest = AxisTurn.nearest(to: inverse), nearest.degrees < Self.poseTolerance
            else { throw .posesUnclear }
            accelerometer = nearest.turn
        }
        // Nothing must be forgotten of a turn, and accelerometers are off by a few percent.
        var parameters = AxisAgreement.Parameters()
        parameters.capacity = 600
        var agreement = AxisAgreement(parameters: parameters)
        let turned = accelerometer ?? .identity
        let sizes = samples.map(\.force.length).sorted()
        let gravity = sizes.isEmpty ? 9.80665 : sizes[sizes.count / 2]
        for sample in samples {
            agreement.update(force: turned * sample.force, field: sample.field, gravity: gravity)
        }
        guard let judgement = agreement.judgement(inclination: inclination) else { throw .turnUnclear }
        var turn = judgement.matrix
        let isSignKnown = inclination.isFinite && abs(inclination) > 15
        // A chip's axes are right-handed, whatever its present matrix makes of them.
        if !isSignKnown, turn.determinant * presentMagnetometer.determinant < 0 { turn = turn * -1 }
        let skew = skew(of: turn, accelerometer: turned, gravity: gravity)
        let refined = (skew.map { Quaternion(rotationVector: $0).matrix } ?? .identity) * turn
        return Result(
            accelerometer: accelerometer, turn: turn, magnetometer: refined,
            skewDegrees: (skew?.length ?? 0) * Angle.degreesPerRadian, remainder: judgement.remainder,
            pairs: judgement.pairs, isSignAssumed: !isSignKnown)
    }
}
