import LocateMeModel
import LocationEngine
import Testing

@Suite struct SessionFilterTests {
    private let trace = Trace()

    private func drive(_ seconds: Int, speed: Double) -> [Fix] {
        (0...seconds).map { trace.fix(Double($0), north: speed * Double($0), accuracy: 4, speed: speed) }
    }

    @Test func `Bar 11: each of two sessions gets what it would get alone`() {
        let fixes = drive(120, speed: 3)
        var (near, far) = (LocationSettings(), LocationSettings())
        near.distanceFilter = 10
        far.distanceFilter = 100
        far.minimumIntervalMilliseconds = 20_000
        let alone = (Trace.delivered(fixes, near), Trace.delivered(fixes, far))
        var streams = (LocationStream(), LocationStream())
        var together: ([Fix], [Fix]) = ([], [])
        for fix in fixes {
            _ = streams.0.take(fix, settings: near, now: fix.bootMicroseconds) { together.0.append($0) }
            _ = streams.1.take(fix, settings: far, now: fix.bootMicroseconds) { together.1.append($0) }
        }
        #expect(together.0 == alone.0)
        #expect(together.1 == alone.1)
        #expect(alone.0.count > alone.1.count)
    }

    @Test func `T27: moved means filter plus both accuracies where the session asks for certainty`() {
        var settings = LocationSettings()
        (settings.distanceFilter, settings.confirmedDistance) = (50, true)
        let fixes = [0.0, 50, 57, 59].enumerated().map { trace.fix(Double($0.offset), north: $0.element, accuracy: 4) }
        #expect(Trace.seconds(Trace.delivered(fixes, settings)) == [0, 3])
    }

