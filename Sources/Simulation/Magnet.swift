public import Geometry

/// A magnet in the surroundings: a point dipole that does not move.
public struct Magnet: Hashable, Sendable {
    /// Metres east, north and up of the walk's origin.
    public var position: Vector3
    /// Dipole moment east, north, up in A·m². A loudspeaker has about 1, a car about 300.
    public var moment: Vector3

    /// A magnet.
    public init(position: Vector3, moment: Vector3) {
        self.position = position
        self.moment = moment
    }

    /// Its field in µT east, north, up at a place in metres: μ₀/4π · (3 r̂ (m · r̂) − m) / r³ (J. D. Jackson, Classical
    /// Electrodynamics, 5.56), where μ₀/4π is 0.1 µT·m/A. Within 5 cm the field is that at 5 cm.
    public func field(at place: Vector3) -> Vector3 {
        let distance = place - position
        let length = max(distance.length, 0.05)
        guard let direction = distance.normalized else { return .zero }
        return (direction * (3 * moment.dot(direction)) - moment) * (0.1 / (length * length * length))
    }
}
