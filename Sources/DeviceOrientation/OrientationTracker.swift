public import Geometry

import func Glibc.asin
import func Glibc.atan2

/// Specific force → which edge is up and how the screen is tilted, for screens that turn with the device.
///
/// Feed every accelerometer sample; read `orientation` and `tilt`. Non-finite samples and those of a shaken device
/// change nothing. A device that lies flat keeps the orientation that it had.
public struct OrientationTracker: Sendable {
    /// Which edge is up.
    public private(set) var orientation = ScreenOrientation.undefined
    /// How the screen is tilted.
    public private(set) var tilt = ScreenTilt.undefined
    /// True once a usable sample was seen.
    public private(set) var hasReading = false

    private let parameters: OrientationParameters
    private var candidate = ScreenOrientation.undefined
    private var candidateSince: Int64 = 0

    /// Standard gravity, m/s² (CGPM 1901).
    private static let standardGravity = 9.80665

    /// A tracker that knows nothing yet.
    public init(_ parameters: OrientationParameters = OrientationParameters()) { self.parameters = parameters }

    /// Takes a sample.
    ///
    /// - Parameters:
    ///   - force: specific force in m/s² in the device frame (x right edge, y top edge, z out of the screen): at rest
    ///     face up +9.81 on z.
    ///   - bootMicroseconds: its time.
    /// - Returns: true if `orientation` or `tilt` changed, or the first usable sample came.
    @discardableResult
    public mutating func update(_ force: Vector3, bootMicroseconds: Int64) -> Bool {
        let strength = force.length
        guard abs(strength / Self.standardGravity - 1) <= parameters.gravityTolerance else { return false }
        let isFirst = !hasReading
        hasReading = true
        let up = force * (1 / strength)
        let tiltChanged = updateTilt(elevation: asin(min(max(up.z, -1), 1)) * Angle.degreesPerRadian)
        let turned = updateOrientation(up, at: bootMicroseconds)
        return isFirst || tiltChanged || turned
    }

    private mutating func updateOrientation(_ up: Vector3, at time: Int64) -> Bool {
        let raised = asin(min((up.x * up.x + up.y * up.y).squareRoot(), 1)) * Angle.degreesPerRadian
        guard raised >= parameters.raisedDegrees else {
            candidate = orientation
            return false
        }
        let direction = atan2(up.x, up.y) * Angle.degreesPerRadian
        let side = ScreenOrientation.allCases.first {
            abs(Angle.turn(from: $0.upDegrees, to: direction)) <= parameters.sideDegrees
        }
        guard let side, side != orientation else {
            candidate = orientation
            return false
        }
        if side != candidate {
            candidate = side
            candidateSince = time
        }
        // The first side is told at once: a screen that starts turned must not wait.
        guard orientation == .undefined || time - candidateSince >= parameters.holdMicroseconds else { return false }
        orientation = side
        return true
    }

    private mutating func updateTilt(elevation: Double) -> Bool {
        let found = tilt(at: elevation)
        guard found != tilt else { return false }
        if tilt != .undefined {
            // Beyond the border by the hysteresis from either side, or the old one stays.
            let margin = parameters.tiltHysteresisDegrees
            guard tilt(at: elevation - margin) != tilt, tilt(at: elevation + margin) != tilt else { return false }
        }
        tilt = found
        return true
    }

    private func tilt(at elevation: Double) -> ScreenTilt {
        switch elevation {
        case parameters.lyingDegrees...: .faceUp
        case parameters.standingDegrees...: .tiltedUp
        case ..<(-parameters.lyingDegrees): .faceDown
        case ..<(-parameters.standingDegrees): .tiltedDown
        default: .vertical
        }
    }
}
