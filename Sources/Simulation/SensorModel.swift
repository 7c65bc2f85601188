internal import Geometry
internal import LocateMeModel

/// What the sensors of a simulated phone read in a state of motion, errors included.
struct SensorModel: Sendable {
    private let phone: SimulatedPhone
    /// µT east, true north, up.
    private let earthField: Vector3
    /// True to magnetic earth frame.
    private let toMagneticNorth: Quaternion
    private let magnets: [Magnet]
    private var gyroscopeBias: Vector3
    private var magnetometerNoise: RandomSource
    private var accelerometerNoise: RandomSource
    private var gyroscopeNoise: RandomSource

    init(phone: SimulatedPhone, field: EarthField, magnets: [Magnet], seed: UInt64) {
        self.phone = phone
        self.magnets = magnets
        // Magnetic north lies clockwise of true north by the declination; turning counter-clockwise by it makes it y.
        toMagneticNorth = Quaternion(aboutZ: field.declination * Angle.radiansPerDegree)
        earthField = toMagneticNorth.conjugate.rotate(Vector3(0, field.horizontal, -field.down))
        gyroscopeBias = phone.gyroscope?.bias ?? .zero
        magnetometerNoise = RandomSource(seed: seed, stream: 1)
        accelerometerNoise = RandomSource(seed: seed, stream: 2)
        gyroscopeNoise = RandomSource(seed: seed, stream: 3)
    }

    /// Seconds by which the magnetometer lags.
    var latency: Double { phone.magnetometer?.latency ?? 0 }

    /// Device to earth frame with y magnetic north.
    func magneticAttitude(_ state: MotionState) -> Quaternion { toMagneticNorth * state.attitude }

    /// µT in the device frame; `seconds` is the time of the sample.
    mutating func magneticField(_ state: MotionState, _ seconds: Double) -> Vector3 {
        guard let magnetometer = phone.magnetometer else { return .zero }
        let field = magnets.reduce(earthField) { $0 + $1.field(at: state.position) }
        var hardIron = magnetometer.hardIron
        for shift in magnetometer.shifts where shift.seconds <= seconds { hardIron += shift.change }
        let raw =
            magnetometer.softIron * state.attitude.conjugate.rotate(field) + hardIron
            + Self.noise(magnetometer.noise, &magnetometerNoise)
        let step = magnetometer.resolution
        guard step > 0 else { return raw }
        return Vector3(
            (raw.x / step).rounded() * step, (raw.y / step).rounded() * step, (raw.z / step).rounded() * step)
    }

    /// m/s² in the device frame: what holds the phone up, gravity's opposite and its own acceleration.
    mutating func specificForce(_ state: MotionState) -> Vector3 {
        guard let accelerometer = phone.accelerometer else { return .zero }
        let force = state.acceleration + Vector3(0, 0, WalkSimulation.gravity)
        return state.attitude.conjugate.rotate(force) + accelerometer.bias
            + Self.noise(accelerometer.noise, &accelerometerNoise)
    }

    /// rad/s in the device frame.
    mutating func angularRate(_ state: MotionState) -> Vector3 {
        guard let gyroscope = phone.gyroscope else { return .zero }
        let reading = state.angularRate + gyroscopeBias + Self.noise(gyroscope.noise, &gyroscopeNoise)
        gyroscopeBias += Self.noise(gyroscope.biasWalk / gyroscope.rateHertz.squareRoot(), &gyroscopeNoise)
        return reading
    }

    private static func noise(_ sigma: Double, _ random: inout RandomSource) -> Vector3 {
        let (x, y, z) = (random.normal(), random.normal(), random.normal())
        return Vector3(x, y, z) * sigma
    }
}