    @Test func `T1, X20: the minimum interval keeps updates apart, with a little room for a source's jitter`() {
        var settings = LocationSettings()
        settings.minimumIntervalMilliseconds = 1000
        let times = [0.0, 0.99, 1.995, 2.1, 3.0]
        #expect(Trace.seconds(Trace.delivered(times.map { trace.fix($0) }, settings)) == [0, 0.99, 1.995, 3.0])
        settings.minimumIntervalMilliseconds = 60_000
        #expect(
            Trace.seconds(Trace.delivered((0...125).map { trace.fix(Double($0)) }, settings)) == [0, 60, 120])
    }

    @Test func `T7, X1: fast roads begin at 20 m a second, lasting 5 s, and end below 17`() {
        var mode = HighwayMode()
        func after(_ speeds: [Double], from second: Int64) -> Bool {
            for (index, speed) in speeds.enumerated() {
                mode.update(speed: speed, bootMicroseconds: (second + Int64(index)) * 1_000_000)
            }
            return mode.isOn
        }
        #expect(!after([22, 22, 22, 22, 19.9, 22], from: 0), "one slow second begins it anew")
        #expect(!after([20, 20, 20, 20], from: 6))
        #expect(after([20], from: 10))
        #expect(after([17, 18, 16.9, 16.9, 16.9, 16.9, 17], from: 11), "not slow for 5 s in a row")
        #expect(!after([16.9, 16.9, 16.9, 16.9, 16.9, 16.9], from: 18))
        mode.update(speed: nil, bootMicroseconds: 100_000_000)
        #expect(!mode.isOn)
    }

    @Test(arguments: [(15_000 as UInt32, 50.0), (15_001, 400)])
    func `T6, T8, X5: on a fast road a vehicle is told each 400 m, if it wants at most one place in 15 s`(
        interval: UInt32, filter: Double
    ) {
        var settings = LocationSettings()
        settings.apply(.vehicle)
        settings.minimumIntervalMilliseconds = interval
        let delivered = Trace.delivered(drive(200, speed: 25), settings)
        // At 25 m/s the interval of 15 s alone would tell each 375 m; 400 m are passed in 16 s.
        let steps = zip(delivered.dropFirst(2), delivered.dropFirst(3)).map { $0.0.metres(to: $0.1) }
        #expect(steps.allSatisfy { filter == 400 ? $0 >= 399.9 : $0 < 399.9 }, "\(steps)")
    }

    @Test func `T30, Z8: leaving the activity leaves the filter of fast roads at once`() {
        var settings = LocationSettings()
        settings.apply(.tracker)
        settings.requiredAccuracy = 0
        var stream = LocationStream()
        for fix in drive(30, speed: 25) {
            _ = stream.take(fix, settings: settings, now: fix.bootMicroseconds) { _ in }
        }
        settings.apply(.walk)
        (settings.minimumIntervalMilliseconds, settings.confirmedDistance) = (0, false)
        var got: [Fix] = []
        for second in 31...33 {
            let fix = trace.fix(Double(second), north: 750 + 12 * Double(second - 30), accuracy: 4, speed: 12)
            _ = stream.take(fix, settings: settings, now: fix.bootMicroseconds) { got.append($0) }
        }
        #expect(got.count == 3)
        #expect(!stream.isOnHighway)
    }

    /// The figures of the applications that the presets are named for.
    @Test func `T2, T3, T4, T5, T6, T29, A1, P3, P7: presets have the figures of their models`() {
        func preset(_ preset: LocationPreset) -> LocationSettings {
            var settings = LocationSettings()
            settings.apply(preset)
            return settings
        }
        let tracker = preset(.tracker)
        #expect(tracker.requiredAccuracy == 10 && tracker.desiredAccuracy == 10 && tracker.distanceFilter == 50)
        #expect(tracker.minimumIntervalMilliseconds == 60_000 && tracker.confirmedDistance)
        #expect(tracker.acceptTries == 10 && tracker.acceptTimeoutMilliseconds == 10_000)
        #expect(preset(.walk).distanceFilter == 10 && preset(.walk).activityType == 3)
        #expect(preset(.vehicle).distanceFilter == 50 && preset(.vehicle).activityType == 2)
        #expect(preset(.highway).distanceFilter == 400)
        #expect(preset(.dispatcher).desiredAccuracy == 100)
        #expect(preset(.dispatcher).minimumIntervalMilliseconds == 60_000)
        let navigation = preset(.navigation)
        #expect(navigation.desiredAccuracy == -2 && navigation.distanceFilter == -1 && !navigation.pausesAutomatically)
    }

    @Test func `T24, C1: a batch keeps order, is due when its oldest has waited, and never grows without end`() {
        var batch = FixBatch()
        let first = batch.add(trace.fix(0), maximumDelayMilliseconds: 5000, now: 0)
        let second = batch.add(trace.fix(1), maximumDelayMilliseconds: 5000, now: 1_000_000)
        #expect(!first && !second)
        #expect(batch.deadline == 5_000_000)
        #expect(Trace.seconds(batch.removeAll()) == [0, 1])
        #expect(batch.deadline == nil)
        var isDue = false
        for index in 0..<FixBatch.capacity {
            isDue = batch.add(trace.fix(Double(index)), maximumDelayMilliseconds: .max, now: 0)
            if index < FixBatch.capacity - 1 { #expect(!isDue) }
        }
        #expect(isDue)
        let isDueAtOnce = { () -> Bool in
            var batch = FixBatch()
            return batch.add(trace.fix(0), maximumDelayMilliseconds: 0, now: 0)
        }()
        #expect(isDueAtOnce)
    }

    @Test func `Numbers rise by one, times never go back`() {
        var stream = LocationStream()
        var late = trace.fix(5)
        late.realMicroseconds -= 20_000_000
        let numbered = [trace.fix(4), late, trace.fix(3)].map { stream.numbered($0) }
        #expect(numbered.map(\.sequence) == [1, 2, 3])
        #expect(numbered.map(\.realMicroseconds).sorted() == numbered.map(\.realMicroseconds))
        #expect(zip(numbered, numbered.dropFirst()).allSatisfy { $0.bootMicroseconds < $1.bootMicroseconds })
    }
}
