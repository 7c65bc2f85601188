internal import LocateMeBusInterface

/// The writable properties of `Location1`: what one session wants of its fixes.
struct LocationSettings: Hashable {
    /// Metres wanted; −1 best, −2 best for navigation.
    var desiredAccuracy = -1.0
    /// Metres between delivered fixes; −1 none.
    var distanceFilter = -1.0
    /// True: a fix has moved only if the distance exceeds the filter by both accuracies.
    var confirmedDistance = false
    /// Metres that a fix must have to be taken at once; 0: any.
    var requiredAccuracy = 0.0
    /// Milliseconds after which the best of too inaccurate fixes is taken.
    var acceptTimeoutMilliseconds: UInt32 = 10_000
    /// Number of too inaccurate fixes after which the best is taken.
    var acceptTries: UInt32 = 10
    /// Milliseconds between delivered fixes.
    var minimumIntervalMilliseconds: UInt32 = 0
    /// Milliseconds that a fix may wait for others to be delivered with; 0: none.
    var maximumDelayMilliseconds: UInt32 = 0
    /// Age in milliseconds up to which a known fix is delivered first.
    var maximumAgeMilliseconds: UInt32 = 30_000
    /// What moves: 1 other, 2 automotive, 3 fitness, 4 other navigation, 5 airborne.
    var activityType: UInt32 = 1
    /// True: updates may pause while nothing moves.
    var pausesAutomatically = true
    /// Name of the preset last chosen, empty if none.
    var preset = ""

    /// Sets the values of a preset; the other values stay.
    mutating func apply(_ preset: LocationPreset) {
        switch preset {
        case .tracker:
            // The values of the location handlers of phones for logging a track: 10 m, at most once a minute.
            (desiredAccuracy, requiredAccuracy, minimumIntervalMilliseconds) = (10, 10, 60_000)
            (distanceFilter, confirmedDistance, activityType) = (50, true, 1)
        case .walk: (desiredAccuracy, distanceFilter, activityType) = (10, 10, 3)
        case .vehicle: (desiredAccuracy, distanceFilter, activityType) = (10, 50, 2)
        case .dispatcher: (desiredAccuracy, distanceFilter, minimumIntervalMilliseconds) = (100, -1, 60_000)
        case .navigation:
            (desiredAccuracy, distanceFilter, minimumIntervalMilliseconds, activityType) = (-2, -1, 0, 2)
            pausesAutomatically = false
        }
        self.preset = preset.rawValue
    }

    /// What is wrong with the values, nil if nothing is.
    var objection: String? {
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
