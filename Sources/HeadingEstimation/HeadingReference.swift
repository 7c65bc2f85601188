public import Geometry
public import LocateMeModel

import func Glibc.asin
import func Glibc.atan2

/// Which of the device's axes the heading is of, and what that gives. One per session: it has hysteresis.
///
/// The heading is the azimuth of the top edge that the orientation chooses (portrait +y, upside down −y, landscape left +x,
/// landscape right −x). An edge that points up or down has no azimuth, so beyond 60° of pitch the heading is that of the
/// screen's normal, until the pitch is below 45° again:
///
/// - −z, where the back camera looks, in general: flat, screen up, top edge north, then tilted up until the screen faces the
///   user: north all the way.
/// - +z where that, and not −z, continues the edge's azimuth: tilted down from screen up, or up from face down.
///
/// With R the attitude (device to earth, z up) and u the edge: azimuth = atan2(east, north) of R·u; pitch = asin(up part of
/// R·u), up positive; roll = atan2(−up part of R·r, up part of R·z), with r the edge to the right of u: right edge down is
/// positive, face down ±180°.
public struct HeadingReference: Hashable, Sendable {
    /// What the heading is of.
    public enum Axis: Hashable, Sendable {
        /// The top edge.
        case edge
        /// −z: where the back camera looks.
        case back
        /// +z: where the screen faces.
        case screen
    }

    /// Pitch in degrees beyond which the screen's normal is used.
    public static let steepDegrees = 60.0
    /// Pitch in degrees below which the edge is used again.
    public static let flatDegrees = 45.0

    /// What the last heading was of.
    public private(set) var axis = Axis.edge
    private var orientation = HeadingOrientation.portrait

    /// A reference without history.
    public init() {}

    /// The heading of an attitude (device to earth: x east, y north, z up) in degrees, [0, 360), clockwise from that
    /// north; NaN if the attitude is not finite.
    public mutating func heading(of attitude: Quaternion, orientation: HeadingOrientation) -> Double {
        let matrix = attitude.matrix
        guard matrix.isFinite else { return .nan }
        if orientation != self.orientation {
            self.orientation = orientation
            axis = .edge
        }
        let edge = matrix * orientation.topEdge
        let screen = matrix * Vector3(0, 0, 1)
        let steepness = abs(asin(max(-1, min(1, edge.z)))) * Angle.degreesPerRadian
        if axis == .edge, steepness > Self.steepDegrees {
            axis = Self.normal(edge: edge, screen: screen)
        } else if axis != .edge, steepness < Self.flatDegrees {
            axis = .edge
        }
        switch axis {
        case .edge: return Self.azimuth(edge)
        case .back: return Self.azimuth(-screen)
        case .screen: return Self.azimuth(screen)
        }
    }

    /// Which side of the screen continues the edge's azimuth: +z only if it clearly does.
    private static func normal(edge: Vector3, screen: Vector3) -> Axis {
        let along = edge.x * screen.x + edge.y * screen.y
        let lengths = (edge.x * edge.x + edge.y * edge.y) * (screen.x * screen.x + screen.y * screen.y)
        return lengths > 1e-6 && along > 0.5 * lengths.squareRoot() ? .screen : .back
    }

    private static func azimuth(_ vector: Vector3) -> Double {
        Angle.wrap360(atan2(vector.x, vector.y) * Angle.degreesPerRadian)
    }

    /// Pitch and roll of an attitude in degrees, for the edge that counts as top.
    public static func tilt(
        of attitude: Quaternion, orientation: HeadingOrientation
    ) -> (pitch: Double, roll: Double) {
        let matrix = attitude.matrix
        let up = matrix.row2
        let pitch = asin(max(-1, min(1, up.dot(orientation.topEdge)))) * Angle.degreesPerRadian
        let roll = atan2(-up.dot(orientation.rightEdge), up.z) * Angle.degreesPerRadian
        return (pitch, roll)
    }
}

extension HeadingOrientation {
    /// The device axis that points out of the top edge.
    public var topEdge: Vector3 {
        switch self {
        case .portrait: Vector3(0, 1, 0)
        case .upsideDown: Vector3(0, -1, 0)
        case .landscapeLeft: Vector3(1, 0, 0)
        case .landscapeRight: Vector3(-1, 0, 0)
        }
    }

    /// The device axis that points out of the edge to the right of the top edge, seen from the screen's front: top × screen.
    public var rightEdge: Vector3 { topEdge.cross(Vector3(0, 0, 1)) }
}
