public import Geometry
public import LocateMeModel

/// The sensors of a simulated phone and their errors. A sensor that is nil is missing.
public struct SimulatedPhone: Hashable, Sendable {
    /// raw = `softIron` · field + `hardIron` + noise, then rounded to `resolution`.
    public struct Magnetometer: Hashable, Sendable {
        /// A change of the hard iron while recording, as by a case or a loudspeaker.
        public struct Shift: Hashable, Sendable {
            /// Seconds since the start.
            public var seconds: Double
            /// µT, device frame.
            public var change: Vector3

            /// A shift.
            public init(seconds: Double, change: Vector3) {
                self.seconds = seconds
                self.change = change
            }
        }

        /// Hz, > 0.
        public var rateHertz = 50.0
        /// µT, device frame.
        public var hardIron = Vector3(28, -41, 63)
        /// Without unit, invertible.
        public var softIron = Matrix3(
            Vector3(1.06, 0.03, -0.02), Vector3(0.03, 0.95, 0.015), Vector3(-0.02, 0.015, 1.01))
        /// Changes of the hard iron in the order of their times.
        public var shifts: [Shift] = []
        /// Standard deviation of each axis in µT.
        public var noise = 0.35
        /// µT per count; 0: not rounded. The default is that of Asahi Kasei's AK0991x.
        public var resolution = 0.15
        /// By how many seconds a sample is older than its time says.
        public var latency = 0.012

        /// A usual one.
        public init() {}

        /// What a perfect calibration would find; nil if the soft iron has no inverse.
        public var calibration: StoredHeadingState.Magnetometer? {
            guard let inverse = softIron.inverse else { return nil }
            return StoredHeadingState.Magnetometer(
                softIron: inverse, hardIron: inverse * hardIron, hardIronSigma: 0)
        }
    }

    /// raw = specific force + `bias` + noise.
    public struct Accelerometer: Hashable, Sendable {
        /// Hz, > 0.
        public var rateHertz = 100.0
        /// m/s², device frame.
        public var bias = Vector3(0.06, -0.04, 0.09)
        /// Standard deviation of each axis in m/s².
        public var noise = 0.025

        /// A usual one.
        public init() {}
    }

    /// raw = rate + bias + noise, where the bias wanders.
    public struct Gyroscope: Hashable, Sendable {
        /// Hz, > 0.
        public var rateHertz = 100.0
        /// rad/s, device frame, at the start.
        public var bias = Vector3(0.006, -0.011, 0.004)
        /// Standard deviation of the change of each axis' bias in a second, rad/s.
        public var biasWalk = 2e-5
        /// Standard deviation of each axis in rad/s.
        public var noise = 0.0025

        /// A usual one.
        public init() {}
    }

    /// A satellite receiver whose error wanders as a first-order Gauss–Markov process.
    public struct Receiver: Hashable, Sendable {
        /// Seconds between fixes, > 0.
        public var interval = 1.0
        /// Standard deviation of the error east and of that north, metres.
        public var horizontalError = 3.0
        /// Standard deviation of the error up, metres.
        public var verticalError = 5.0
        /// Seconds after which the error is forgotten by a factor e, > 0.
        public var correlationTime = 30.0
        /// Standard deviation of the error of each component of the velocity, m/s.
        public var speedError = 0.1

        /// A usual one.
        public init() {}
    }

    /// Nil: missing.
    public var magnetometer: Magnetometer? = Magnetometer()
    /// Nil: missing.
    public var accelerometer: Accelerometer? = Accelerometer()
    /// Nil: missing.
    public var gyroscope: Gyroscope? = Gyroscope()
    /// Nil: missing.
    public var receiver: Receiver? = Receiver()
    /// Records of the true attitude per second; 0: none.
    public var truthRateHertz = 50.0

    /// A usual phone.
    public init() {}

    /// A phone without any error, all sensors at one rate in Hz.
    public static func perfect(rateHertz: Double = 100) -> SimulatedPhone {
        var magnetometer = Magnetometer()
        magnetometer.rateHertz = rateHertz
        magnetometer.hardIron = .zero
        magnetometer.softIron = .identity
        magnetometer.noise = 0
        magnetometer.resolution = 0
        magnetometer.latency = 0
        var accelerometer = Accelerometer()
        accelerometer.rateHertz = rateHertz
        accelerometer.bias = .zero
        accelerometer.noise = 0
        var gyroscope = Gyroscope()
        gyroscope.rateHertz = rateHertz
        gyroscope.bias = .zero
        gyroscope.biasWalk = 0
        gyroscope.noise = 0
        var receiver = Receiver()
        receiver.horizontalError = 0
        receiver.verticalError = 0
        receiver.speedError = 0
        var phone = SimulatedPhone()
        phone.magnetometer = magnetometer
        phone.accelerometer = accelerometer
        phone.gyroscope = gyroscope
        phone.receiver = receiver
        phone.truthRateHertz = rateHertz
        return phone
    }
}
