public import LocateMeModel

extension LocationSettings {
    /// Sets the values of a preset; the other values stay.
    public mutating func apply(_ preset: LocationPreset) {
        switch preset {
        case .tracker:
            // The values of the location handlers of phones for logging a track: 10 m, at most once a minute.
            (desiredAccuracy, requiredAccuracy, minimumIntervalMilliseconds) = (10, 10, 60_000)
            (distanceFilter, confirmedDistance, activityType) = (50, true, 2)
        case .walk: (desiredAccuracy, distanceFilter, activityType) = (10, 10, 3)
        case .vehicle: (desiredAccuracy, distanceFilter, activityType) = (10, 50, 2)
        case .highway:
            (desiredAccuracy, distanceFilter, activityType) = (10, HighwayMode.distanceFilter, 2)
        case .dispatcher: (desiredAccuracy, distanceFilter, minimumIntervalMilliseconds) = (100, -1, 60_000)
        case .navigation:
            (desiredAccuracy, distanceFilter, minimumIntervalMilliseconds, activityType) = (-2, -1, 0, 2)
            pausesAutomatically = false
        }
        self.preset = preset.rawValue
    }
}
