internal import LocateMeBusInterface
internal import LocateMeModel
internal import LocationEngine
internal import MessageBus

/// The properties of `Location1` over a session's settings. A change by hand ends the preset.
enum LocationProperties {
    static func add(to interface: ExportedInterface, _ location: LocationClient) {
        number(interface, "DesiredAccuracy", location, \.desiredAccuracy)
        number(interface, "DistanceFilter", location, \.distanceFilter)
        flag(interface, "ConfirmedDistance", location, \.confirmedDistance)
        number(interface, "RequiredAccuracy", location, \.requiredAccuracy)
        unsigned(interface, "AcceptTimeout", location, \.acceptTimeoutMilliseconds)
        unsigned(interface, "AcceptTries", location, \.acceptTries)
        unsigned(interface, "MinimumInterval", location, \.minimumIntervalMilliseconds)
        unsigned(interface, "MaximumDelay", location, \.maximumDelayMilliseconds)
        unsigned(interface, "MaximumAge", location, \.maximumAgeMilliseconds)
        unsigned(interface, "ActivityType", location, \.activityType)
        flag(interface, "PausesAutomatically", location, \.pausesAutomatically)
        interface.property("Mode") { _ in .uint32(location.mode.rawValue) }
        interface.property(
            "Preset", get: { _, writer throws(BusError) in try writer.append(location.settings.preset) },
            set: { _, reader throws(BusError) in
                let name = try reader.readString()
                guard let preset = LocationPreset(rawValue: name) else {
                    let known = LocationPreset.allCases.map(\.rawValue).joined(separator: ", ")
                    throw BusError(.invalidArgs, "there is no preset '\(name)'; it must be one of \(known)")
                }
                try location.change(names + ["Preset"]) { $0.apply(preset) }
            })
    }

    private static let names = [
        "DesiredAccuracy", "DistanceFilter", "ConfirmedDistance", "RequiredAccuracy", "MinimumInterval",
        "ActivityType", "PausesAutomatically",
    ]

    private static func number(
        _ interface: ExportedInterface, _ name: String, _ location: LocationClient,
        _ key: WritableKeyPath<LocationSettings, Double>
    ) {
        interface.property(
            name, get: { _, writer throws(BusError) in try writer.append(location.settings[keyPath: key]) },
            set: { _, reader throws(BusError) in try set(location, name, key, try reader.readDouble()) })
    }

    private static func unsigned(
        _ interface: ExportedInterface, _ name: String, _ location: LocationClient,
        _ key: WritableKeyPath<LocationSettings, UInt32>
    ) {
        interface.property(
            name, get: { _, writer throws(BusError) in try writer.append(location.settings[keyPath: key]) },
            set: { _, reader throws(BusError) in try set(location, name, key, try reader.readUInt32()) })
    }

    private static func flag(
        _ interface: ExportedInterface, _ name: String, _ location: LocationClient,
        _ key: WritableKeyPath<LocationSettings, Bool>
    ) {
        interface.property(
            name, get: { _, writer throws(BusError) in try writer.append(location.settings[keyPath: key]) },
            set: { _, reader throws(BusError) in try set(location, name, key, try reader.readBool()) })
    }

    private static func set<Value: Equatable>(
        _ location: LocationClient, _ name: String, _ key: WritableKeyPath<LocationSettings, Value>, _ value: Value
    ) throws(BusError) {
        guard location.settings[keyPath: key] != value else { return }
        let hadPreset = !location.settings.preset.isEmpty
        try location.change(hadPreset ? [name, "Preset"] : [name]) { settings in
            settings[keyPath: key] = value
            settings.preset = ""
        }
    }
}
