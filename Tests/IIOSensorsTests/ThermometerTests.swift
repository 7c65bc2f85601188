import TestSupport
import Testing

/// The thermometer of a magnetometer's device. Milli-°C after (raw + offset) · scale:
/// Documentation/ABI/testing/sysfs-bus-iio of Linux.
@Suite("Thermometers", .needsIIORig())
struct ThermometerTests {
    @Test(
        "the temperature beside the field is read, while values are polled and while the buffer runs",
        arguments: [
            (["in_temp_input": "31500"], 31.5),
            // mag3110: whole degrees, no offset.
            (["in_temp_raw": "27", "in_temp_scale": "1000"], 27),
            (["in_temp_raw": "-1200", "in_temp_offset": "9200", "in_temp_scale": "2.5"], 20),
        ] as [([String: String], Double)], [nil, "le:s16/16>>0"])
    func temperature(_ thermometer: ([String: String], Double), type: String?) throws {
        let rig = try IIORig(devices: [
            .magnetometer(type: type, attributes: thermometer.0), .accelerometer(),
        ])
        let feed = try type.map { _ in try rig.feed(0, hertz: 50) { _ in ["magn_x": 1, "magn_y": 2, "magn_z": 3] } }
        defer { feed?.stop() }
        let probe = try Probe(in: rig)
        try probe.ask("start 20")
        try probe.waitForMore(5)
        try probe.wait("temperature", seconds: 30) { $0.contains { $0.hasPrefix("temp ") } }
        let line = try #require(probe.lines.first { $0.hasPrefix("temp ") })
        #expect(line.split(separator: " ").last.flatMap { Double($0) } == thermometer.1, "\(line)")
    }

    @Test(
        "a thermometer that cannot be read, or says what no chip survives, costs nothing else",
        arguments: ["banana", "nan", "", "200000", "-273150"])
    func broken(text: String) throws {
        let rig = try IIORig(devices: [.magnetometer(type: nil, attributes: ["in_temp_input": text]), .accelerometer()])
        let probe = try Probe(in: rig)
        try probe.ask("start 20")
        try probe.waitForMore(10)
        #expect(!probe.lines.contains { $0.hasPrefix("temp ") })
        #expect(!probe.lines.contains { $0.hasPrefix("lost") })
    }
}
