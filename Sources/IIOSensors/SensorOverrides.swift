public import Geometry
public import LocateMeModel

/// What the administrator knows better than the devices do.
public struct SensorOverrides: Hashable, Sendable {
    /// Mount matrices by sensor id (`local:/iio:device0/magn`) or by IIO name and type (`ak8963/magn`).
    public var mountMatrices: [String: MountMatrix]
    /// Sensor ids, or IIO names, that are not to be used.
    public var ignored: Set<String>
    /// The sensor id to use for a kind, if it exists and can be used.
    public var preferred: [SensorKind: String]

    /// Overrides of the given kinds, all empty by default.
    public init(
        mountMatrices: [String: MountMatrix] = [:], ignored: Set<String> = [], preferred: [SensorKind: String] = [:]
    ) {
        self.mountMatrices = mountMatrices
        self.ignored = ignored
        self.preferred = preferred
    }
}
