public import LocateMeModel

/// What an application gets in the background: the key `BackgroundMode` of `Power1.SetPolicy`.
public enum BackgroundMode: UInt32, Hashable, Sendable, CaseIterable {
    /// Everything on mains, significant changes on battery.
    case standard = 1
    /// Nothing.
    case foregroundOnly = 2
    /// Everything, as long as the battery is not low.
    case always = 3
    /// A place each quarter of an hour, and when the session is unlocked or the machine resumes.
    case periodic = 4
}

/// What a session gets in its present circumstances.
public enum LocationDuty: Hashable, Sendable {
    /// Every fix that its own filters let pass.
    case continuous
    /// As continuous, but not more often than each so many seconds.
    case reduced(seconds: UInt32)
    /// One fix each so many seconds; in between the sources may sleep.
    case periodic(seconds: UInt32)
    /// Significant changes only.
    case significant
    /// Nothing.
    case paused

    /// True if fixes come as the session's own filters let them.
    public var isSteady: Bool {
        switch self {
        case .continuous, .reduced: true
        case .periodic, .significant, .paused: false
        }
    }

    /// The number of `Session1.Background`.
    public var backgroundNumber: UInt32 {
        switch self {
        case .continuous: 0
        case .reduced, .periodic: 1
        case .significant: 2
        case .paused: 3
        }
    }
}

/// An application's policy, and what follows from it.
public struct PowerPolicy: Hashable, Sendable {
    /// What it gets in the background.
    public var background = BackgroundMode.standard
    /// In place of the table's value in the background on battery; nil: the table's.
    public var onBattery: LocationDuty?
    /// In place of the table's value in the background on a low battery; nil: the table's.
    public var onLowBattery: LocationDuty?

    /// The standard policy.
    public init() {}

    /// The table of the background policy.
    ///
    /// On a low battery the foreground goes on at a reduced rate: somebody looks at it. In the background only regions
    /// are watched then. Exceptions: `always` goes on with 10 s, `periodic` with half an hour.
    public func duty(power: PowerState, isForeground: Bool) -> LocationDuty {
        if isForeground { return power == .low ? .reduced(seconds: background == .always ? 10 : 60) : .continuous }
        switch (background, power) {
        case (.foregroundOnly, _): return .paused
        case (.standard, .external), (.always, .external): return .continuous
        case (.standard, .battery): return onBattery ?? .significant
        case (.standard, .low): return onLowBattery ?? .paused
        case (.always, .battery): return onBattery ?? .continuous
        case (.always, .low): return onLowBattery ?? .reduced(seconds: 10)
        case (.periodic, .external), (.periodic, .battery): return .periodic(seconds: 900)
        case (.periodic, .low): return .periodic(seconds: 1800)
        }
    }
}
