/// How fast a distance is walked from rest to rest: the speed grows as 3τ² − 2τ³ over one second, stays, and falls the
/// same way, so that acceleration is continuous.
struct Pace: Hashable, Sendable {
    /// Where one is after some time.
    struct Progress {
        /// Metres.
        var distance: Double
        /// m/s.
        var speed: Double
        /// m/s².
        var acceleration: Double
    }

    /// Seconds to full speed.
    private static let rampSeconds = 1.0

    private let distance: Double
    /// The full speed, lower than wanted where the distance is too short to reach that.
    private let speed: Double

    /// A pace over a distance in metres at a speed in m/s, both > 0.
    init(distance: Double, speed: Double) {
        self.distance = distance
        self.speed = min(speed, distance / Self.rampSeconds)
    }

    /// Seconds: each ramp covers half of what full speed would.
    var duration: Double { distance / speed + Self.rampSeconds }

    /// The progress at a time in seconds within the duration.
    func progress(at time: Double) -> Progress {
        if time < Self.rampSeconds { return ramp(time) }
        let rest = duration - time
        guard rest < Self.rampSeconds else {
            return Progress(distance: speed * (time - Self.rampSeconds / 2), speed: speed, acceleration: 0)
        }
        let mirrored = ramp(max(rest, 0))
        return Progress(
            distance: distance - mirrored.distance, speed: mirrored.speed, acceleration: -mirrored.acceleration)
    }

    private func ramp(_ time: Double) -> Progress {
        let share = time / Self.rampSeconds
        return Progress(
            distance: speed * Self.rampSeconds * share * share * share * (1 - share / 2),
            speed: speed * share * share * (3 - 2 * share),
            acceleration: speed / Self.rampSeconds * 6 * share * (1 - share))
    }
}
