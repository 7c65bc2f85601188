import Foundation
import Geometry
import HeadingEstimation
import LocateMeModel

/// A device whose attitude is a known function of time, with perfect or known-wrong sensors: what a test knows in closed form.
struct SyntheticDevice {
    /// Horizontal and downward earth field in µT: Grenoble's, as in the recordings.
    var horizontal = 22.8
    var down = 41.2
    var hardIron = Vector3.zero
    var softIron = Matrix3.identity
    var gyroBias = Vector3.zero
    /// Scale errors of the gyroscope's axes: rate = (1 + error)·(raw − bias).
    var gyroScale = Vector3.zero
    /// Device to earth (x east, y magnetic north, z up) at a time in seconds.
    var attitude: (Double) -> Quaternion

    /// The field that the magnetometer shows: calibrated = softIron · raw − hardIron.
    func rawField(at time: Double) -> Vector3 {
        let earth = Vector3(0, horizontal, -down)
        return (softIron.inverse ?? .identity) * (attitude(time).conjugate.rotate(earth) + hardIron)
    }

    /// Gravity alone, 9.80665 m/s² up.
    func force(at time: Double) -> Vector3 { attitude(time).conjugate.rotate(Vector3(0, 0, 9.80665)) }

    /// The rate, by the central difference of the attitude over 0.2 ms.
    func rate(at time: Double) -> Vector3 {
        let step = 1e-4
        let turn = (attitude(time - step).conjugate * attitude(time + step)).normalized
        let sine = Vector3(turn.x, turn.y, turn.z)
        let angle = 2 * atan2(sine.length, turn.w)
        guard sine.length > 0 else { return gyroBias }
        let rate = sine * (angle / sine.length / (2 * step))
        return Vector3(rate.x / (1 + gyroScale.x), rate.y / (1 + gyroScale.y), rate.z / (1 + gyroScale.z)) + gyroBias
    }

    /// Which sensors deliver, and how often.
    struct Sensors {
        var magnetometer = 50.0
        var accelerometer = 100.0
        var gyroscope = 100.0
        static let nine = Sensors()
        static let tilt = Sensors(gyroscope: 0)
        static let magnetometerOnly = Sensors(accelerometer: 0, gyroscope: 0)
        static let withoutAccelerometer = Sensors(accelerometer: 0)
    }

    /// All samples between two times, in time order.
    func samples(_ sensors: Sensors, from start: Double = 0, to end: Double) -> [SensorSample] {
        var samples: [SensorSample] = []
        func add(_ rate: Double, _ reading: (Double) -> SensorSample.Reading) {
            guard rate > 0 else { return }
            for index in 0..<Int(((end - start) * rate).rounded()) {
                let time = start + Double(index) / rate
                samples.append(SensorSample(bootMicroseconds: Int64((time * 1e6).rounded()), reading: reading(time)))
            }
        }
        add(sensors.gyroscope) { .angularRate(rate(at: $0)) }
        add(sensors.accelerometer) { .acceleration(force(at: $0)) }
        add(sensors.magnetometer) { .magneticField(rawField(at: $0)) }
        return samples.enumerated().sorted {
            ($0.element.bootMicroseconds, $0.offset) < ($1.element.bootMicroseconds, $1.offset)
        }.map(\.element)
    }

    /// The rotation about the vertical between an estimate and the truth in degrees, as BROAD defines the heading error.
    func headingError(_ estimate: HeadingEstimate) -> Double {
        let truth = attitude(Double(estimate.bootMicroseconds) * 1e-6)
        let difference = estimate.attitude * truth.conjugate
        return Angle.wrap180(2 * atan2(difference.z, difference.w) * Angle.degreesPerRadian)
    }
}

/// The attitude with a heading (degrees clockwise), then a pitch (top edge up) and a roll (right edge down).
func attitude(heading: Double, pitch: Double = 0, roll: Double = 0) -> Quaternion {
    let degree = Angle.radiansPerDegree
    return Quaternion(rotationVector: Vector3(0, 0, -heading * degree))
        * Quaternion(rotationVector: Vector3(pitch * degree, 0, 0))
        * Quaternion(rotationVector: Vector3(0, roll * degree, 0))
}

extension HeadingEstimator {
    /// Feeds samples; all estimates.
    mutating func run(_ samples: [SensorSample]) -> [HeadingEstimate] { samples.compactMap { update($0) } }
}

/// A repeatable generator of numbers (SplitMix64, Steele et al. 2014).
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
