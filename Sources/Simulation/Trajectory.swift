internal import Geometry

/// Where the phone is and how it moves at every moment of a walk, in closed form.
///
/// Times are seconds. Position, velocity and attitude are continuous; acceleration and angular rate make a step where a
/// rounded corner begins and ends. Before the start and after the end the phone is at rest.
public struct Trajectory: Hashable, Sendable {
    /// Height of the hand above the ground in metres.
    public static let handHeight = 1.2

    /// The whole walk, seconds.
    public private(set) var duration = 0.0

    private let grip: Quaternion
    private var stretches: [Stretch] = []

    /// The trajectory of a walk. Legs of no length or duration are left out.
    public init(_ walk: Walk) {
        grip = walk.grip.attitude
        var planner = StretchPlanner(walk)
        for motion in planner.plan() {
            stretches.append(Stretch(start: duration, motion: motion))
            duration += motion.duration
        }
    }

    /// The motion at a time.
    public func state(at time: Double) -> MotionState {
        let clamped = min(max(time, 0), duration)
        guard let stretch = stretch(at: clamped) else {
            return MotionState(
                position: Vector3(0, 0, Self.handHeight), velocity: .zero, acceleration: .zero, attitude: grip,
                angularRate: .zero)
        }
        let hand = stretch.motion.state(at: clamped - stretch.start)
        return MotionState(
            position: hand.position + Vector3(0, 0, Self.handHeight), velocity: hand.velocity,
            acceleration: hand.acceleration, attitude: hand.posture.attitude * grip,
            angularRate: grip.conjugate.rotate(hand.posture.angularRate))
    }

    /// The last stretch that has begun.
    private func stretch(at time: Double) -> Stretch? {
        var low = 0
        var high = stretches.count
        while low < high {
            let middle = (low + high) / 2
            if stretches[middle].start <= time { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? stretches[low - 1] : nil
    }
}

/// A part of a trajectory.
private struct Stretch: Hashable, Sendable {
    /// Seconds since the start of the walk.
    let start: Double
    let motion: HandMotion
}
