/// A thing that delivers light and proximity, for screens: IIO devices. It lives on the event loop; its listener is
/// called on the loop only.
public protocol AmbientSensorSource: AnyObject {
    /// Who hears of readings and changes. Held weakly by convention.
    var ambientListener: (any AmbientSensorListener)? { get set }
    /// The kinds that there is a usable sensor of. Reading this wakes nothing.
    var kinds: Set<AmbientReading.Kind> { get }
    /// Switches the sensor of a kind on; idempotent. A kind without a sensor is remembered, so that one that appears
    /// later delivers at once.
    func start(_ kind: AmbientReading.Kind)
    /// Switches the sensor of a kind off; idempotent.
    func stop(_ kind: AmbientReading.Kind)
}

/// One reading of a light or proximity sensor.
public enum AmbientReading: Hashable, Sendable {
    /// The kinds of reading.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// Ambient light.
        case light
        /// Something close before the screen.
        case proximity
    }

    /// Illuminance: lux, or a number that only the vendor knows the unit of (then `isLux` is false); not negative.
    case light(level: Double, isLux: Bool)
    /// True while something is near.
    case proximity(isNear: Bool)

    /// Its kind.
    public var kind: Kind {
        switch self {
        case .light: .light
        case .proximity: .proximity
        }
    }
}

/// Hears an `AmbientSensorSource`.
public protocol AmbientSensorListener: AnyObject {
    /// A reading.
    func ambientSource(_ source: any AmbientSensorSource, delivered reading: AmbientReading)
    /// Sensors appeared or vanished; read `kinds` again.
    func ambientSourceChanged(_ source: any AmbientSensorSource)
}
