import Geometry

/// The last 64 strapdown attitudes, so that a late magnetometer sample meets the attitude of its own time.
struct AttitudeHistory {
    private static let capacity = 64
    private var times = InlineArray<64, Double>(repeating: 0)
    private var attitudes = InlineArray<64, Quaternion>(repeating: .identity)
    private var newest = -1
    /// Number of attitudes held.
    private(set) var count = 0

    /// Adds an attitude, later than all others.
    mutating func append(time: Double, attitude: Quaternion) {
        newest = (newest + 1) % Self.capacity
        times[newest] = time
        attitudes[newest] = attitude
        count = min(count + 1, Self.capacity)
    }

    /// Forgets all.
    mutating func removeAll() { count = 0 }

    /// The attitude at a time between the oldest and the newest, linear between two; the oldest before that, nil after the
    /// newest or if there is none.
    func attitude(at time: Double) -> Quaternion? {
        guard count > 0, time < times[newest] else { return nil }
        var after = newest
        for back in 1..<max(count, 1) {
            let index = (newest - back + Self.capacity) % Self.capacity
            if times[index] <= time { return interpolate(from: index, to: after, at: time) }
            after = index
        }
        return attitudes[after]
    }

    private func interpolate(from first: Int, to second: Int, at time: Double) -> Quaternion {
        let start = attitudes[first]
        let end = attitudes[second]
        let share = min(1, max(0, (time - times[first]) / max(1e-6, times[second] - times[first])))
        return Quaternion(
            w: start.w + share * (end.w - start.w), x: start.x + share * (end.x - start.x),
            y: start.y + share * (end.y - start.y), z: start.z + share * (end.z - start.z)
        ).normalized
    }
}
