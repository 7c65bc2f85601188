public import MessageBus

/// An `a{sv}` of options as a caller sent it: typed look-up with an error that names the option. Keys that nobody
/// asks for are ignored, as the contract says.
public struct OptionDictionary: Sendable {
    private let entries: [String: BusValue]

    /// Options.
    public init(_ entries: [String: BusValue]) { self.entries = entries }

    /// The options that come next in a message.
    public init(reading reader: inout BusReader) throws(BusError) { entries = try reader.readDictionary() }

    /// A string; nil if it is not given.
    public func string(_ key: String) throws(BusError) -> String? {
        try value(key, \.stringValue, "a string (s)")
    }
    /// A boolean; nil if it is not given.
    public func bool(_ key: String) throws(BusError) -> Bool? {
        try value(key, \.boolValue, "a boolean (b)")
    }
    /// An unsigned number; nil if it is not given.
    public func uint32(_ key: String) throws(BusError) -> UInt32? {
        try value(key, \.uint32Value, "an unsigned 32-bit integer (u)")
    }
    /// A time or other 64-bit integer; nil if it is not given.
    public func int64(_ key: String) throws(BusError) -> Int64? {
        try value(key, \.int64Value, "a 64-bit integer (x)")
    }
    /// A floating-point number; nil if it is not given.
    public func double(_ key: String) throws(BusError) -> Double? {
        try value(key, \.doubleValue, "a floating-point number (d)")
    }
    /// An object path; nil if it is not given.
    public func objectPath(_ key: String) throws(BusError) -> ObjectPath? {
        try value(key, \.objectPathValue, "an object path (o)")
    }
    /// An array of floating-point numbers; nil if it is not given.
    public func doubles(_ key: String) throws(BusError) -> [Double]? {
        try value(key, \.doublesValue, "an array of floating-point numbers (ad)")
    }
    /// A structure of three floating-point numbers; nil if it is not given.
    public func tripleOfDoubles(_ key: String) throws(BusError) -> [Double]? {
        try value(key, { $0.doubleTupleValue.flatMap { $0.count == 3 ? $0 : nil } }, "three numbers (ddd)")
    }

    private func value<Value>(
        _ key: String, _ convert: (BusValue) -> Value?, _ type: String
    ) throws(BusError) -> Value? {
        guard let value = entries[key] else { return nil }
        guard let converted = convert(value) else {
            throw BusError(.invalidArgs, "the option '\(key)' must be \(type), not of the type '\(value.signature)'")
        }
        return converted
    }
}
