import EventLoop
import Geometry
import Glibc
import IIOSensors
import LocateMeModel

/// iio-probe URI...: an IIOSensorSource on a loop, driven by lines on standard input, telling everything on standard
/// output. It exists because libiio reads the /sys and /dev of its process, which tests replace by a namespace.
///
/// `survey HERTZ` measures until every chosen sensor has delivered three samples, or for 5 s, and ends.
///
///   discover | start HERTZ | wait MILLISECONDS | stop | off MILLISECONDS | sensors | states | findings | rate | quit
final class ProbeSession: SensorSourceListener {
    private let loop: EventLoop
    private let source: IIOSensorSource
    private let isQuiet = getenv("IIO_PROBE_QUIET") != nil
    private var pending = ""
    private var watch: Watch?
    private var surveyTimer: LoopTimer?
    private var surveyed: [String: Int] = [:]
    /// How long from its last field on it lets samples wait, in µs; 0: it does not.
    private var patience: Int64 = 0
    private var lastField: Int64 = 0

    init(contexts: [String], stateDirectory: String?) throws {
        loop = try EventLoop()
        source = try IIOSensorSource(loop: loop, contexts: contexts, stateDirectory: stateDirectory)
        source.sensorListener = self
    }

    func run() throws -> Int32 {
        watch = try loop.watch(0, for: .readable) { [weak self] _ in self?.readCommands() }
        say("ready")
        try loop.run()
        source.stop()
        return source.waitUntilOff(milliseconds: 800) ? 0 : 4
    }

    func sensorSource(_ source: any SensorSource, delivered sample: SensorSample) {
        if surveyTimer != nil { count(sample) }
        if isQuiet { return }
        let time = sample.bootMicroseconds
        if case .magneticField = sample.reading { lastField = time }
        let age = Clock.bootMicroseconds() - time
        switch sample.reading {
        case .magneticField(let v): say("magn \(time) \(age) \(v.x) \(v.y) \(v.z)")
        case .acceleration(let v): say("accel \(time) \(age) \(v.x) \(v.y) \(v.z)")
        case .angularRate(let v): say("gyro \(time) \(age) \(v.x) \(v.y) \(v.z)")
        case .hubHeading(let degrees, let accuracy): say("hub \(time) \(age) \(degrees) \(accuracy)")
        case .temperature(let celsius): say("temp \(time) \(age) \(celsius)")
        }
    }

    func sensorSourceDelivered(_ source: any SensorSource) {
        if !isQuiet { say("all") }
        if patience > 0 { source.letWait(untilBootMicroseconds: lastField + patience) }
    }

    func sensorSourceChanged(_ source: any SensorSource) {
        say("changed")
        // Where nothing can be used, nothing will come.
        if surveyTimer != nil, isSurveyed { loop.stop() }
        for state in source.sensorStates { say("state \(state.kind) \(state.state)") }
    }

    func sensorSource(_ source: any SensorSource, lost reason: String) { say("lost \(reason)") }

    func sensorSourceRestarted(_ source: any SensorSource) { say("restarted") }

    private func survey(hertz: Double) {
        surveyTimer = loop.makeTimer { [loop] in loop.stop() }
        surveyTimer?.arm(afterMicroseconds: 5_000_000)
        source.start(rateHertz: hertz)
    }

    private func count(_ sample: SensorSample) {
        switch sample.reading {
        case .magneticField: surveyed["magnetometer", default: 0] += 1
        case .acceleration: surveyed["accelerometer", default: 0] += 1
        case .angularRate: surveyed["gyroscope", default: 0] += 1
        case .hubHeading: surveyed["hubHeading", default: 0] += 1
        case .temperature: break
        }
        if isSurveyed { loop.stop() }
    }

    private var isSurveyed: Bool {
        !source.isDiscovering
            && source.sensors.allSatisfy { !$0.selected || surveyed[$0.kind.rawValue, default: 0] >= 3 }
    }

    private func readCommands() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(0, &bytes, bytes.count)
        guard count > 0 else {
            // The lines of a survey end before it does.
            if surveyTimer == nil { loop.stop() } else { watch?.cancel() }
            return
        }
        pending += String(decoding: bytes[..<count], as: UTF8.self)
        while let end = pending.firstIndex(of: "\n") {
            let line = pending[..<end]
            pending = String(pending[pending.index(after: end)...])
            obey(line)
        }
    }

    private func obey(_ line: Substring) {
        let words = line.split(separator: " ")
        let number = words.count > 1 ? Double(words[1]) ?? 0 : 0
        switch words.first {
        case "discover": source.discover()
        case "survey": survey(hertz: number)
        case "start": source.start(rateHertz: number)
        case "wait": patience = Int64(number * 1000)
        case "stop": source.stop()
        case "off": say("off \(source.waitUntilOff(milliseconds: Int(number)))")
        case "sensors":
            for sensor in source.sensors {
                say(
                    "sensor \(sensor.id) \(sensor.kind) \(sensor.selected) \(sensor.buffered) \(sensor.matrixSource) "
                        + "[\(sensor.triggers.joined(separator: ","))] \(sensor.reason)")
            }
            say("end sensors")
        case "findings":
            for finding in source.diagnose() {
                say("finding \(finding.code) \(finding.severity) \(finding.sensor) \(finding.text)")
            }
            say("end findings")
        case "rate": say("rate \(source.rateHertz)")
        case "identity": say("identity \(source.magnetometerIdentity.map(\.description) ?? "none")")
        case "quit": loop.stop()
        default: say("unknown \(line)")
        }
        say("done \(line)")
    }

    private func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
            // The test that reads us is gone.
            guard count > 0 else { exit(3) }
            done += count
        }
    }
}
