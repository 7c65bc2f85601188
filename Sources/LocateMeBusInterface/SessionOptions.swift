public import LocateMeModel
public import MessageBus

/// The options of `Manager1.CreateSession`.
public struct SessionOptions: Hashable, Sendable {
    /// Greatest length of `reason` in bytes.
    public static let maximumReasonBytes = 200
    /// Greatest length of `applicationID` in bytes, that of a bus name.
    public static let maximumApplicationIDBytes = 255

    /// What the application needs location or heading for, shown to the user; 1 to 200 bytes.
    public var reason: String
    /// Desktop file id without `.desktop`; empty: unknown.
    public var applicationID = ""
    /// Well-known name by which the application can be started; empty: none.
    public var wakeName = ""
    /// Object of `WakeTarget1` at `wakeName`.
    public var wakePath: ObjectPath?
    /// Start values of the location session.
    public var preset: LocationPreset?

    /// Options with the one that is required.
    public init(reason: String) { self.reason = reason }

    /// Options as a caller sent them. Throws `.invalidArgs` with a text that names the faulty option.
    public init(_ options: OptionDictionary) throws(BusError) {
        guard let reason = try options.string("Reason"), !reason.isEmpty else {
            throw BusError(
                .invalidArgs,
                "the option 'Reason' is missing: say what the application needs it for, in 1 to "
                    + "\(Self.maximumReasonBytes) bytes")
        }
        guard reason.utf8.count <= Self.maximumReasonBytes else {
            throw BusError(
                .invalidArgs,
                "the option 'Reason' has \(reason.utf8.count) bytes; at most \(Self.maximumReasonBytes) are allowed")
        }
        self.reason = reason

        let application = try options.string("AppId") ?? ""
        guard application.utf8.count <= Self.maximumApplicationIDBytes else {
            throw BusError(
                .invalidArgs, "the option 'AppId' is longer than \(Self.maximumApplicationIDBytes) bytes")
        }
        let suffix = ".desktop"
        applicationID = application.hasSuffix(suffix) ? String(application.dropLast(suffix.count)) : application

        wakeName = try options.string("WakeName") ?? ""
        guard wakeName.isEmpty || BusName.isWellKnown(wakeName) else {
            throw BusError(.invalidArgs, "the option 'WakeName' is no well-known bus name: '\(wakeName)'")
        }
        wakePath = try options.objectPath("WakePath")
        guard wakePath == nil || !wakeName.isEmpty else {
            throw BusError(.invalidArgs, "the option 'WakePath' needs 'WakeName' beside it")
        }

        if let name = try options.string("Preset"), !name.isEmpty {
            guard let preset = LocationPreset(rawValue: name) else {
                let known = LocationPreset.allCases.map(\.rawValue).joined(separator: ", ")
                throw BusError(.invalidArgs, "the option 'Preset' is '\(name)'; it must be one of \(known)")
            }
            self.preset = preset
        }
    }

    /// The options as they are sent.
    public var dictionary: [String: BusValue] {
        var entries: [String: BusValue] = ["Reason": .string(reason)]
        if !applicationID.isEmpty { entries["AppId"] = .string(applicationID) }
        if !wakeName.isEmpty { entries["WakeName"] = .string(wakeName) }
        if let wakePath { entries["WakePath"] = .objectPath(wakePath) }
        if let preset { entries["Preset"] = .string(preset.rawValue) }
        return entries
    }
}
