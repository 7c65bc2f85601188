internal import CompassDiagnosis
internal import Geometry
internal import LocateMeModel

/// The guided way to mount matrices, from sample to sample: three poses, each taken by itself when the device is held
/// still, then a turn until the answer is clear.
struct MountGuide {
    /// What to do now.
    enum Step: Hashable {
        /// Hold the device so.
        case pose(MountFinder.Pose)
        /// Turn it.
        case turn
        /// There is an answer.
        case done
    }

    /// What to do now.
    private(set) var step: Step = .pose(.flat)
    /// What was found so far.
    private(set) var finder = MountFinder()
    /// The answer.
    private(set) var result: MountFinder.Result?
    /// True while a pose was held that was taken already.
    private(set) var isWaitingForMotion = false

    private let inclination: Double
    private let presentMagnetometer: Matrix3
    private var stillness = StillnessDetector()
    private var force: Vector3?
    private var forceTime: Int64 = 0
    private var nextTry = 60

    /// `inclination`: dip in degrees, NaN unknown. `presentMagnetometer`: the matrix in force.
    init(inclination: Double, presentMagnetometer: Matrix3) {
        self.inclination = inclination
        self.presentMagnetometer = presentMagnetometer
    }

    /// Takes a sample; true if there is something new to show.
    mutating func update(_ sample: SensorSample) -> Bool {
        switch sample.reading {
        case .acceleration(let force):
            self.force = force
            forceTime = sample.bootMicroseconds
            guard case .pose(let pose) = step, let held = stillness.update(force, sample.bootMicroseconds) else {
                return false
            }
            let isNew = finder.add(pose, force: held)
            isWaitingForMotion = !isNew
            if isNew { step = Self.next(after: pose) }
            return true
        case .magneticField(let field):
            guard step == .turn, let force, abs(sample.bootMicroseconds - forceTime) < 60_000 else { return false }
            let before = finder.attitudes
            finder.add(force: force, field: field)
            guard finder.attitudes > before else { return false }
            if finder.attitudes >= nextTry {
                nextTry = finder.attitudes + 20
                result = try? finder.result(inclination: inclination, presentMagnetometer: presentMagnetometer)
                if result != nil { step = .done }
            }
            return true
        default: return false
        }
    }

    /// What there is when the time is over.
    func outcome() throws(MountFinder.Failure) -> MountFinder.Result {
        if let result { return result }
        return try finder.result(inclination: inclination, presentMagnetometer: presentMagnetometer)
    }

    /// What the user is to do.
    var text: String {
        switch step {
        case .pose(let pose):
            let hint = isWaitingForMotion ? "that is the pose before; " : ""
            return switch pose {
            case .flat: "\(hint)1 of 4: lay the device flat on its back, screen up, and let it rest"
            case .upright: "\(hint)2 of 4: stand it on its bottom edge, screen towards you, and hold it still"
            case .right: "\(hint)3 of 4: stand it on its left edge, right edge up, and hold it still"
            }
        case .turn:
            return
                "4 of 4: turn it slowly through all directions, away from metal; \(finder.attitudes) attitudes seen, some 60 are needed"
        case .done: return "done"
        }
    }

    private static func next(after pose: MountFinder.Pose) -> Step {
        switch pose {
        case .flat: .pose(.upright)
        case .upright: .pose(.right)
        case .right: .turn
        }
    }
}
