import Geometry
import LocateMeModel
import Testing

@testable import IIOSensors

@Suite("Table of quirks")
struct QuirkTableTests {
    @Test("the program's table can be read, every row with its source")
    func builtIn() throws {
        let table = try QuirkTable(QuirkText.table)
        #expect(table.rows.count == QuirkText.table.split(separator: "\n").filter { $0.hasPrefix("[") }.count)
        #expect(QuirkTable.builtIn == table)
        #expect(QuirkListing.all.map(\.id) == table.rows.map(\.id))
        #expect(QuirkListing.all.allSatisfy { !$0.why.isEmpty && !$0.source.isEmpty && !$0.settings.isEmpty })
    }

    @Test(
        "what is no table is refused with the line",
        arguments: [
            ("name = x", 1), ("[a]\nname = x\nrates = 1\nwhy = w", 1), ("[a]\nname = x\nwhy = w\nsource = s", 1),
            ("[a]\nrates = 1\nwhy = w\nsource = s", 1), ("[a]\nname = x\nfoo = 1", 3), ("[a]\nname = x\nname = y", 3),
            ("[a]\nname = x\naccel-sign = left", 3), ("[a]\nname = x\nmagn-scale = 100", 3),
            ("[a]\nname = x\nmagn-scale = -1 below 3", 3),
            ("[a]\nname = x\nmagn-matrix = 0, 0, 0; 0, 0, 0; 0, 0, 0", 3),
            ("[a]\nname = x\nrates = fast", 3), ("[a]\nname =", 2), ("[a]\nhello", 2), ("[a", 1), ("[]", 1),
            ("[a]\nname = x\nrates = 1\nwhy = w\nsource = s\n[a]", 6), ("[a]\nname = x\nmagn-overflow = big", 3),
            ("[a]\nname = x\nopen-first = magn", 3), ("[a]\nname = x\nhwdb-matrix = used", 3),
        ])
    func faults(text: String, line: Int) {
        #expect(throws: (any Error).self) { try QuirkTable(text) }
        do {
            _ = try QuirkTable(text)
        } catch {
            #expect(error.line == line, "\(error.text)")
        }
    }

    @Test(
        "stars stand for any run of characters",
        arguments: [
            ("magn_3d", "magn_3d", true), ("magn_3d", "magn", false), ("tlv493d-1", "tlv493d*", true),
            ("abc", "*", true),
            ("/sys/devices/pci0/0020:1022:0001.0002/x", "*/*:1022:*", true), ("ab", "ab*b", false), ("", "*", true),
            ("motorola,droid4", "motorola,*4", true), ("aXbXc", "a*X*c", true), ("ac", "a*b*c", false),
        ])
    func patterns(text: String, pattern: String, fits: Bool) {
        #expect(SensorQuirk.fits(text, pattern) == fits)
    }

    @Test("all matches of a row must fit, and a later row goes over an earlier one")
    func rows() throws {
        let table = try QuirkTable(
            """
            [one]
            name = a b
            accel-sign = down
            why = w
            source = s
            [two]
            name = a
            label = lid
            accel-sign = up
            why = w
            source = s
            """)
        var device = DeviceDescription(uri: "local:", id: "iio:device0", name: "a")
        #expect(DeviceQuirks(of: device, table: table).accelerometerSign == -1)
        device.attributes["label"] = "lid"
        #expect(DeviceQuirks(of: device, table: table).accelerometerSign == 1)
        device.name = "c"
        #expect(DeviceQuirks(of: device, table: table).rows.isEmpty)
    }

    @Test("udev says what to ignore, where a sensor sits, which sign it has and what its counts are")
    func udev() throws {
        var device = DeviceDescription(uri: "local:", id: "iio:device0", name: "chip")
        device.udev = ["LOCATEME_IGNORE": "0", "LOCATEME_ACCEL_SIGN": "down", "ACCEL_LOCATION": "base"]
        #expect(DeviceQuirks(of: device).ignored == nil)
        #expect(DeviceQuirks(of: device).accelerometerSign == -1)
        #expect(device.location == "base")
        device.attributes["location"] = "lid"
        #expect(device.location == "lid")
        device.udev["LOCATEME_LOCATION"] = "display"
        #expect(device.location == "display")
        device.udev["LOCATEME_IGNORE"] = "it is broken"
        #expect(DeviceQuirks(of: device).ignored == "a udev property says to ignore it: it is broken")
        device.udev = ["LOCATEME_MAGN_SCALE": "0.0005"]
        device.channels = ["magn_x", "magn_y", "magn_z"].map { .init(id: $0, isScanElement: true) }
        device.attributes["in_magn_scale"] = "7"
        let candidate = try #require(SensorCandidate.all(of: device, overrides: SensorOverrides()).first)
        #expect(candidate.refusal == nil)
        #expect(abs(candidate.description.scale.x - 0.05) < 1e-12)
    }
}
