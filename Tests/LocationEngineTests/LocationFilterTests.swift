import LocateMeModel
import LocationEngine
import Testing

struct LocationFilterTests {
    /// Metres per degree of latitude at 47°, WGS 84 (GeodSolve: 111177.4 for 47° to 48°).
    private let metresPerDegree = 111_177.4

    private func walk(_ metres: [Double], accuracy: Double = 5, settings: LocationSettings) -> [Double] {
        var filter = LocationFilter()
        return metres.enumerated().compactMap { second, distance in
            let place = fix(47 + distance / metresPerDegree, 8, accuracy: accuracy, at: Double(second))
            return filter.passes(place, settings: settings) ? distance : nil
        }
    }

    @Test func `Without a filter every fix is delivered`() {
        #expect(walk([0, 0, 1, 1], settings: LocationSettings()) == [0, 0, 1, 1])
    }

    @Test func `Distance counts from the last delivered fix`() {
        var settings = LocationSettings()
        settings.distanceFilter = 10
        #expect(walk([0, 4, 8, 12, 16, 20, 23], settings: settings) == [0, 12, 23])
    }

    @Test func `A confirmed distance exceeds the filter by both accuracies`() {
        var settings = LocationSettings()
        settings.distanceFilter = 10
        settings.confirmedDistance = true
        #expect(walk([0, 12, 19, 21, 30], settings: settings) == [0, 21])
    }

    @Test func `Nothing is delivered before the minimum interval`() {
        var settings = LocationSettings()
        settings.minimumIntervalMilliseconds = 3000
        #expect(walk([0, 1, 2, 3, 4, 5, 6], settings: settings) == [0, 3, 6])
    }

    @Test func `Twice the accuracy is news if the last fix was worse than wanted`() {
        var settings = LocationSettings()
        settings.distanceFilter = 100
        settings.desiredAccuracy = 10
        var filter = LocationFilter()
        let delivered = [40.0, 21, 10, 2].enumerated().filter { second, accuracy in
            filter.passes(fix(47, 8, accuracy: accuracy, at: Double(second)), settings: settings)
        }
        #expect(delivered.map(\.element) == [40, 10])
    }

    @Test func `One moment of a source is delivered once`() {
        // The sequence of the case duplicate-events: stream, one-shot, second sentence of the epoch, next second.
        var filter = LocationFilter()
        let delivered = [0.0, 0.0, 0.020, 1.0].filter { second in
            filter.passes(fix(47, 8, accuracy: 5, at: second), settings: LocationSettings())
        }
        #expect(delivered == [0, 1])
    }

    @Test func `An accurate fix ends the window of inaccurate ones`() {
        var settings = LocationSettings()
        settings.requiredAccuracy = 10
        var window = AcceptanceWindow()
        #expect(window.take(fix(47, 8, accuracy: 50, at: 0), settings: settings, now: 0) == nil)
        #expect(window.deadline == 10_000_000)
        let accepted = window.take(fix(47, 8, accuracy: 9, at: 1), settings: settings, now: 1_000_000)
        #expect(accepted?.horizontalAccuracy == 9)
        #expect(accepted?.flags.contains(.bestAvailable) == false)
        #expect(window.deadline == nil)
    }

    @Test func `After the tries the best of the inaccurate fixes counts, and says so`() {
        var settings = LocationSettings()
        settings.requiredAccuracy = 10
        settings.acceptTries = 3
        var window = AcceptanceWindow()
        #expect(window.take(fix(47, 8, accuracy: 50, at: 0), settings: settings, now: 0) == nil)
        #expect(window.take(fix(47, 8, accuracy: 20, at: 1), settings: settings, now: 1) == nil)
        let accepted = window.take(fix(47, 8, accuracy: 30, at: 2), settings: settings, now: 2)
        #expect(accepted?.horizontalAccuracy == 20)
        #expect(accepted?.flags.contains(.bestAvailable) == true)
    }

    @Test(arguments: LocationPreset.allCases)
    func `Every preset gives values that may be set`(preset: LocationPreset) {
        var settings = LocationSettings()
        settings.apply(preset)
        #expect(settings.preset == preset.rawValue)
        #expect(settings.objection == nil)
        #expect(settings != LocationSettings())
    }

    @Test func `Impossible settings are named`() {
        for change: (inout LocationSettings) -> Void in [
            { $0.desiredAccuracy = -3 }, { $0.desiredAccuracy = .nan }, { $0.distanceFilter = -2 },
            { $0.distanceFilter = .infinity }, { $0.requiredAccuracy = -1 }, { $0.acceptTries = 0 },
            { $0.activityType = 0 }, { $0.activityType = 6 },
        ] {
            var settings = LocationSettings()
            change(&settings)
            #expect(settings.objection != nil)
        }
    }
}
