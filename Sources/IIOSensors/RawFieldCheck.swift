internal import Geometry

/// Looks at a magnetometer's raw counts for values that no field can give, so that none of them becomes a heading.
/// Pure: time is an argument.
struct RawFieldCheck: Sendable {
    /// What a reading is.
    enum Verdict: Hashable, Sendable {
        /// A field, as far as one reading can tell.
        case good
        /// The chip says that the field is out of its range.
        case overflow
        /// Three equal counts, which do not depend on the attitude.
        case equalAxes
        /// All counts are 0.
        case zero
        /// The bytes of each count stand the wrong way round.
        case swapped
        /// An axis has flipped its sign at a field that no turn can bring about.
        case saturated
    }

    /// A turn changes an axis by twice the earth's field at most, that is 134 µT (World Magnetic Model 2025: 67 µT at
    /// the most): iron that turns with the chip adds nothing. Rounded up.
    static let largestStep = 150.0
    /// How long a flipped sign is taken for saturation, in µs.
    static let flipMicroseconds: Int64 = 2_000_000

    private let overflowCount: Double?
    private let doubtsBytes: Bool
    private let scale: Vector3
    private var lastSuspect: Vector3?
    private var lastGood: (field: Vector3, time: Int64)?

    /// For counts of µT per count, the count that means overflow, and whether the driver is known to swap bytes.
    init(overflowCount: Double?, doubtsBytes: Bool = false, scale: Vector3) {
        self.doubtsBytes = doubtsBytes
        self.overflowCount = overflowCount
        self.scale = scale
    }

    /// Judges raw counts read at a time in µs. Byte order is only in doubt where values come as text.
    mutating func judge(_ raw: Vector3, at time: Int64, isPolled: Bool) -> Verdict {
        if let overflowCount, raw.x == overflowCount || raw.y == overflowCount || raw.z == overflowCount {
            return .overflow
        }
        if raw.x == raw.y, raw.y == raw.z {
            // By chance this costs a coarse chip a reading now and then.
            return raw.x == 0 ? .zero : .equalAxes
        }
        if isPolled, looksSwapped(raw) { return .swapped }
        let field = Vector3(raw.x * scale.x, raw.y * scale.y, raw.z * scale.z)
        if let lastGood, time - lastGood.time < Self.flipMicroseconds, hasFlipped(field, lastGood.field) {
            return .saturated
        }
        lastGood = (field, time)
        return .good
    }

    /// Two axes or more whose counts are multiples of 256, and not the same ones as in the reading before: by chance
    /// that is one of 2³² readings of a 16-bit chip. A reading that stands still proves nothing, since coarse chips have
    /// no noise.
    private mutating func looksSwapped(_ raw: Vector3) -> Bool {
        var multiples = 0
        var moved = 0
        for axis in 0..<3 where raw[axis] != 0 && raw[axis].remainder(dividingBy: 256) == 0 {
            multiples += 1
            if let lastSuspect, lastSuspect[axis] != raw[axis],
                lastSuspect[axis].remainder(dividingBy: 256) == 0, lastSuspect[axis] != 0
            {
                moved += 1
            }
        }
        lastSuspect = multiples >= 2 ? raw : nil
        return moved >= 2 || doubtsBytes && multiples >= 2
    }

    private func hasFlipped(_ field: Vector3, _ before: Vector3) -> Bool {
        for axis in 0..<3 where field[axis] * before[axis] < 0 {
            if abs(field[axis] - before[axis]) > Self.largestStep,
                min(abs(field[axis]), abs(before[axis])) > Self.largestStep / 2
            {
                return true
            }
        }
        return false
    }
}
