internal import Geometry

import func Glibc.cos
import func Glibc.sin

/// One thing that the walker does, as an exact motion of the hand over the ground. All begin and end at rest.
enum HandMotion: Hashable, Sendable {
    /// Stays at a place for some seconds.
    case stand(GroundPath.Point, seconds: Double)
    /// Turns on the spot by an angle in radians, clockwise positive.
    case turn(GroundPath.Point, angle: Double, seconds: Double)
    /// Turns the phone through all directions.
    case tumble(GroundPath.Point, seconds: Double)
    /// Goes along a path.
    case go(GroundPath, Pace, Gait)

    /// Motion of the hand, its height counted from where it is held.
    struct State {
        var position: Vector3
        var velocity = Vector3.zero
        var acceleration = Vector3.zero
        var posture = Posture()
    }

    /// Seconds.
    var duration: Double {
        switch self {
        case .stand(_, let seconds), .turn(_, _, let seconds), .tumble(_, let seconds): seconds
        case .go(_, let pace, _): pace.duration
        }
    }

    /// The motion so many seconds after its beginning, within its duration.
    func state(at time: Double) -> State {
        switch self {
        case .stand(let point, _):
            return State(position: point.position, posture: Posture(heading: point.heading))
        case .turn(let point, let angle, let seconds):
            let ease = Ease(at: time, of: seconds)
            let posture = Posture(heading: point.heading + angle * ease.value, headingRate: angle * ease.rate)
            return State(position: point.position, posture: posture)
        case .tumble(let point, let seconds):
            return Self.tumble(point, Ease(at: time, of: seconds), seconds: seconds)
        case .go(let path, let pace, let gait):
            return Self.go(path, pace.progress(at: time), gait)
        }
    }

    // MARK: - Private

    /// Once around about every 10 s, with one pitch and one roll cycle more, so that the directions do not repeat, while the
    /// hand draws a figure of eight.
    private static func tumble(_ point: GroundPath.Point, _ ease: Ease, seconds: Double) -> State {
        let turns = max(1, (seconds / 10).rounded())
        func swing(_ amplitude: Double, _ cycles: Double) -> (value: Double, rate: Double, acceleration: Double) {
            let frequency = 2 * Double.pi * cycles
            let phase = frequency * ease.value
            let slope = amplitude * frequency * cos(phase)
            return (
                amplitude * sin(phase), slope * ease.rate,
                slope * ease.acceleration - amplitude * frequency * frequency * sin(phase) * ease.rate * ease.rate
            )
        }
        let pitch = swing(1.7, turns + 1)
        let roll = swing(2.2, 2 * turns + 1)
        let aside = swing(0.2, turns)
        let up = swing(0.1, 2 * turns)
        let posture = Posture(
            heading: point.heading + 2 * .pi * turns * ease.value, headingRate: 2 * .pi * turns * ease.rate,
            pitch: pitch.value, pitchRate: pitch.rate, roll: roll.value, rollRate: roll.rate)
        return State(
            position: point.position + Vector3(aside.value, 0, up.value),
            velocity: Vector3(aside.rate, 0, up.rate),
            acceleration: Vector3(aside.acceleration, 0, up.acceleration), posture: posture)
    }

    private static func go(_ path: GroundPath, _ progress: Pace.Progress, _ gait: Gait) -> State {
        let point = path.point(at: progress.distance)
        let (speed, gain) = (progress.speed, progress.acceleration)
        let (sine, cosine) = (sin(point.heading), cos(point.heading))
        let ahead = Vector3(sine, cosine, 0)
        let right = Vector3(cosine, -sine, 0)

        // Whole double steps in the path, so that all swings end where they began.
        let doubleSteps = max(1, (path.length / (2 * gait.stepLength)).rounded())
        let wave = 2 * Double.pi * 2 * doubleSteps / path.length
        let phase = wave * progress.distance
        let bounce = gait.bounce * (1 - cos(phase))
        let bounceSlope = gait.bounce * wave * sin(phase)
        let bounceCurve = gait.bounce * wave * wave * cos(phase)
        let posture = Posture(
            heading: point.heading, headingRate: point.curvature * speed,
            pitch: gait.pitch * sin(phase), pitchRate: gait.pitch * wave * cos(phase) * speed,
            roll: gait.roll * sin(phase / 2), rollRate: gait.roll * wave / 2 * cos(phase / 2) * speed)
        return State(
            position: point.position + Vector3(0, 0, bounce),
            velocity: ahead * speed + Vector3(0, 0, bounceSlope * speed),
            acceleration: ahead * gain + right * (point.curvature * speed * speed)
                + Vector3(0, 0, bounceCurve * speed * speed + bounceSlope * gain),
            posture: posture)
    }
}

extension GroundPath.Point {
    /// Metres east and north, 0 up.
    fileprivate var position: Vector3 { Vector3(east, north, 0) }
}
