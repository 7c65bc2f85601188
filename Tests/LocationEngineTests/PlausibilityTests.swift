import LocateMeModel
import LocationEngine
import Testing

@Suite struct PlausibilityTests {
    private let trace = Trace()

    private func passed(_ fixes: [Fix], limit: Double) -> [Double] {
        var gate = PlausibilityGate()
        var result: [Fix] = []
        for fix in fixes {
            switch gate.judge(fix, limit: limit) {
            case .passed: result.append(fix)
            case .held: break
            case .confirmed(let held): result += [held, fix]
            }
        }
        return Trace.seconds(result)
    }

    @Test func `bug implausible-jump: 40 km and back at a walk is not delivered`() {
        let fixes = [
            trace.fix(0, accuracy: 9), trace.fix(5, north: 7, accuracy: 9), trace.fix(10, north: 40_000, accuracy: 350),
            trace.fix(15, north: 20, accuracy: 9),
        ]
        #expect(passed(fixes, limit: PlausibilityGate.Limit.walk) == [0, 5, 15])
        var settings = LocationSettings()
        settings.activityType = 3
        #expect(Trace.seconds(Trace.delivered(fixes, settings)) == [0, 5, 15])
    }

    @Test func `Bar 5: Denver to Norway and back within a second never reaches a session`() {
        let denver = Trace(latitude: 39.7392, longitude: -104.9847)
        let norway = Trace(latitude: 60.39, longitude: 5.32)
        let fixes = [denver.fix(0), denver.fix(1), norway.fix(2), denver.fix(3), norway.fix(4), denver.fix(5)]
        let delivered = Trace.delivered(fixes)
        #expect(Trace.seconds(delivered) == [0, 1, 3, 5])
        for (one, next) in zip(delivered, delivered.dropFirst()) {
            #expect(one.metres(to: next) <= 350 + one.horizontalAccuracy + next.horizontalAccuracy)
        }
    }

    @Test func `A jump that the next fix confirms is real: both are delivered`() {
        let denver = Trace(latitude: 39.7392, longitude: -104.9847)
        let norway = Trace(latitude: 60.39, longitude: 5.32)
        #expect(passed([denver.fix(0), norway.fix(1), norway.fix(2, north: 3)], limit: 350) == [0, 1, 2])
    }

    @Test func `Two wrong places in a row that disagree are both dropped`() {
        let fixes = [
            trace.fix(0), trace.fix(1, north: 30_000), trace.fix(2, east: 30_000), trace.fix(3, north: 10),
        ]
        #expect(passed(fixes, limit: 350) == [0, 3])
    }

    @Test func `A fix of 50 km accuracy does not block the exact one after it`() {
        let fixes = [trace.fix(0, north: 40_000, accuracy: 50_000), trace.fix(1, accuracy: 4)]
        #expect(passed(fixes, limit: PlausibilityGate.Limit.walk) == [0, 1])
    }

    @Test func `A speed that the receiver vouches for raises the limit threefold`() {
        #expect(passed([trace.fix(0), trace.fix(1, north: 400, speed: 140)], limit: 90) == [0, 1])
        #expect(passed([trace.fix(0), trace.fix(1, north: 400, speed: 100)], limit: 90) == [0])
    }

    @Test(arguments: [(1 as UInt32, 350.0), (2, 90), (3, 15), (4, 90), (5, 350)])
    func `Each activity has its limit`(activity: UInt32, limit: Double) {
        #expect(PlausibilityGate.Limit.forActivity(activity) == limit)
    }

    @Test func `Z11: two fixes of one time have no infinite speed`() {
        #expect(passed([trace.fix(0), trace.fix(0, north: 9)], limit: 15) == [0, 0])
    }

    @Test func `bug speed-missing-is-not-zero: the speed for decisions comes from the places`() throws {
        let places = [47.4211, 47.422359, 47.423618, 47.424877, 47.426136]
        var speed = DerivedSpeed()
        var detector = StationaryDetector()
        for (index, latitude) in places.enumerated() {
            let fix = Trace(latitude: latitude, longitude: 10.9853).fix(Double(index) * 10, accuracy: 8)
            #expect(fix.speed == -1)
            let derived = speed.update(fix)
            if index > 0 { #expect(abs(try #require(derived) - 14) < 1.5) }
            #expect(detector.update(fix) == nil)
            #expect(detector.held(fix).speed == -1)
        }
        #expect(!detector.isStationary)
    }
}
