import EventLoop
import Geomagnetism
import LocateMeModel
import MessageBus
import TestSupport
import Testing

@testable import LocateMeDaemon

/// The daemon itself on a private bus, with a power supply and a sleep that the test makes.
@Suite(.needs(.program("dbus-daemon"))) struct PowerAfterSleepTests {
    private final class Sensors: SensorSource {
        weak var sensorListener: (any SensorSourceListener)?
        var sensors: [SensorDescription] { [] }
        var sensorStates: [SourceDescription] { [] }
        var rateHertz: Double { 0 }
        var deliversCalibratedField: Bool { false }
        var magnetometerIdentity: DeviceIdentity? { nil }
        func start(rateHertz: Double) {}
        func stop() {}
        func diagnose() -> [Finding] { [] }
    }

    private final class Supply: PowerMonitor {
        var reading = PowerReading()
        var readingChanged: () -> Void = {}
        /// What is found when somebody looks.
        var actual = PowerReading()
        func refresh() {
            guard actual != reading else { return }
            reading = actual
            readingChanged()
        }
    }

    private final class Sleep: SleepMonitor {
        weak var sleepListener: (any SleepListener)?
        var delaysSleep = false
        var watchesUnlocking = false
        var isReady = false
        func readyForSleep() { isReady = true }
    }

    @Test func `T36: what has happened to the power during sleep is found after it, though no signal told`() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let supply = Supply()
        let sleep = Sleep()
        supply.reading.isKnown = true
        supply.actual = supply.reading
        let log = Log(level: .error, sink: Log.Sink(write: { _ in }, now: { 0 }, usesPriorityPrefix: false))
        let daemon = Daemon(
            DaemonParts(
                loop: loop, bus: try BusConnection(.address(bus.address), loop: loop), sensors: Sensors(), places: [],
                model: .wmm2025, store: nil, sleep: sleep, power: supply, log: log, userID: 0),
            configuration: DaemonConfiguration())
        try daemon.start()
        #expect(daemon.power.state == .external)
        daemon.machineWillSleep(sleep)
        #expect(sleep.isReady)
        // Unplugged while nobody was awake.
        supply.actual.isOnBattery = true
        daemon.machineWoke(sleep)
        #expect(daemon.power.state == .battery)
        daemon.stop()
    }
}
