import EventLoop
import Geometry
import LocateMeBusInterface
import LocateMeModel
import MessageBus

/// A service that speaks the interfaces of `dbus/` and whose answers the test decides.
final class FakeService {
    let connection: BusConnection
    let dispatcher: ObjectDispatcher
    /// What was called, as `Interface.Member`, and sets as `Interface.Property=value`.
    var log: [String] = []
    var sessions: [ObjectPath: BusCaller] = [:]
    /// Thrown by the named method instead of an answer.
    var errors: [String: BusError] = [:]
    /// Methods that never answer; the calls are kept.
    var silent: Set<String> = []
    private var kept: [BusCall] = []
    private var nextSession = 1

    static let heading: Heading = {
        var heading = Heading(
            realMicroseconds: 1_700_000_000_000_000, bootMicroseconds: 5_000_000, magnetic: 123.5, trueHeading: -1,
            accuracy: 4.5, field: Vector3(10, 20, -40), orientation: .landscapeLeft, calibration: .good,
            source: .fused9)
        heading.declination = 3.25
        heading.disturbed = true
        return heading
    }()

    static let fix: Fix = {
        var fix = Fix(
            realMicroseconds: 1_700_000_000_000_001, bootMicroseconds: 6_000_000, latitude: 47.4211, longitude: 10.9853,
            horizontalAccuracy: 12)
        fix.altitude = 2962
        fix.verticalAccuracy = 5
        fix.flags = [.fixed]
        fix.source = "static"
        return fix
    }()

