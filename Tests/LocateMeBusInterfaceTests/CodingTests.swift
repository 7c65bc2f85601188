import EventLoop
import Geometry
import LocateMeBusInterface
import LocateMeModel
import MessageBus
import TestSupport
import Testing

@Suite struct CodingTests {
    private func scratch() throws -> BusMessage {
        try BusMessage.signal(path: "/a", interface: "org.example.I", member: "S")
    }

    private static func fullHeading() -> Heading {
        var heading = Heading(
            realMicroseconds: 1_735_689_600_000_001, bootMicroseconds: 123_456_789, magnetic: 359.75, trueHeading: 3.25,
            accuracy: 4.5, field: Vector3(12.5, -20.25, -38), orientation: .upsideDown, calibration: .veryGood,
            source: .fused9)
        heading.declination = 3.5
        heading.declinationAccuracy = 0.35
        heading.model = "WMM-2025"
        heading.fieldStrength = 48.5
        heading.inclination = 64.25
        heading.expectedField = 48.75
        heading.expectedInclination = 64.5
        heading.disturbed = true
        heading.turnRate = -12.5
        heading.pitch = 5
        heading.roll = -2.5
        return heading
    }

    private static func fullFix() -> Fix {
        var fix = Fix(
            realMicroseconds: 1_735_689_600_000_000, bootMicroseconds: 5, latitude: -89.5, longitude: -180,
            horizontalAccuracy: 2.5)
        fix.sequence = .max
        fix.altitude = 2962
        fix.ellipsoidalAltitude = 3011.5
        fix.verticalAccuracy = 4
        fix.course = 270.5
        fix.courseAccuracy = 3
        fix.speed = 1.25
        fix.speedAccuracy = 0.5
        fix.flags = [.simulated, .clockUnsure]
        fix.source = "replay"
        fix.satellites = 12
        return fix
    }

