public import Geometry
public import LocateMeModel

/// One line of a recording.
public struct Record: Hashable, Sendable {
    /// What was recorded.
    public enum Content: Hashable, Sendable {
        /// A reading of a sensor; `bootMicroseconds` is the time since the start of the recording.
        case sample(SensorSample)
        /// A place as the source gave it, not validated. `bootMicroseconds` is the time since the start of the
        /// recording, `realMicroseconds` follows from `#start` and `time` lines (0 if there was neither).
        ///
        /// An accuracy that the line leaves open is 0, which by convention means "unknown"; a value that it leaves
        /// open is invalid (accuracy or value −1). The height above the ellipsoid is NaN: recordings hold the one
        /// above mean sea level.
        indirect case fix(Fix)
        /// The source said that it has no position.
        case noFix
        /// Wall-clock time of this moment: UTC in microseconds since the Unix epoch.
        case time(realMicroseconds: Int64)
        /// Reference attitude, device to earth frame (x east, y magnetic north, z up). No estimator may read it.
        case truth(Quaternion)
        /// Another system's own answer, same frames as `truth`.
        case peer(name: String, attitude: Quaternion)
        /// Something that happened to the device.
        case event(RecordingEvent)
        /// A note by the person who recorded.
        case mark(String)
    }

    /// Time since the start of the recording in microseconds, ≥ 0.
    public var microseconds: Int64
    /// Number of the line in its file, from 1; 0 for a record that was not read.
    public var line: Int
    /// What was recorded.
    public var content: Content

    /// A record.
    public init(microseconds: Int64, content: Content, line: Int = 0) {
        self.microseconds = microseconds
        self.content = content
        self.line = line
    }

    /// A sensor sample at its own time.
    public init(_ sample: SensorSample) {
        self.init(microseconds: sample.bootMicroseconds, content: .sample(sample))
    }

    /// A fix at its own boot time.
    public init(_ fix: Fix) {
        self.init(microseconds: fix.bootMicroseconds, content: .fix(fix))
    }

    /// The sample, if the record is one.
    @inlinable
    public var sample: SensorSample? {
        if case .sample(let sample) = content { sample } else { nil }
    }
}