    init(_ address: String, loop: EventLoop) throws {
        connection = try BusConnection(.address(address), loop: loop)
        dispatcher = ObjectDispatcher(connection: connection, managerPath: LocateMeBus.managerPath)
        let manager = interface(LocateMeInterfaces.manager1)
        manager.method("CreateSession") { [unowned self] call, reader throws(BusError) in
            try note("Manager1.CreateSession")
            _ = try SessionOptions(try OptionDictionary(reading: &reader))
            let path = makeSession(call.caller)
            call.reply { writer throws(BusError) in try writer.append(path) }
        }
        manager.method("RequestAuthorization") { call, _ throws(BusError) in
            call.reply { writer throws(BusError) in
                try writer.append(UInt32(4))
                try writer.append(UInt32(1))
            }
        }
        manager.property("Sources") { writer throws(BusError) in
            try writer.append([SourceDescription(id: "static", kind: "static", state: .ok)])
        }
        manager.property("Version") { _ in .string("9.9") }
        manager.property("Capabilities") { _ in .strings(["heading", "location"]) }
        manager.property("HeadingAvailable") { _ in .bool(true) }
        let status = interface(LocateMeInterfaces.status1)
        status.property("MagneticHeading") { _ in .double(12.5) }
        status.property("Latitude") { _ in .double(.nan) }
        dispatcher.add(ExportedObject(path: LocateMeBus.managerPath, interfaces: [manager, status]))
        let compass = interface(LocateMeInterfaces.compass1)
        compass.method("ListSensors") { call, _ throws(BusError) in
            var sensor = SensorDescription(id: "local:/magn", kind: .magnetometer, name: "st_magn")
            sensor.ratesHertz = [10, 100]
            sensor.mountMatrix = Matrix3(Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))
            sensor.selected = true
            let row = sensor.dictionary
            call.reply { writer throws(BusError) in try writer.append([row]) }
        }
        compass.method("Diagnose") { call, _ throws(BusError) in
            let finding = Finding(code: "no-gyroscope", severity: .info, text: "No gyroscope.", remedy: "None needed.")
            call.reply { writer throws(BusError) in try writer.append([finding.dictionary]) }
        }
        dispatcher.add(ExportedObject(path: LocateMeBus.compassPath, interfaces: [compass]))
        try connection.requestName(LocateMeBus.name)
    }

    /// The only session.
    var session: ObjectPath? { sessions.count == 1 ? sessions.first?.key : nil }

    /// Sends a signal of each session to its owner.
    func signal(_ interface: String, _ member: String, _ body: (inout BusWriter) throws(BusError) -> Void) throws {
        for (path, caller) in sessions {
            let message = try BusMessage.signal(
                path: path, interface: interface, member: member, destination: caller.uniqueName)
            try message.write(body)
            connection.send(message)
        }
    }

    private func makeSession(_ caller: BusCaller) -> ObjectPath {
        let path = LocateMeBus.sessionPath("s\(nextSession)") ?? LocateMeBus.sessionsPath
        nextSession += 1
        sessions[path] = caller
        let session = interface(LocateMeInterfaces.session1)
        session.property("Authorization") { _ in .uint32(4) }
        session.property("AccuracyAuthorization") { _ in .uint32(2) }
        session.method("Close") { [unowned self] call, _ throws(BusError) in
            try note("Session1.Close")
            sessions[path] = nil
            dispatcher.remove(path)
            call.reply()
        }
        session.method("SetForeground") { [unowned self] call, reader throws(BusError) in
            try note("Session1.SetForeground \(try reader.readUInt32())")
            call.reply()
        }
        session.method("AckEvents") { [unowned self] call, reader throws(BusError) in
            try note("Session1.AckEvents \(try reader.readUInt64())")
            call.reply { writer throws(BusError) in try writer.append(UInt32(3)) }
        }
        session.method("Statistics") { call, _ throws(BusError) in
            call.reply { writer throws(BusError) in try writer.append(["FixesDelivered": BusValue.uint64(7)]) }
        }
        let heading = interface(LocateMeInterfaces.heading1)
        heading.method("GetHeading") { [unowned self] call, _ throws(BusError) in
            try note("Heading1.GetHeading")
            if silent.contains("Heading1.GetHeading") {
                kept.append(call)
                return
            }
            call.reply { writer throws(BusError) in try writer.append(Self.heading) }
        }
        let location = interface(LocateMeInterfaces.location1)
        location.method("RequestLocation") { [unowned self] call, _ throws(BusError) in
            try note("Location1.RequestLocation")
            call.reply { writer throws(BusError) in try writer.append(Self.fix) }
        }
        location.method("Flush") { call, _ throws(BusError) in
            call.reply { writer throws(BusError) in try writer.append(UInt32(2)) }
        }
        let changes = interface(LocateMeInterfaces.significantChange1)
        let visits = interface(LocateMeInterfaces.visits1)
        let pose = interface(LocateMeInterfaces.pose1)
        pose.method("Get") { call, _ throws(BusError) in
            call.reply { writer throws(BusError) in
                try writer.append(UInt32(2))
                try writer.append(Self.fix)
                try writer.append(Self.heading)
            }
        }
        dispatcher.add(ExportedObject(path: path, interfaces: [session, heading, location, pose, changes, visits]))
        return path
    }

    private func note(_ what: String) throws(BusError) {
        log.append(what)
        if let error = errors[what] { throw error }
    }

    /// An interface whose methods answer with nothing and whose properties hold a default; both are logged.
    private func interface(_ description: InterfaceDescription) -> ExportedInterface {
        let exported = ExportedInterface(description)
        let short = String(description.name.split(separator: ".").last ?? "")
        for method in description.methods {
            exported.method(method.name) { [unowned self] call, _ throws(BusError) in
                try note("\(short).\(method.name)")
                call.reply()
            }
        }
        for property in description.properties {
            let value = Self.defaultValue(property.signature)
            if property.isWritable {
                exported.property(
                    property.name, get: { _, writer throws(BusError) in try writer.append(value) },
                    set: { [unowned self] _, reader throws(BusError) in
                        let new = try reader.readValue()
                        try note("\(short).\(property.name)=\(Self.text(new))")
                    })
            } else {
                exported.property(property.name) { _ in value }
            }
        }
        return exported
    }

    private static func text(_ value: BusValue) -> String {
        switch value {
        case .double(let number): "\(number)"
        case .uint32(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        default: value.signature
        }
    }

    private static func defaultValue(_ signature: String) -> BusValue {
        switch signature {
        case "s": .string("")
        case "u": .uint32(0)
        case "b": .bool(false)
        case "d": .double(-1)
        case "x": .int64(0)
        case "as": .strings([])
        default: .array(of: String(signature.dropFirst()), [])
        }
    }
}
