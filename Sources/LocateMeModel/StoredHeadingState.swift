public import Geometry

/// What the daemon remembers of one device between runs: calibration, gyro bias and timing of its sensors, each
/// part optional, each with its standard deviation. Values are in the device frame.
public struct StoredHeadingState: Hashable, Sendable {
    /// A magnetometer calibration: calibrated = `softIron` · raw − `hardIron`, in µT.
    public struct Magnetometer: Hashable, Sendable {
        /// Symmetric, positive definite, near the identity.
        public var softIron: Matrix3
        /// µT, after the soft iron matrix.
        public var hardIron: Vector3
        /// Standard deviation of each component of `hardIron` in µT.
        public var hardIronSigma: Double
        /// Covariance of `hardIron` in µT², symmetric; nil: `hardIronSigma` in every direction.
        public var hardIronCovariance: Matrix3?
        /// Field strength of the fit in µT, 0 if no fit was made.
        public var fieldMicrotesla: Double = 0
        /// Root mean square residual of the fit in µT, NaN if no fit was made.
        public var residualMicrotesla: Double = .nan
        /// Share of the sphere that the fitted samples covered, 0…1; NaN if no fit was made.
        public var coverage: Double = .nan
        /// Number of fitted samples.
        public var samples: Int = 0

        /// A calibration without fit statistics.
        public init(softIron: Matrix3, hardIron: Vector3, hardIronSigma: Double) {
            self.softIron = softIron
            self.hardIron = hardIron
            self.hardIronSigma = hardIronSigma
        }
    }

    /// The gyroscope's bias in rad/s, and its standard deviation.
    public struct Gyroscope: Hashable, Sendable {
        /// Scale errors of the axes: rate = (1 + error)·(raw − bias).
        public struct Scale: Hashable, Sendable {
            /// One an axis, without unit.
            public var error: Vector3
            /// Standard deviation of each.
            public var sigma: Double

            /// Scale errors.
            public init(error: Vector3, sigma: Double) {
                self.error = error
                self.sigma = sigma
            }

            /// False for what no gyroscope has: beyond a fifth, or not finite.
            public var isPlausible: Bool {
                abs(error.x) <= 0.2 && abs(error.y) <= 0.2 && abs(error.z) <= 0.2 && sigma >= 0 && sigma.isFinite
            }
        }

        /// rad/s; rate = raw − bias.
        public var bias: Vector3
        /// rad/s, each component.
        public var sigma: Double
        /// Nil: unknown.
        public var scale: Scale?

        /// A bias.
        public init(bias: Vector3, sigma: Double) {
            self.bias = bias
            self.sigma = sigma
        }
    }

    /// By how much the magnetometer's samples lag the gyroscope's.
    public struct Latency: Hashable, Sendable {
        /// Seconds, ≥ 0.
        public var seconds: Double
        /// Seconds.
        public var sigma: Double

        /// A latency.
        public init(seconds: Double, sigma: Double) {
            self.seconds = seconds
            self.sigma = sigma
        }
    }

    /// Nil: never calibrated.
    public var magnetometer: Magnetometer?
    /// Nil: bias unknown.
    public var gyroscope: Gyroscope?
    /// Nil: latency unknown.
    public var latency: Latency?
    /// The magnetometer's mount matrix when this was learned: all values belong to the frame that it makes; nil unknown.
    public var mountMatrix: Matrix3?
    /// What the magnetometer's field must be multiplied by: 1, or a power of ten where its driver's scale is off.
    public var fieldScale: Double = 1
    /// When this was learned, UTC in microseconds since the Unix epoch; 0 unknown.
    public var createdRealMicroseconds: Int64 = 0
    /// °C of the magnetometer then; NaN unknown.
    public var temperature: Double = .nan
    /// Where it was learned, degrees; NaN unknown.
    public var latitude: Double = .nan
    /// Where it was learned, degrees; NaN unknown.
    public var longitude: Double = .nan
    /// online, guided, factory or imported.
    public var source: String = "online"

    /// Nothing known.
    public init() {}
}
