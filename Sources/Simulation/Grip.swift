public import Geometry

/// How the phone lies in the walker's hand.
public enum Grip: String, Hashable, Sendable, CaseIterable {
    /// Face up, top edge ahead.
    case flat
    /// Top edge raised by 40°, as for reading.
    case reading
    /// Upright, the screen towards the walker, as for the camera.
    case upright
    /// Turned so that its right edge points ahead, face up: landscape.
    case landscape

    /// Device to hand (x right, y ahead, z up).
    public var attitude: Quaternion {
        switch self {
        case .flat: .identity
        case .reading: Quaternion(rotationVector: Vector3(40 * Angle.radiansPerDegree, 0, 0))
        case .upright: Quaternion(rotationVector: Vector3(90 * Angle.radiansPerDegree, 0, 0))
        case .landscape: Quaternion(aboutZ: 90 * Angle.radiansPerDegree)
        }
    }
}