    @Test("The signatures are those of the interface files")
    func signatures() throws {
        #expect(LocateMeInterfaces.heading1.signal("HeadingUpdated")?.signature == Heading.busSignature)
        #expect(LocateMeInterfaces.heading1.method("GetHeading")?.outputSignature == Heading.busSignature)
        #expect(LocateMeInterfaces.location1.signal("LocationsUpdated")?.signature == "a" + Fix.busSignature)
        #expect(LocateMeInterfaces.location1.method("RequestLocation")?.outputSignature == Fix.busSignature)
        #expect(
            LocateMeInterfaces.pose1.signal("PoseUpdated")?.signature == "uu" + Fix.busSignature + Heading.busSignature)
        let message = try scratch()
        try message.write { writer throws(BusError) in
            try writer.append(Self.fullFix())
            try writer.append(Self.fullHeading())
            try writer.append([Self.fullFix()])
        }
        #expect(message.signature == Fix.busSignature + Heading.busSignature + "a" + Fix.busSignature)
    }

    @Test("Fix and heading come back as they went, also with everything unknown")
    func roundTrip() throws {
        let bare = Fix(
            realMicroseconds: 0, bootMicroseconds: 0, latitude: 0, longitude: 0, horizontalAccuracy: -1)
        let message = try scratch()
        try message.write { writer throws(BusError) in
            try writer.append(Self.fullHeading())
            try writer.append([Self.fullFix(), bare])
        }
        var reader = message.reader()
        #expect(try reader.readHeading() == Self.fullHeading())
        #expect(try reader.readFixes() == [Self.fullFix(), bare])
    }

    @Test("Unknown extras are left out, and read as unknown")
    func unknownExtras() throws {
        let heading = Heading(
            realMicroseconds: 0, bootMicroseconds: 0, magnetic: 1, trueHeading: -1, accuracy: -1, field: .zero,
            orientation: .portrait, calibration: .unknown, source: .tilt)
        let message = try scratch()
        try message.write { writer throws(BusError) in try writer.append(heading) }
        guard case .structure(let members)? = try message.values().first else {
            Issue.record("no structure")
            return
        }
        #expect(members.last?.dictionaryValue == ["Disturbed": .bool(false), "Source": .string("tilt")])
        var reader = message.reader()
        let read = try reader.readHeading()
        #expect(read.declination.isNaN && read.roll.isNaN && read.model.isEmpty && read.source == .tilt)
    }

    private func heading(orientation: UInt32, calibration: UInt32, extras: [String: BusValue]) throws -> BusMessage {
        let message = try scratch()
        let numbers: [BusValue] = [1, 2, 3, 4, 5, 6].map(BusValue.double)
        try message.append(
            .structure(
                [.int64(1), .uint64(.max)] + numbers + [
                    .uint32(orientation), .uint32(calibration), .dictionary(extras),
                ]))
        return message
    }

    @Test("Extras, calibrations and sources of a later version do not disturb; an orientation does")
    func laterVersion() throws {
        let later = try heading(
            orientation: 1, calibration: 99,
            extras: ["Humour": .variant(.string("dry")), "Source": .string("fused-27"), "Declination": .string("east")])
        var reader = later.reader()
        let read = try reader.readHeading()
        #expect(read.calibration == .unknown && read.source == .unknown && read.declination.isNaN)
        #expect(read.bootMicroseconds == .max)
        let turned = try heading(orientation: 5, calibration: 1, extras: [:])
        var second = turned.reader()
        let error = #expect(throws: BusError.self) { try second.readHeading() }
        #expect(error?.text.contains("orientation 5") == true)
    }

    @Test("A time before the boot is not wrapped into the far future")
    func negativeBootTime() throws {
        var fix = Self.fullFix()
        fix.bootMicroseconds = -5
        let message = try scratch()
        try message.write { writer throws(BusError) in try writer.append(fix) }
        var reader = message.reader()
        #expect(try reader.readFix().bootMicroseconds == 0)
    }

    @Test("Sensors, findings and sources come back as they went")
    func rows() throws {
        var sensor = SensorDescription(id: "local:/iio:device0/magn", kind: .magnetometer, name: "lis3mdl")
        sensor.driver = "st_magn_i2c"
        sensor.path = "/sys/bus/iio/devices/iio:device0"
        sensor.label = "lid"
        sensor.location = "lid"
        sensor.mountMatrix = Matrix3(Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))
        sensor.matrixSource = "mount_matrix"
        sensor.ratesHertz = [1, 12.5, 100]
        sensor.buffered = true
        sensor.triggers = ["hrtimer0"]
        sensor.scale = Vector3(0.1, 0.1, 0.2)
        sensor.selected = true
        sensor.reason = "the only magnetometer"
        let finding = Finding(
            code: "magn-scale", severity: .error, sensor: sensor.id, text: "The scale is off.", remedy: "Set it.")
        let source = SourceDescription(id: "gpsd", kind: "gpsd", state: .lost)
        let message = try scratch()
        try message.write { writer throws(BusError) in
            try writer.append([sensor.dictionary, SensorDescription(id: "x", kind: .gyroscope, name: "").dictionary])
            try writer.append([finding.dictionary])
            try writer.append([source])
        }
        #expect(message.signature == "aa{sv}aa{sv}a(ssu)")
        var reader = message.reader()
        let sensors = try reader.readDictionaries().compactMap(SensorDescription.init)
        #expect(sensors == [sensor, SensorDescription(id: "x", kind: .gyroscope, name: "")])
        #expect(try reader.readDictionaries().compactMap(Finding.init) == [finding])
        #expect(try reader.readSources() == [source])
        #expect(SensorDescription([:]) == nil && Finding([:]) == nil)
        #expect(SensorDescription(["Id": .string("x"), "Kind": .string("barometer")]) == nil)
    }

    @Test("GDBus in Python reads a heading and a fix as the interface files describe them", .needs(.pythonModule("gi")))
    func outsider() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let service = try BusConnection(.address(bus.address), loop: loop)
        service.handle(pathPrefix: "/") { call in
            let answer = BusMessage.methodReturn(to: call)
            do throws(BusError) {
                try answer.write { writer throws(BusError) in
                    try writer.append(Self.fullHeading())
                    try writer.append(Self.fullFix())
                }
                service.send(answer)
            } catch { Issue.record(error) }
        }
        try service.requestName("org.example.Service")
        let script = """
            import sys
            from gi.repository import Gio
            connection = Gio.DBusConnection.new_for_address_sync(sys.argv[1],
                Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION,
                None, None)
            heading, fix = connection.call_sync("org.example.Service", "/", "org.example.I", "Get", None, None, 0, 20000,
                None).unpack()
            print(heading[:10])
            print(sorted(heading[10].items()))
            print(fix[:14])
            print(sorted(fix[14].items()))
            """
        let command = try Command.start("/usr/bin/python3", ["-c", script, bus.address])
        #expect(try loop.run(until: { command.isFinished }, seconds: 60))
        let result = command.wait()
        #expect(
            result.output == """
                (1735689600000001, 123456789, 359.75, 3.25, 4.5, 12.5, -20.25, -38.0, 2, 4)
                [('Declination', 3.5), ('DeclinationAccuracy', 0.35), ('Disturbed', True), ('ExpectedField', 48.75), \
                ('ExpectedInclination', 64.5), ('FieldStrength', 48.5), ('Inclination', 64.25), ('Model', 'WMM-2025'), \
                ('Pitch', 5.0), ('Roll', -2.5), ('Source', 'fused-9'), ('TurnRate', -12.5)]
                (18446744073709551615, 1735689600000000, 5, -89.5, -180.0, 2.5, 2962.0, 3011.5, 4.0, 270.5, 3.0, 1.25, \
                0.5, 513)
                [('Satellites', 12), ('Source', 'replay')]

                """, "\(result.errors)")
    }
}
