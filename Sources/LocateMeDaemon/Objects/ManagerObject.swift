internal import LocateMeBusInterface
internal import LocateMeModel
internal import MessageBus

/// `Manager1` at `/org/locateme`: the way in.
enum ManagerObject {
    /// The version of the interface: grows with additions.
    static let apiVersion: UInt32 = 1
    /// What this version can do.
    static let capabilities = ["heading", "location", "pose", "true-heading"]

    /// What `Manager1` tells and that can change.
    struct Values: Hashable {
        var locationAvailable = false
        var headingAvailable = false
        var inUse = false
        var sources: [SourceDescription] = []

        /// The properties that differ.
        func changes(to other: Values) -> [String] {
            var names: [String] = []
            if other.locationAvailable != locationAvailable { names.append("LocationAvailable") }
            if other.headingAvailable != headingAvailable { names.append("HeadingAvailable") }
            if other.inUse != inUse { names.append("InUse") }
            if other.sources != sources { names.append("Sources") }
            return names
        }
    }

    /// The interface. `open` opens a session.
    static func interface(
        permission: LocationPermission, values: @escaping () -> Values,
        open: @escaping (SessionOptions, BusCaller) throws(BusError) -> ObjectPath
    ) -> ExportedInterface {
        let interface = ExportedInterface(LocateMeInterfaces.manager1)
        addMethods(to: interface, permission, open)
        interface.property("Version") { _ in .string(DaemonVersion.text) }
        interface.property("ApiVersion") { _ in .uint32(apiVersion) }
        interface.property("LocationServicesEnabled") { _ in .bool(true) }
        interface.property("LocationAvailable") { _ in .bool(values().locationAvailable) }
        interface.property("HeadingAvailable") { _ in .bool(values().headingAvailable) }
        interface.property("SignificantChangeAvailable") { _ in .bool(false) }
        interface.property("RegionMonitoringAvailable") { _ in .bool(false) }
        interface.property("GeocodingAvailable") { _ in .bool(false) }
        interface.property("InUse") { _ in .bool(values().inUse) }
        interface.property("MaximumRegionRadius") { _ in .double(-1) }
        interface.property("MaximumRegions") { _ in .uint32(0) }
        interface.property("Capabilities") { _ in .strings(capabilities) }
        interface.property(
            "Sources", get: { _, writer throws(BusError) in try writer.append(values().sources) })
        return interface
    }

    private static func addMethods(
        to interface: ExportedInterface, _ permission: LocationPermission,
        _ open: @escaping (SessionOptions, BusCaller) throws(BusError) -> ObjectPath
    ) {
        interface.method("CreateSession") { call, reader throws(BusError) in
            let options = try SessionOptions(try OptionDictionary(reading: &reader))
            guard options.wakeName.isEmpty else {
                // Accepting it would let the client wait for a wake-up for ever.
                throw BusError(.notSupported, "the option 'WakeName': this service does not wake clients")
            }
            let path = try open(options, call.caller)
            call.reply { writer throws(BusError) in try writer.append(path) }
        }
        interface.method("RequestAuthorization") { call, reader throws(BusError) in
            let level = try reader.readUInt32()
            let accuracy = try reader.readUInt32()
            let reason = try reader.readString()
            guard level == 1 || level == 2 else {
                throw BusError(.invalidArgs, "the level is 1 when in use or 2 always, not \(level)")
            }
            guard accuracy == 1 || accuracy == 2 else {
                throw BusError(.invalidArgs, "the accuracy is 1 reduced or 2 full, not \(accuracy)")
            }
            guard (1...SessionOptions.maximumReasonBytes).contains(reason.utf8.count) else {
                throw BusError(.invalidArgs, "the reason has 1 to \(SessionOptions.maximumReasonBytes) bytes")
            }
            let isPermitted = permission.allows(call.caller)
            call.reply { writer throws(BusError) in
                try writer.append((isPermitted ? AuthorizationStatus.always : .denied).rawValue)
                try writer.append((isPermitted ? AccuracyAuthorization.full : .none).rawValue)
            }
        }
        for name in ["CompleteWake", "RegisterAgent", "UnregisterAgent"] {
            interface.method(name) { _, _ throws(BusError) in
                throw BusError(.notSupported, "this service neither wakes clients nor asks the user through an agent")
            }
        }
    }
}
