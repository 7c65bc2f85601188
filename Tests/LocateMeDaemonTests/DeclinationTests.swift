import EventLoop
import Geomagnetism
import LocateMeModel
import Testing

@testable import LocateMeDaemon

/// date-unset (dharmab/skyeye#192): a declination asked for the year 1, or for 1970 on a machine whose clock has no battery.
struct DeclinationTests {
    private final class NoSensors: SensorSource {
        weak var sensorListener: (any SensorSourceListener)?
        let sensors: [SensorDescription] = []
        let sensorStates: [SourceDescription] = []
        let rateHertz = 0.0
        let deliversCalibratedField = false
        let magnetometerIdentity: DeviceIdentity? = nil
        let isOff = true
        func start(rateHertz: Double) {}
        func stop() {}
        func diagnose() -> [Finding] { [] }
    }

    private final class Bench {
        var now: Int64
        var lines: [String] = []
        private(set) var service: DeclinationService!
        private(set) var headings: HeadingService!

        init(now: Int64) throws {
            self.now = now
            let loop = try EventLoop()
            let log = Log(
                level: .warning,
                sink: Log.Sink(
                    write: { [unowned self] in lines.append($0) }, now: { 0 }, usesPriorityPrefix: false))
            // That there is no compass is not what is looked at here.
            let elsewhere = Log(level: .error, sink: Log.Sink(write: { _ in }, now: { 0 }, usesPriorityPrefix: false))
            headings = HeadingService(source: NoSensors(), store: nil, loop: loop, log: elsewhere)
            service = DeclinationService(
                model: .wmm2025, places: LocationService(sources: [], loop: loop, log: log), headings: headings,
                loop: loop, log: log, realMicroseconds: { [unowned self] in self.now })
        }

        var findings: [String] { Diagnosis.findings(headings, service).map(\.code) }
    }

    private static let bielefeld = Fix(
        realMicroseconds: -62_135_596_800_000_000, bootMicroseconds: 0, latitude: 52, longitude: 8,
        horizontalAccuracy: 1000)
    /// Microseconds since the Unix epoch.
    private static let summer2026: Int64 = 1_782_000_000_000_000

    @Test(
        "date-unset: no declination and a reason, and the right one as soon as the clock is set",
        arguments: [0, -62_135_596_800_000_000, -70_000_000_000_000_000, 946_684_800_000_000])
    func unset(now: Int64) throws {
        let bench = try Bench(now: now)
        bench.service.take(Self.bielefeld)
        bench.service.take(Self.bielefeld)
        #expect(bench.service.context.field == nil)
        #expect(bench.lines.count == 1 && bench.lines[0].contains("clock"), "\(bench.lines)")
        #expect(bench.findings.contains("clock-unset") && !bench.findings.contains("no-place"))
        bench.service.lookAtClock()
        #expect(bench.service.context.field == nil && bench.lines.count == 1)

        bench.now = Self.summer2026
        bench.service.lookAtClock()
        let year = try DecimalYear(realMicroseconds: Self.summer2026).value
        let expected = try MagneticModel.wmm2025.earthField(latitude: 52, longitude: 8, height: 0, year: year)
        let field = try #require(bench.service.context.field)
        #expect(abs(field.declination - expected.declination) < 0.01, "\(field.declination)")
        #expect(!bench.findings.contains("clock-unset"))
    }

    @Test("date-unset: the date of a fix plays no part, the clock's does")
    func dateOfFix() throws {
        let bench = try Bench(now: Self.summer2026)
        bench.service.take(Self.bielefeld)
        #expect(bench.service.context.field != nil)
        #expect(bench.lines.isEmpty)
    }
}
