internal import Geometry
internal import LocateMeModel

import func Glibc.atan2
import func Glibc.exp

/// What the satellite receiver of a simulated phone reports, errors included.
struct ReceiverModel: Sendable {
    /// Radius that holds 68 % of a round two-dimensional normal distribution, in standard deviations: √(−2 ln 0.32).
    private static let radius68 = 1.509_592

    private let receiver: SimulatedPhone.Receiver
    private let plane: LocalPlane
    private let ground: Double
    private let startRealMicroseconds: Int64?
    private var random: RandomSource
    /// Error of the place east, north, up in standard deviations.
    private var error: Vector3?

    init(_ receiver: SimulatedPhone.Receiver, walk: Walk, seed: UInt64, startRealMicroseconds: Int64?) {
        self.receiver = receiver
        plane = LocalPlane(latitude: walk.latitude, longitude: walk.longitude, altitude: walk.altitude)
        ground = walk.altitude
        self.startRealMicroseconds = startRealMicroseconds
        random = RandomSource(seed: seed, stream: 4)
    }

    /// The fix in a state of motion at a time since the start.
    mutating func fix(_ state: MotionState, microseconds: Int64) -> Fix {
        let error = nextError()
        let place = plane.place(
            east: state.position.x + error.x * receiver.horizontalError,
            north: state.position.y + error.y * receiver.horizontalError)
        let velocity = state.velocity + normals() * receiver.speedError
        let speed = (velocity.x * velocity.x + velocity.y * velocity.y).squareRoot()
        var fix = Fix(
            realMicroseconds: startRealMicroseconds.map { $0 + microseconds } ?? 0, bootMicroseconds: microseconds,
            latitude: place.latitude, longitude: place.longitude,
            horizontalAccuracy: max(receiver.horizontalError * Self.radius68, 0.01))
        fix.altitude = ground + state.position.z + error.z * receiver.verticalError
        fix.ellipsoidalAltitude = .nan
        fix.verticalAccuracy = max(receiver.verticalError, 0.01)
        fix.speed = speed
        fix.speedAccuracy = receiver.speedError
        fix.course = Angle.wrap360(atan2(velocity.x, velocity.y) * Angle.degreesPerRadian)
        // The error across the way at this speed; at rest the course says nothing.
        fix.courseAccuracy = min(atan2(receiver.speedError, speed) * Angle.degreesPerRadian * 2, 180)
        fix.flags = .simulated
        fix.source = "simulated"
        fix.satellites = 9
        return fix
    }

    /// The exact step of a Gauss–Markov process of unit variance over one interval.
    private mutating func nextError() -> Vector3 {
        let fresh = normals()
        guard let last = error else {
            error = fresh
            return fresh
        }
        let memory = exp(-receiver.interval / receiver.correlationTime)
        let next = last * memory + fresh * (1 - memory * memory).squareRoot()
        error = next
        return next
    }

    private mutating func normals() -> Vector3 {
        let (x, y, z) = (random.normal(), random.normal(), random.normal())
        return Vector3(x, y, z)
    }
}
