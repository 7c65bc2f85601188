internal import MessageBus

/// The properties of `Compass1`: the compass hardware.
public struct CompassInformation: Hashable, Sendable {
    /// Id of the magnetometer in use, empty if there is none.
    public var magnetometer: String
    /// Id of the accelerometer in use, empty if there is none.
    public var accelerometer: String
    /// Id of the gyroscope in use, empty if there is none.
    public var gyroscope: String
    /// fused-9, fused-6, tilt, flat, hub or none.
    public var fusion: String
    /// Rate of the magnetometer in Hz; 0 while it is off.
    public var rateHertz: Double
    /// Degrees, east positive; NaN: the model is used.
    public var declinationOverride: Double
    /// Such as "WMM-2025".
    public var magneticModel: String
    /// True if the date lies outside of the model's years.
    public var magneticModelExpired: Bool

    init(_ properties: [String: BusValue]) {
        magnetometer = properties["Magnetometer"]?.stringValue ?? ""
        accelerometer = properties["Accelerometer"]?.stringValue ?? ""
        gyroscope = properties["Gyroscope"]?.stringValue ?? ""
        fusion = properties["Fusion"]?.stringValue ?? "none"
        rateHertz = properties["Rate"]?.doubleValue ?? 0
        declinationOverride = properties["DeclinationOverride"]?.doubleValue ?? .nan
        magneticModel = properties["MagneticModel"]?.stringValue ?? ""
        magneticModelExpired = properties["MagneticModelExpired"]?.boolValue ?? false
    }
}
