extension BusWriter {
    /// Appends a value of any type. Elements of an array must all be of its element type.
    public mutating func append(_ value: BusValue) throws(BusError) {
        switch value {
        case .bool(let value): try append(value)
        case .uint8(let value): try append(value)
        case .int16(let value): try append(value)
        case .uint16(let value): try append(value)
        case .int32(let value): try append(value)
        case .uint32(let value): try append(value)
        case .int64(let value): try append(value)
        case .uint64(let value): try append(value)
        case .double(let value): try append(value)
        case .string(let value): try append(value)
        case .objectPath(let value): try append(value)
        case .signature(let value): try append(value)
        case .fileDescriptor:
            throw BusError(.invalidValue, "a file descriptor that was not taken cannot be sent on")
        case .array(of: let element, let values):
            try array(of: element) { writer throws(BusError) in
                for value in values { try writer.append(value) }
            }
        case .structure(let members):
            guard !members.isEmpty else { throw BusError(.invalidValue, "a D-Bus structure cannot be empty") }
            try structure { writer throws(BusError) in
                for member in members { try writer.append(member) }
            }
        case .dictEntry(let key, let value):
            try dictEntry { writer throws(BusError) in
                try writer.append(key)
                try writer.append(value)
            }
        case .variant(let value):
            try variant(value)
        }
    }

    /// Appends a variant that holds the value.
    public mutating func variant(_ value: BusValue) throws(BusError) {
        try variant(value.signature) { writer throws(BusError) in try writer.append(value) }
    }

    /// Appends an `a{sv}`, entries in the order of their keys.
    public mutating func append(_ dictionary: [String: BusValue]) throws(BusError) {
        try array(of: "{sv}") { writer throws(BusError) in
            for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) { try writer.entry(key, value) }
        }
    }

    /// Appends one entry of an `a{sv}` that is being written.
    public mutating func entry(_ key: String, _ value: BusValue) throws(BusError) {
        try dictEntry { writer throws(BusError) in
            try writer.append(key)
            try writer.variant(value)
        }
    }
}

extension BusReader {
    /// Reads a value of any type. Depth and size are bounded by libdbus (64 levels) and by the byte budget.
    public mutating func readValue() throws(BusError) -> BusValue {
        switch typeCode {
        case UInt8(ascii: "b"): return .bool(try readBool())
        case UInt8(ascii: "y"): return .uint8(try readUInt8())
        case UInt8(ascii: "n"): return .int16(try readInt16())
        case UInt8(ascii: "q"): return .uint16(try readUInt16())
        case UInt8(ascii: "i"): return .int32(try readInt32())
        case UInt8(ascii: "u"): return .uint32(try readUInt32())
        case UInt8(ascii: "x"): return .int64(try readInt64())
        case UInt8(ascii: "t"): return .uint64(try readUInt64())
        case UInt8(ascii: "d"): return .double(try readDouble())
        case UInt8(ascii: "s"): return .string(try readString())
        case UInt8(ascii: "o"): return .objectPath(try readObjectPath())
        case UInt8(ascii: "g"): return .signature(try readSignature())
        case UInt8(ascii: "h"):
            skip()
            return .fileDescriptor
        case UInt8(ascii: "a"):
            let element = arrayElementSignature
            var values: [BusValue] = []
            try readArray { reader throws(BusError) in values.append(try reader.readValue()) }
            return .array(of: element, values)
        case UInt8(ascii: "r"):
            return .structure(try readStructure { reader throws(BusError) in try reader.readRest() })
        case UInt8(ascii: "e"):
            return try readDictEntry { reader throws(BusError) in
                .dictEntry(try reader.readValue(), try reader.readValue())
            }
        case UInt8(ascii: "v"):
            return .variant(try readVariant { reader throws(BusError) in try reader.readValue() })
        default:
            throw BusError(.invalidArgs, "a value is missing")
        }
    }

    /// Reads every value that is left at this level.
    public mutating func readRest() throws(BusError) -> [BusValue] {
        var values: [BusValue] = []
        while !isAtEnd { values.append(try readValue()) }
        return values
    }

    /// Reads an `a{sv}`; of equal keys the last counts.
    public mutating func readDictionary() throws(BusError) -> [String: BusValue] {
        var result: [String: BusValue] = [:]
        try readArray { element throws(BusError) in
            try element.readDictEntry { entry throws(BusError) in
                let key = try entry.readString()
                result[key] = try entry.readVariant { value throws(BusError) in try value.readValue() }
            }
        }
        return result
    }
}
