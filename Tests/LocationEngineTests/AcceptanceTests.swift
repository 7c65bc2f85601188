import LocateMeModel
import LocationEngine
import Testing

@Suite struct AcceptanceTests {
    private let trace = Trace()

    private func settings(_ required: Double = 10) -> LocationSettings {
        var settings = LocationSettings()
        settings.requiredAccuracy = required
        return settings
    }

    @Test
    func `Bar 9, X2, X4, T10, T26: inaccurate fixes 9 s apart end at 10 s, not later, with the best, not the newest`() {
        var window = AcceptanceWindow()
        let start = trace.fix(0).bootMicroseconds
        for (index, accuracy) in [40.0, 25, 90, 80, 70, 60, 50, 45, 44].enumerated() {
            let fix = trace.fix(Double(index) * 9, accuracy: accuracy)
            guard index < 2 else { break }
            #expect(window.take(fix, settings: settings(), now: fix.bootMicroseconds) == nil)
            #expect(window.deadline == start + 10_000_000, "the second does not move it")
        }
        let accepted = window.expire()
        #expect(accepted?.horizontalAccuracy == 25)
        #expect(accepted?.flags.contains(.bestAvailable) == true)
        #expect(window.deadline == nil)
        #expect(window.expire() == nil)
    }

    @Test func `X3, T9: the tenth inaccurate fix ends the window, with the best of all ten`() {
        var window = AcceptanceWindow()
        for index in 1...9 {
            let fix = trace.fix(Double(index), accuracy: 100 - Double(index))
            #expect(window.take(fix, settings: settings(), now: fix.bootMicroseconds) == nil)
        }
        let tenth = window.take(trace.fix(10, accuracy: 20), settings: settings(), now: 0)
        #expect(tenth?.horizontalAccuracy == 20, "the tenth itself takes part")
    }

    @Test func `T25, Z1: an accurate fix clears the queue; an invalid one never comes so far`() {
        var stream = LocationStream()
        var got: [Fix] = []
        for (second, accuracy) in [(0.0, 50.0), (1, 40), (2, 8), (3, 60)] {
            let fix = trace.fix(second, accuracy: accuracy)
            _ = stream.take(fix, settings: settings(), now: fix.bootMicroseconds) { got.append($0) }
        }
        #expect(got.map(\.horizontalAccuracy) == [8])
        #expect(stream.deadline == trace.fix(3).bootMicroseconds + 10_000_000)
    }

    @Test func `P12: without a required accuracy nothing waits`() {
        var window = AcceptanceWindow()
        #expect(window.take(trace.fix(0, accuracy: 5000), settings: settings(0), now: 0)?.horizontalAccuracy == 5000)
        #expect(window.deadline == nil)
    }
}
