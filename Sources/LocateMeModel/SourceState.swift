/// The state of a source of samples or fixes: the number in `Manager1.Sources`.
public enum SourceState: UInt32, Hashable, Sendable {
    /// Nobody needs it.
    case off = 1
    /// Needed, nothing delivered yet.
    case starting = 2
    /// Delivering.
    case ok = 3
    /// Was delivering and fell silent, or was unplugged.
    case lost = 4
    /// Cannot work until somebody acts.
    case failed = 5
}

/// One row of `Manager1.Sources`.
public struct SourceDescription: Hashable, Sendable {
    /// Stable name.
    public var id: String
    /// gpsd, geoclue, modemmanager, nmea, static, replay, simulated, iio-magn, iio-accel, iio-gyro or iio-rot.
    public var kind: String
    /// Where it stands.
    public var state: SourceState

    /// A row.
    public init(id: String, kind: String, state: SourceState) {
        self.id = id
        self.kind = kind
        self.state = state
    }
}
