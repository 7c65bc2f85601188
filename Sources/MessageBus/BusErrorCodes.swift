/// Error names of the D-Bus specification and of the reference bus, and the codes that this module adds.
extension BusError.Code {
    private init(standard name: String) { self.init(rawValue: "org.freedesktop.DBus.Error." + name) }

    /// Anything that has no better name.
    public static let failed = Self(standard: "Failed")
    /// Out of memory.
    public static let noMemory = Self(standard: "NoMemory")
    /// No such service, and it cannot be started.
    public static let serviceUnknown = Self(standard: "ServiceUnknown")
    /// Nobody owns the name.
    public static let nameHasNoOwner = Self(standard: "NameHasNoOwner")
    /// No answer in time, or the other side left before it answered.
    public static let noReply = Self(standard: "NoReply")
    /// Not permitted.
    public static let accessDenied = Self(standard: "AccessDenied")
    /// More than the bus or the service allows.
    public static let limitsExceeded = Self(standard: "LimitsExceeded")
    /// Arguments of the wrong types or values.
    public static let invalidArgs = Self(standard: "InvalidArgs")
    /// No such method.
    public static let unknownMethod = Self(standard: "UnknownMethod")
    /// No such object.
    public static let unknownObject = Self(standard: "UnknownObject")
    /// No such interface at the object.
    public static let unknownInterface = Self(standard: "UnknownInterface")
    /// No such property.
    public static let unknownProperty = Self(standard: "UnknownProperty")
    /// The property cannot be set.
    public static let propertyReadOnly = Self(standard: "PropertyReadOnly")
    /// The connection to the bus is gone.
    public static let disconnected = Self(standard: "Disconnected")
    /// No bus at the address.
    public static let noServer = Self(standard: "NoServer")
    /// The bus refused the credentials.
    public static let authFailed = Self(standard: "AuthFailed")
    /// The bus address is malformed.
    public static let badAddress = Self(standard: "BadAddress")
    /// The other side cannot do that.
    public static let notSupported = Self(standard: "NotSupported")
    /// It took too long.
    public static let timeout = Self(standard: "Timeout")
    /// A message cannot be taken apart as its signature says.
    public static let inconsistentMessage = Self(standard: "InconsistentMessage")
    /// A value that D-Bus cannot carry, such as a string with a NUL. Local, never on the wire.
    public static let invalidValue = Self(rawValue: "MessageBus.InvalidValue")
    /// The name is owned by somebody else; see `BusError.owner`. Local, never on the wire.
    public static let nameTaken = Self(rawValue: "MessageBus.NameTaken")
    /// The call was cancelled by the caller. Local, never on the wire.
    public static let cancelled = Self(rawValue: "MessageBus.Cancelled")
}
