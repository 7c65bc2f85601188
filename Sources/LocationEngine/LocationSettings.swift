/// The writable properties of `Location1`: what one session wants of its fixes.
public struct LocationSettings: Hashable, Sendable {
    /// Metres wanted; −1 best, −2 best for navigation.
    public var desiredAccuracy = -1.0
    /// Metres between delivered fixes; −1 none.
    public var distanceFilter = -1.0
    /// True: a fix has moved only if the distance exceeds the filter by both accuracies.
    public var confirmedDistance = false
    /// Metres that a fix must have to be taken at once; 0: any.
    public var requiredAccuracy = 0.0
    /// Milliseconds after which the best of too inaccurate fixes is taken.
    public var acceptTimeoutMilliseconds: UInt32 = 10_000
    /// Number of too inaccurate fixes after which the best is taken.
    public var acceptTries: UInt32 = 10
    /// Milliseconds between delivered fixes.
    public var minimumIntervalMilliseconds: UInt32 = 0
    /// Milliseconds that a fix may wait for others to be delivered with; 0: none.
    public var maximumDelayMilliseconds: UInt32 = 0
    /// Age in milliseconds up to which a known fix is delivered first.
    public var maximumAgeMilliseconds: UInt32 = 30_000
    /// What moves: 1 other, 2 automotive, 3 fitness, 4 other navigation, 5 airborne.
    public var activityType: UInt32 = 1
    /// True: updates may pause while nothing moves.
    public var pausesAutomatically = true
    /// Name of the preset last chosen, empty if none.
    public var preset = ""

    /// The defaults.
    public init() {}

    /// True if the distance filter widens on fast roads: a vehicle that is told by distance and not more often than
    /// each 15 s.
    public var widensOnHighways: Bool {
        activityType == 2 && minimumIntervalMilliseconds > HighwayMode.guardMilliseconds
            && (0..<HighwayMode.distanceFilter).contains(distanceFilter)
    }

    /// What is wrong with the values, nil if nothing is.
    public var objection: String? {
        if !(desiredAccuracy >= 0 || desiredAccuracy == -1 || desiredAccuracy == -2) || !desiredAccuracy.isFinite {
            return "DesiredAccuracy is metres ≥ 0, -1 for best or -2 for best for navigation"
        }
        if !(distanceFilter >= 0 || distanceFilter == -1) || !distanceFilter.isFinite {
            return "DistanceFilter is metres ≥ 0, or -1 for none"
        }
        if !(requiredAccuracy >= 0) || !requiredAccuracy.isFinite {
            return "RequiredAccuracy is metres > 0, or 0 for off"
        }
        if acceptTries == 0 { return "AcceptTries is at least 1" }
        if !(1...5).contains(activityType) {
            return "ActivityType is 1 other, 2 automotive, 3 fitness, 4 other navigation or 5 airborne"
        }
        return nil
    }
}
