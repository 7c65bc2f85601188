internal import Geometry

/// Waits until a device is held still: the specific force has kept its direction for a while.
struct StillnessDetector {
    /// How long in µs.
    static let span: Int64 = 1_500_000
    /// Largest deviation from the mean, in m/s² at 9.81: 4°.
    private static let tolerance = 0.7

    private var mean = Vector3.zero
    private var count = 0
    private var start: Int64 = 0

    /// Takes a specific force; returns the mean once the device was still for long enough, then begins anew.
    mutating func update(_ force: Vector3, _ microseconds: Int64) -> Vector3? {
        if count > 0, (force - mean).length < Self.tolerance * max(mean.length, 1) / 9.80665 {
            count += 1
            mean += (force - mean) * (1 / Double(count))
        } else {
            mean = force
            count = 1
            start = microseconds
        }
        guard microseconds - start >= Self.span, count >= 5 else { return nil }
        defer { count = 0 }
        return mean
    }
}
