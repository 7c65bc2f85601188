internal import LocateMeBusInterface
internal import LocateMeModel
internal import MessageBus

/// `Manager1` at `/org/locateme`: the way in.
enum ManagerObject {
    /// The version of the interface: grows with additions.
    static let apiVersion: UInt32 = 1
    /// What this version can do.
    static let capabilities = [
        "heading", "location", "pose", "power", "significant-change", "true-heading", "visits",
    ]

    /// What `Manager1` tells and that can change.
    struct Values: Hashable {
        var locationServicesEnabled = true
        var locationAvailable = false
        var headingAvailable = false
        var inUse = false
        var sources: [SourceDescription] = []

        /// The properties that differ.
        func changes(to other: Values) -> [String] {
            var names: [String] = []
            if other.locationServicesEnabled != locationServicesEnabled { names.append("LocationServicesEnabled") }
            if other.locationAvailable != locationAvailable {
                names += ["LocationAvailable", "SignificantChangeAvailable"]
            }
            if other.headingAvailable != headingAvailable { names.append("HeadingAvailable") }
            if other.inUse != inUse { names.append("InUse") }
            if other.sources != sources { names.append("Sources") }
            return names
        }
    }

    /// The interface. `open` opens a session.
    static func interface(
        authorizer: Authorizer, values: @escaping () -> Values,
        open: @escaping (SessionOptions, BusCaller) throws(BusError) -> ObjectPath
    ) -> ExportedInterface {
        let interface = ExportedInterface(LocateMeInterfaces.manager1)
        addMethods(to: interface, authorizer, values, open)
        interface.property("Version") { _ in .string(ProductVersion.text) }
        interface.property("ApiVersion") { _ in .uint32(apiVersion) }
        interface.property("LocationServicesEnabled") { _ in .bool(values().locationServicesEnabled) }
        interface.property("LocationAvailable") { _ in .bool(values().locationAvailable) }
        interface.property("HeadingAvailable") { _ in .bool(values().headingAvailable) }
        interface.property("SignificantChangeAvailable") { _ in .bool(values().locationAvailable) }
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
        to interface: ExportedInterface, _ authorizer: Authorizer, _ values: @escaping () -> Values,
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
            guard values().locationServicesEnabled else {
                throw BusError(.servicesDisabled, "places are switched off for everyone, see locateme.conf")
            }
            authorizer.grant(call.caller, mayAsk: true) { grant in
                guard grant.status != .notDetermined else {
                    return call.fail(
                        BusError(
                            .noAgent,
                            "the user would have to be asked, and no polkit agent runs in the caller's session; "
                                + "start one, or let an administrator permit \(PolicyAction.precise.rawValue)"))
                }
                call.reply { writer throws(BusError) in
                    // Never more than was asked for.
                    let isLess = accuracy == 1 && grant.accuracy == .full
                    let isNarrower = level == 1 && grant.status == .always
                    try writer.append((isNarrower ? .whenInUse : grant.status).rawValue)
                    try writer.append((isLess ? .reduced : grant.accuracy).rawValue)
                }
            }
        }
        for name in ["CompleteWake", "RegisterAgent", "UnregisterAgent"] {
            interface.method(name) { _, _ throws(BusError) in
                throw BusError(.notSupported, "this service neither wakes clients nor asks the user through an agent")
            }
        }
    }
}
