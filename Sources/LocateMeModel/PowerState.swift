/// What feeds the machine: `Power1.PowerState`.
public enum PowerState: UInt32, Hashable, Sendable {
    /// Mains, or a battery that is charged or full, or no battery at all.
    case external = 1
    /// A battery; also while nothing is known, and while the user saves power.
    case battery = 2
    /// A battery at 20 % or less.
    case low = 3
}

/// What the services of the machine say about its power, and what follows.
public struct PowerReading: Hashable, Sendable {
    /// Percent at and below which a battery is low.
    public static let lowPercent = 20.0

    /// False until the power service has answered, or is known not to be there.
    public var isKnown = false
    /// True if there is a power service and it says that the machine runs on battery.
    public var isOnBattery = false
    /// Charge in percent; nil: no battery, or unknown.
    public var percent: Double?
    /// The profile that the user chose, such as `power-saver`; empty: nobody knows.
    public var profile = ""

    /// Nothing is known.
    public init() {}

    /// True if the user saves power.
    public var isSaving: Bool { profile == "power-saver" }

    /// Unknown counts as battery: closed until the power is known.
    public var state: PowerState {
        guard isKnown else { return .battery }
        if isOnBattery { return percent.map { $0 <= Self.lowPercent } ?? false ? .low : .battery }
        return isSaving ? .battery : .external
    }
}

/// Tells what feeds the machine.
public protocol PowerMonitor: AnyObject {
    /// What is known.
    var reading: PowerReading { get }
    /// Called when `reading` has changed.
    var readingChanged: () -> Void { get set }
    /// Reads everything again: while the machine slept, signals may have been missed.
    func refresh()
}
