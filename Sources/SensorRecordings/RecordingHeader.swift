/// The facts that a recording states about itself in lines that begin with `#`.
public struct RecordingHeader: Hashable, Sendable {
    /// The one major version that this package reads and writes.
    public static let supportedMajorVersion = 1

    /// One `#sensor` line: a stream and its facts.
    public struct Stream: Hashable, Sendable {
        /// Kind of record, such as `magn`.
        public var kind: String
        /// Name of the sensor, empty if not given.
        public var name: String
        /// The `key=value` facts in their order.
        public var facts: [Fact]

        /// A stream.
        public init(kind: String, name: String, facts: [Fact] = []) {
            self.kind = kind
            self.name = name
            self.facts = facts
        }

        /// The value of the first fact of that key.
        public subscript(key: String) -> String? { facts.first { $0.key == key }?.value }

        /// Fact `rate` in Hz; nil if it is not given or not a positive number.
        public var rateHertz: Double? { positiveNumber("rate") }

        /// Fact `resolution` in the unit of the kind; nil if it is not given or not a positive number.
        public var resolution: Double? { positiveNumber("resolution") }

        /// True if the line says `calibrated=yes`.
        public var isCalibrated: Bool { self["calibrated"] == "yes" }

        private func positiveNumber(_ key: String) -> Double? {
            guard let text = self[key], let value = Double(text), value.isFinite, value > 0 else { return nil }
            return value
        }
    }

    /// One `key=value` of a `#sensor` line.
    public struct Fact: Hashable, Sendable {
        /// Before the first `=`; no spaces.
        public var key: String
        /// After it; no spaces.
        public var value: String

        /// A fact.
        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// Major version of the format.
    public var majorVersion = supportedMajorVersion
    /// Minor version of the format; higher ones are read as far as they are known.
    public var minorVersion = 0
    /// Wall-clock time of t = 0, UTC in microseconds since the Unix epoch; nil unknown.
    public var startRealMicroseconds: Int64?
    /// What recorded; nil if not given.
    public var device: String?
    /// The streams in their order.
    public var streams: [Stream] = []
    /// The `#note` lines in their order.
    public var notes: [String] = []

    /// A header that says nothing but the version.
    public init() {}

    /// The first stream of a kind such as `magn`.
    public func stream(_ kind: String) -> Stream? { streams.first { $0.kind == kind } }

    /// True if the `magn` stream has been calibrated before it was recorded.
    public var isMagneticFieldCalibrated: Bool { stream("magn")?.isCalibrated ?? false }
}
