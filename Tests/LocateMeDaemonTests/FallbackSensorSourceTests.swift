import Geometry
import LocateMeModel
import Testing

@testable import LocateMeDaemon

@Suite struct FallbackSensorSourceTests {
    /// A source that the test drives.
    private final class Fake: SensorSource {
        weak var sensorListener: (any SensorSourceListener)?
        var sensors: [SensorDescription] = []
        var isDiscovering = false
        var sensorStates: [SourceDescription] = []
        var rateHertz = 0.0
        var deliversCalibratedField = false
        var magnetometerIdentity: DeviceIdentity?
        var hubHeadingSource = HeadingSource.hub
        var findings: [Finding] = []
        func start(rateHertz: Double) { self.rateHertz = rateHertz }
        func stop() { rateHertz = 0 }
        func diagnose() -> [Finding] { findings }

        func say(_ reading: SensorSample.Reading) {
            sensorListener?.sensorSource(self, delivered: SensorSample(bootMicroseconds: 1, reading: reading))
        }
    }

    private final class Listener: SensorSourceListener {
        var samples = 0
        var lost: [String] = []
        func sensorSource(_ source: any SensorSource, delivered sample: SensorSample) { samples += 1 }
        func sensorSourceChanged(_ source: any SensorSource) {}
        func sensorSource(_ source: any SensorSource, lost reason: String) { lost.append(reason) }
        func sensorSourceRestarted(_ source: any SensorSource) {}
    }

    private let own = Fake()
    private let other = Fake()
    private let listener = Listener()
    private let both: FallbackSensorSource

    init() {
        other.hubHeadingSource = .nmea
        both = FallbackSensorSource(primary: own, fallback: other)
        both.sensorListener = listener
    }

    private func sensor(_ kind: SensorKind) -> SensorDescription {
        var sensor = SensorDescription(id: "x", kind: kind, name: "x")
        sensor.selected = true
        return sensor
    }

    @Test("The other source runs while the machine has no compass, and not beside one")
    func choice() {
        own.isDiscovering = true
        both.start(rateHertz: 10)
        #expect(own.rateHertz == 10 && other.rateHertz == 0, "nothing is known yet")
        own.isDiscovering = false
        own.sensorListener?.sensorSourceChanged(own)
        #expect(other.rateHertz == 10 && both.hubHeadingSource == .nmea)
        other.say(.hubHeading(degrees: 1, accuracyDegrees: 2))
        #expect(listener.samples == 1)
        own.sensors = [sensor(.magnetometer)]
        own.sensorListener?.sensorSourceChanged(own)
        #expect(other.rateHertz == 0 && both.hubHeadingSource == .hub)
        other.sensors = [sensor(.hubHeading)]
        #expect(both.sensors.map(\.selected) == [true, false])
        both.stop()
        #expect(own.rateHertz == 0)
    }

    @Test("A machine's own accelerometer alone does not keep the other source from being used")
    func accelerometer() {
        own.sensors = [sensor(.accelerometer)]
        both.start(rateHertz: 5)
        #expect(other.rateHertz == 5)
        own.sensorListener?.sensorSource(own, lost: "unplugged")
        #expect(listener.lost == [])
        other.sensorListener?.sensorSource(other, lost: "silent")
        #expect(listener.lost == ["silent"])
    }

    @Test("That there is no magnetometer is no error where headings come from elsewhere")
    func findings() {
        own.findings = [Finding(code: "none", severity: .error, text: "no magnetometer", remedy: "")]
        #expect(both.diagnose().map(\.severity) == [.error])
        other.sensors = [sensor(.hubHeading)]
        #expect(both.diagnose().map(\.severity) == [.info])
    }
}
