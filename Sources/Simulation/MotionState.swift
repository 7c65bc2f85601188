public import Geometry

/// The exact motion of the phone at one time.
public struct MotionState: Hashable, Sendable {
    /// Metres east, north and up of the walk's origin.
    public var position: Vector3
    /// m/s east, north, up.
    public var velocity: Vector3
    /// m/s² east, north, up, without gravity.
    public var acceleration: Vector3
    /// Device to earth (x east, y **true** north, z up).
    public var attitude: Quaternion
    /// rad/s in the device frame.
    public var angularRate: Vector3

    /// A state.
    public init(
        position: Vector3, velocity: Vector3, acceleration: Vector3, attitude: Quaternion, angularRate: Vector3
    ) {
        self.position = position
        self.velocity = velocity
        self.acceleration = acceleration
        self.attitude = attitude
        self.angularRate = angularRate
    }
}
