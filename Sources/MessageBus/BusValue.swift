/// A D-Bus value of any type, for `a{sv}` dictionaries and for values whose type is only known at run time.
public indirect enum BusValue: Hashable, Sendable {
    /// b
    case bool(Bool)
    /// y
    case uint8(UInt8)
    /// n
    case int16(Int16)
    /// q
    case uint16(UInt16)
    /// i
    case int32(Int32)
    /// u
    case uint32(UInt32)
    /// x
    case int64(Int64)
    /// t
    case uint64(UInt64)
    /// d
    case double(Double)
    /// s
    case string(String)
    /// o
    case objectPath(ObjectPath)
    /// g
    case signature(BusSignature)
    /// h that was received: the descriptor itself is not taken, `BusReader.readFileDescriptor()` does that. Cannot be
    /// written.
    case fileDescriptor
    /// a: the type of the elements, and the elements.
    case array(of: String, [BusValue])
    /// (…)
    case structure([BusValue])
    /// {…}, only as element of an array.
    case dictEntry(BusValue, BusValue)
    /// v
    case variant(BusValue)

    /// An array of strings.
    public static func strings(_ values: [String]) -> BusValue { .array(of: "s", values.map(BusValue.string)) }
    /// An array of numbers.
    public static func doubles(_ values: [Double]) -> BusValue { .array(of: "d", values.map(BusValue.double)) }
    /// An `a{sv}`; entries in the order of their keys.
    public static func dictionary(_ entries: [String: BusValue]) -> BusValue {
        .array(
            of: "{sv}",
            entries.sorted { $0.key < $1.key }.map { .dictEntry(.string($0.key), .variant($0.value)) })
    }

    /// The complete type.
    public var signature: String {
        switch self {
        case .bool: "b"
        case .uint8: "y"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .fileDescriptor: "h"
        case .array(of: let element, _): "a" + element
        case .structure(let members): "(" + members.map(\.signature).joined() + ")"
        case .dictEntry(let key, let value): "{" + key.signature + value.signature + "}"
        case .variant: "v"
        }
    }
}

// MARK: - Values as Swift types: nil if the value is of another type.

extension BusValue {
    /// The boolean.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The unsigned 32-bit integer.
    public var uint32Value: UInt32? { if case .uint32(let value) = self { value } else { nil } }
    /// The 32-bit integer.
    public var int32Value: Int32? { if case .int32(let value) = self { value } else { nil } }
    /// The 64-bit integer.
    public var int64Value: Int64? { if case .int64(let value) = self { value } else { nil } }
    /// The unsigned 64-bit integer.
    public var uint64Value: UInt64? { if case .uint64(let value) = self { value } else { nil } }
    /// The floating-point number.
    public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
    /// The string.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    /// The object path.
    public var objectPathValue: ObjectPath? { if case .objectPath(let value) = self { value } else { nil } }
    /// The strings of an `as`.
    public var stringsValue: [String]? {
        guard case .array(of: "s", let elements) = self else { return nil }
        return elements.compactMap(\.stringValue)
    }
    /// The numbers of an `ad`.
    public var doublesValue: [Double]? {
        guard case .array(of: "d", let elements) = self else { return nil }
        return elements.compactMap(\.doubleValue)
    }
    /// The numbers of a structure of floating-point numbers only, such as `(ddd)`.
    public var doubleTupleValue: [Double]? {
        guard case .structure(let members) = self else { return nil }
        let values = members.compactMap(\.doubleValue)
        return values.count == members.count ? values : nil
    }
    /// The entries of an `a{sv}`; of equal keys the last counts.
    public var dictionaryValue: [String: BusValue]? {
        guard case .array(of: "{sv}", let elements) = self else { return nil }
        var result: [String: BusValue] = [:]
        for case .dictEntry(.string(let key), .variant(let value)) in elements { result[key] = value }
        return result
    }
}
