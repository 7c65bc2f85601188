public import Geometry

/// Notices an axis that flips its sign when the field passes the chip's limit: a step of nearly twice its size between two
/// samples, while the other axes stay where they were, is no turn of the device.
public struct SaturationCheck: Sendable {
    /// Steps seen.
    public private(set) var flips = 0
    private var last: Vector3?
    /// µT: less than any chip's range (ST LSM303DLHC: 1.3 G at its most sensitive), more than the earth's field.
    private static let least = 100.0

    /// Nothing has been seen yet.
    public init() {}

    /// Takes a raw field in µT.
    public mutating func update(_ field: Vector3) {
        guard field.isFinite else { return }
        defer { last = field }
        guard let last else { return }
        for axis in 0..<3 {
            let (before, after) = (last[axis], field[axis])
            guard before * after < 0, min(abs(before), abs(after)) > Self.least,
                abs(abs(before) - abs(after)) < 0.2 * abs(before)
            else { continue }
            let step = abs(after - before)
            let (next, other) = ((axis + 1) % 3, (axis + 2) % 3)
            if abs(field[next] - last[next]) < 0.1 * step, abs(field[other] - last[other]) < 0.1 * step { flips += 1 }
        }
    }
}
