import EventLoop
import Geometry
import HeadingEstimation
import LocateMeModel
import Testing

@testable import LocateMeDaemon

struct SleepTests {
    /// Sensors that are told what to deliver, and that let go when they are told.
    private final class Sensors: SensorSource {
        weak var sensorListener: (any SensorSourceListener)?
        var sensors: [SensorDescription] = []
        var sensorStates: [SourceDescription] { [] }
        var rateHertz: Double { calls.last == "stop" ? 0 : 50 }
        let deliversCalibratedField = true
        var magnetometerIdentity: DeviceIdentity? { nil }
        var isOff = true
        var calls: [String] = []

        init() {
            for kind in [SensorKind.magnetometer, .accelerometer] {
                var sensor = SensorDescription(id: kind.rawValue, kind: kind, name: kind.rawValue)
                sensor.selected = true
                sensors.append(sensor)
            }
        }
        func start(rateHertz: Double) {
            calls.append("start \(Int(rateHertz))")
            isOff = false
        }
        func stop() { calls.append("stop") }
        func diagnose() -> [Finding] { [] }

        func letGo() {
            isOff = true
            sensorListener?.sensorSourceChanged(self)
        }
        /// A level device that points north, in a field of 20 µT north and 40 down.
        func deliver(at seconds: Double) {
            let time = Int64(seconds * 1e6)
            deliver(.acceleration(Vector3(0, 0, 9.80665)), time)
            deliver(.magneticField(Vector3(0, 20, -40)), time)
        }
        private func deliver(_ reading: SensorSample.Reading, _ time: Int64) {
            sensorListener?.sensorSource(self, delivered: SensorSample(bootMicroseconds: time, reading: reading))
        }
    }

    private final class Listener: HeadingServiceListener {
        var estimates = 0
        var losses: [String] = []
        func headingService(_ service: HeadingService, estimated estimate: HeadingEstimate) { estimates += 1 }
        func headingService(_ service: HeadingService, lost reason: String) { losses.append(reason) }
        func headingServiceChanged(_ service: HeadingService) {}
    }

    private final class Bench {
        let sensors = Sensors()
        let listener = Listener()
        let service: HeadingService
        var slept: Int64 = 7_000_000

        init() throws {
            let loop = try EventLoop()
            let log = Log(level: .error, sink: Log.Sink(write: { _ in }, now: { 0 }, usesPriorityPrefix: false))
            nonisolated(unsafe) weak var bench: Bench?
            service = HeadingService(
                source: sensors, store: nil, loop: loop, log: log, sleptMicroseconds: { bench?.slept ?? 7_000_000 })
            bench = self
            service.listener = listener
        }
    }

    @Test func `Before sleep the sensors are switched off, and the machine waits until they have let go`() throws {
        let bench = try Bench()
        bench.service.setNeed(bench, rateHertz: 50)
        for index in 0..<20 { bench.sensors.deliver(at: Double(index) * 0.02) }
        #expect(bench.service.latest != nil)
        var isReady = false
        bench.service.suspend { isReady = true }
        #expect(bench.sensors.calls == ["start 50", "stop"])
        #expect(bench.listener.losses == ["suspended"])
        #expect(bench.service.latest == nil && !isReady)
        bench.sensors.letGo()
        #expect(isReady)
    }

    @Test func `What comes in late or is asked for during sleep starts nothing and is delivered to nobody`() throws {
        let bench = try Bench()
        bench.service.setNeed(bench, rateHertz: 50)
        for index in 0..<20 { bench.sensors.deliver(at: Double(index) * 0.02) }
        let before = bench.listener.estimates
        #expect(before > 0)
        bench.service.suspend {}
        bench.sensors.deliver(at: 0.5)
        bench.service.setNeed(bench.sensors, rateHertz: 100)
        #expect(bench.listener.estimates == before)
        #expect(bench.sensors.calls == ["start 50", "stop"])
        bench.service.resume()
        #expect(bench.sensors.calls == ["start 50", "stop", "start 100"])
        for index in 0..<20 { bench.sensors.deliver(at: 3600 + Double(index) * 0.02) }
        #expect(bench.listener.estimates > before)
        #expect(bench.listener.losses == ["suspended"])
    }

    @Test func `The rate follows the highest need, down as well as up, and off when nobody needs any`() throws {
        let bench = try Bench()
        let other = bench.sensors
        bench.service.setNeed(bench, rateHertz: 25)
        bench.service.setNeed(other, rateHertz: 50)
        bench.service.setNeed(other, rateHertz: nil)
        // What the timer does when the need has been gone for a while.
        bench.service.slowDown()
        bench.service.slowDown()
        #expect(bench.sensors.calls == ["start 25", "start 50", "start 25"])
        bench.service.setNeed(bench, rateHertz: nil)
        bench.service.slowDown()
        #expect(bench.sensors.calls == ["start 25", "start 50", "start 25", "stop"])
    }

    @Test func `A field out of range is a disturbed heading that cannot be trusted, not a loss`() throws {
        let bench = try Bench()
        bench.service.setNeed(bench, rateHertz: 50)
        for index in 0..<20 { bench.sensors.deliver(at: Double(index) * 0.02) }
        bench.sensors.sensorListener?.sensorSource(bench.sensors, overflowedAt: 450_000)
        let estimate = try #require(bench.service.latest)
        #expect(estimate.isDisturbed && !estimate.isValid && estimate.bootMicroseconds == 450_000)
        #expect(bench.listener.losses.isEmpty)
    }

    @Test func `Sleep with nobody served is nothing`() throws {
        let bench = try Bench()
        var isReady = false
        bench.service.suspend { isReady = true }
        #expect(isReady)
        bench.service.resume()
        #expect(bench.sensors.calls.isEmpty && bench.listener.losses.isEmpty)
    }

    @Test func `Sleep that nobody announced is noticed by the clocks, before a stale sample is used`() throws {
        let bench = try Bench()
        bench.service.setNeed(bench, rateHertz: 50)
        for index in 0..<20 { bench.sensors.deliver(at: Double(index) * 0.02) }
        let before = bench.listener.estimates
        bench.slept += 60_000_000
        bench.sensors.deliver(at: 0.4)
        // The acceleration has been noticed as stale; the field after it is the first of the new start.
        #expect(bench.listener.estimates <= before + 1)
        #expect(bench.listener.losses == ["suspended"])
        #expect(bench.sensors.calls == ["start 50", "stop", "start 50"])
    }

    @Test func `Steps between two readings of the clocks are no sleep`() {
        var gap = SleepGap(sleptMicroseconds: 5)
        let noticed = [99_000, 10, 100_010, 100_010].map { gap.update(sleptMicroseconds: $0) }
        #expect(noticed == [false, false, true, false])
    }
}
