import EventLoop
import Foundation
import Geometry
import HeadingEstimation
import LocateMeModel
import Testing

@testable import LocateMeDaemon

/// Which samples the service lets wait in the kernel.
struct PatienceTests {
    /// A calibrated phone that turns clockwise on a table.
    private final class Sensors: SensorSource {
        weak var sensorListener: (any SensorSourceListener)?
        var sensors: [SensorDescription] = []
        var sensorStates: [SourceDescription] { [] }
        var rateHertz: Double { 100 }
        let deliversCalibratedField = true
        var magnetometerIdentity: DeviceIdentity? { nil }
        /// What was allowed after each moment, in µs from it; nil: nothing.
        var allowed: [Int64?] = []
        private var moment: Int64 = 0
        private let hasGyroscope: Bool

        init(hasGyroscope: Bool) {
            self.hasGyroscope = hasGyroscope
            let kinds: [SensorKind] = [.magnetometer, .accelerometer] + (hasGyroscope ? [.gyroscope] : [])
            for kind in kinds {
                var sensor = SensorDescription(id: kind.rawValue, kind: kind, name: kind.rawValue)
                sensor.selected = true
                sensors.append(sensor)
            }
        }
        func start(rateHertz: Double) {}
        func stop() {}
        func diagnose() -> [Finding] { [] }
        func letWait(untilBootMicroseconds time: Int64) { allowed[allowed.count - 1] = time - moment }

        /// One moment of all sensors, at a rate in °/s.
        func deliver(at seconds: Double, turning rate: Double) {
            moment = Int64((seconds * 1e6).rounded())
            let heading = rate * seconds * Angle.radiansPerDegree
            allowed.append(nil)
            tell(.acceleration(Vector3(0, 0, 9.80665)))
            if hasGyroscope { tell(.angularRate(Vector3(0, 0, -rate * Angle.radiansPerDegree))) }
            tell(.magneticField(Vector3(-20 * sin(heading), 20 * cos(heading), -40)))
            sensorListener?.sensorSourceDelivered(self)
        }
        private func tell(_ reading: SensorSample.Reading) {
            sensorListener?.sensorSource(self, delivered: SensorSample(bootMicroseconds: moment, reading: reading))
        }
    }

    private struct Bench {
        let sensors: Sensors
        let service: HeadingService
        let owner = Owner()
        final class Owner {}

        init(hasGyroscope: Bool = true) throws {
            sensors = Sensors(hasGyroscope: hasGyroscope)
            let log = Log(level: .error, sink: Log.Sink(write: { _ in }, now: { 0 }, usesPriorityPrefix: false))
            service = HeadingService(source: sensors, store: nil, loop: try EventLoop(), log: log)
        }

        /// What was allowed after the last of three seconds at 100 Hz.
        func allowed(turning rate: Double) -> Int64? {
            for index in 0..<300 { sensors.deliver(at: Double(index) * 0.01, turning: rate) }
            return sensors.allowed.last ?? nil
        }
    }

    @Test("Samples wait until the least patient session may have to be told: 1.5° at 50 °/s and 1000 °/s² are 24.16 ms")
    func forecast() throws {
        let bench = try Bench()
        bench.service.setNeed(bench.owner, rateHertz: 100) { HeadingPatience(turnDegrees: 1.5) }
        let other = Bench.Owner()
        bench.service.setNeed(other, rateHertz: 100) { HeadingPatience(turnDegrees: 4) }
        // 500 t² + 50 t = 1.5
        #expect(abs(try #require(bench.allowed(turning: 50)) - 24_161) <= 20)
    }

    @Test("Who is not told before a time is not waited for, whatever turns")
    func time() throws {
        let bench = try Bench()
        let due: Int64 = 2_990_000 + 33_000
        bench.service.setNeed(bench.owner, rateHertz: 100) { HeadingPatience(untilBootMicroseconds: due) }
        #expect(bench.allowed(turning: 50) == 33_000)
    }

    @Test("Nothing waits where one session has no filter, or without a gyroscope that tells the turn")
    func impatient() throws {
        let bench = try Bench()
        bench.service.setNeed(bench.owner, rateHertz: 100) { HeadingPatience(turnDegrees: 5) }
        let other = Bench.Owner()
        bench.service.setNeed(other, rateHertz: 100)
        #expect(bench.allowed(turning: 50) == nil)
        let blind = try Bench(hasGyroscope: false)
        blind.service.setNeed(blind.owner, rateHertz: 100) { HeadingPatience(turnDegrees: 5) }
        #expect(blind.allowed(turning: 50) == nil)
    }
}
