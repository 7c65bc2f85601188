public import Geometry

import func Glibc.log10
import func Glibc.pow

/// Finds a magnetometer whose scale is off by a power of ten, from the radius of the sphere that its samples lie on.
///
/// Kernel drivers do this: hmc5843 prints its table 100 times too small, some HID hubs 10 000 times. One sample tells
/// nothing (hard iron alone can be 35 G), the radius does: the earth's field is 20…70 µT everywhere, less than a
/// decade, so that one power of ten at most brings a radius there.
public struct FieldScaleWatch: Sendable {
    /// Tuning.
    public struct Parameters: Hashable, Sendable {
        /// Least field of the earth in µT that is accepted, with room for buildings (22 µT in the South Atlantic).
        public var leastField = 20.0
        /// Greatest field in µT (67 µT near the southern pole).
        public var greatestField = 70.0
        /// With a place known: largest deviation from the model's field, relative.
        public var fieldTolerance = 0.35
        /// Least share of 100 cells of the sphere that the samples must cover.
        public var leastCoverage = 0.35
        /// Largest residual of the sphere relative to its radius.
        public var residualTolerance = 0.12
        /// Least distance of two kept samples relative to the extent of all.
        public var spacing = 0.08

        /// The defaults.
        public init() {}
    }

    /// The factor that the field must be multiplied by: what was known at the start until the radius was seen, a power of ten.
    public private(set) var factor: Double
    /// True once the radius was seen, right or repaired: nothing changes any more.
    public private(set) var isDecided = false
    private let parameters: Parameters
    private var points: [Vector3] = []
    private var low = Vector3(.infinity, .infinity, .infinity)
    private var high = Vector3(-.infinity, -.infinity, -.infinity)
    private static let capacity = 160

    /// A watch that has seen nothing. `factor`: what an earlier run found, 1 if none did; the radius will confirm or correct it (a
    /// newer driver may be right).
    public init(factor: Double = 1, parameters: Parameters = Parameters()) {
        self.factor = factor
        self.parameters = parameters
        points.reserveCapacity(Self.capacity)
    }

    /// Takes a field in the unit that the device claims to be µT, before any repair; returns true in the moment another factor
    /// than the present one is found. `expectedField`: the model's strength here in µT, nil without a place. Cheap once decided. Non-finite
    /// fields are ignored.
    public mutating func update(_ field: Vector3, expectedField: Double?) -> Bool {
        guard !isDecided, field.isFinite else { return false }
        low = Vector3(min(low.x, field.x), min(low.y, field.y), min(low.z, field.z))
        high = Vector3(max(high.x, field.x), max(high.y, field.y), max(high.z, field.z))
        let spacing = (high - low).length * parameters.spacing
        for point in points where (point - field).length < spacing || spacing == 0 { return false }
        if points.count == Self.capacity { thin(to: spacing) }
        guard points.count < Self.capacity else { return false }
        points.append(field)
        guard points.count >= 24, points.count % 8 == 0 else { return false }
        return decide(expectedField: expectedField)
    }

    private mutating func decide(expectedField: Double?) -> Bool {
        guard let sphere = SphereFit(points, stride: 1), sphere.radius > 0, sphere.radius.isFinite else { return false }
        var coverage = SphereCoverage()
        var sum = 0.0
        for point in points {
            let offset = point - sphere.center
            coverage.add(offset)
            sum += square(offset.length - sphere.radius)
        }
        guard coverage.share >= parameters.leastCoverage,
            (sum / Double(points.count)).squareRoot() <= parameters.residualTolerance * sphere.radius
        else { return false }
        let middle = expectedField ?? (parameters.leastField * parameters.greatestField).squareRoot()
        let power = log10(middle / sphere.radius).rounded()
        guard abs(power) <= 6 else { return false }
        let repaired = sphere.radius * pow(10, power)
        guard repaired >= parameters.leastField, repaired <= parameters.greatestField else { return false }
        if let expectedField, abs(repaired / expectedField - 1) > parameters.fieldTolerance { return false }
        isDecided = true
        let found = pow(10, power)
        defer { factor = found }
        points.removeAll()
        return abs(found / factor - 1) > 1e-9
    }

    /// Keeps what is still apart after the extent has grown.
    private mutating func thin(to spacing: Double) {
        var kept: [Vector3] = []
        kept.reserveCapacity(Self.capacity)
        for point in points where !kept.contains(where: { ($0 - point).length < spacing }) { kept.append(point) }
        points = kept
    }
}
