import Foundation
import TestSupport
import Testing

/// Two magnetometers, of which the better one fails for long.
@Suite(.needsIIORig())
struct ReplacementTests {
    private func rig() throws -> IIORig {
        try IIORig(devices: [
            .magnetometer(type: nil), .accelerometer(),
            .threeAxis(
                "magn", name: "second", scale: "0.002", type: nil,
                attributes: ["in_magn_x_raw": "3", "in_magn_y_raw": "150", "in_magn_z_raw": "-200"]),
        ])
    }

    @Test(.ownThread, arguments: [IIORig.Fault.inputOutputError, .text("banana")])
    func `A magnetometer that fails for long is replaced by the other, which is told, and not returned to`(
        fault: IIORig.Fault
    ) throws {
        let rig = try rig()
        let probe = try Probe(in: rig)
        try probe.ask("start 50")
        try probe.waitForMore(5)
        #expect(try probe.ask("sensors").contains { $0.contains("iio:device0/magn magnetometer true") })
        try rig.breakAttribute(0, "in_magn_y_raw", fault)
        try probe.waitForFinding("magn-replaced", seconds: 40)
        // 150 counts of 0.2 µT; the first says 20 µT.
        try probe.wait("the other's field", seconds: 40) { lines in
            lines.contains("restarted") && lines.samples("magn").last?.values[1] == 30
        }
        let finding = try probe.ask("findings").first { $0.hasPrefix("finding magn-replaced") } ?? ""
        #expect(finding.contains("iio:device0") && finding.contains("second is used in its place"))
        let sensors = try probe.ask("sensors")
        #expect(sensors.contains { $0.contains("iio:device2/magn magnetometer true") })
        #expect(sensors.contains { $0.contains("iio:device0/magn magnetometer false") && $0.contains("it has failed") })
        try rig.set(0, "in_magn_y_raw", "200")
        try probe.ask("discover")
        try probe.waitForMore(50)
        #expect(probe.lines.samples("magn").suffix(50).allSatisfy { $0.values[1] == 30 })
        #expect(probe.lines.filter { $0.hasPrefix("lost") }.count == 1)
    }

    @Test(.ownThread) func `When the other fails as well, the first has its turn again`() throws {
        let rig = try rig()
        let probe = try Probe(in: rig)
        try probe.ask("start 50")
        try probe.waitForMore(5)
        try rig.breakAttribute(0, "in_magn_y_raw", .inputOutputError)
        try probe.waitForFinding("magn-replaced", seconds: 40)
        try probe.wait("the other's field") { $0.contains("restarted") && $0.samples("magn").last?.values[1] == 30 }
        try rig.set(0, "in_magn_y_raw", "200")
        try rig.breakAttribute(2, "in_magn_y_raw", .inputOutputError)
        try probe.wait("the first's field", seconds: 60) { lines in
            lines.filter { $0.hasPrefix("lost") }.count >= 2 && lines.last { $0.hasPrefix("magn ") } != nil
                && lines.drop { !$0.hasPrefix("lost") }.dropFirst().drop { !$0.hasPrefix("lost") }.contains("restarted")
        }
        #expect(try probe.ask("sensors").contains { $0.contains("iio:device0/magn magnetometer true") })
        try probe.waitForMore(5)
        #expect(probe.lines.samples("magn").last?.values[0] == 1)
    }
}
