public import LocateMeModel
public import MessageBus

extension BusWriter {
    /// Appends the `a(ssu)` of `Manager1.Sources`.
    public mutating func append(_ sources: [SourceDescription]) throws(BusError) {
        try array(of: "(ssu)") { rows throws(BusError) in
            for source in sources {
                try rows.structure { row throws(BusError) in
                    try row.append(source.id)
                    try row.append(source.kind)
                    try row.append(source.state.rawValue)
                }
            }
        }
    }

    /// Appends the `aa{sv}` of `Compass1.ListSensors` or `Compass1.Diagnose`.
    public mutating func append(_ rows: [[String: BusValue]]) throws(BusError) {
        try array(of: "a{sv}") { elements throws(BusError) in
            for row in rows { try elements.append(row) }
        }
    }
}

extension BusReader {
    /// Reads the `a(ssu)` of `Manager1.Sources`; rows of an unknown state are left out.
    public mutating func readSources() throws(BusError) -> [SourceDescription] {
        var sources: [SourceDescription] = []
        try readArray { element throws(BusError) in
            try element.readStructure { row throws(BusError) in
                let id = try row.readString()
                let kind = try row.readString()
                guard let state = SourceState(rawValue: try row.readUInt32()) else { return }
                sources.append(SourceDescription(id: id, kind: kind, state: state))
            }
        }
        return sources
    }

    /// Reads an `aa{sv}`.
    public mutating func readDictionaries() throws(BusError) -> [[String: BusValue]] {
        var rows: [[String: BusValue]] = []
        try readArray { element throws(BusError) in rows.append(try element.readDictionary()) }
        return rows
    }
}
