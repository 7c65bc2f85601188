public import LocateMeModel
public import MessageBus

extension Fix {
    /// The D-Bus type `Fix`.
    public static let busSignature = "(txtddddddddddua{sv})"
}

extension BusWriter {
    /// Appends a `Fix`. Unknown extras are left out.
    public mutating func append(_ fix: Fix) throws(BusError) {
        try structure { fields throws(BusError) in
            try fields.append(fix.sequence)
            try fields.append(fix.realMicroseconds)
            try fields.append(UInt64(clamping: fix.bootMicroseconds))
            try fields.append(fix.latitude)
            try fields.append(fix.longitude)
            try fields.append(fix.horizontalAccuracy)
            try fields.append(fix.altitude)
            try fields.append(fix.ellipsoidalAltitude)
            try fields.append(fix.verticalAccuracy)
            try fields.append(fix.course)
            try fields.append(fix.courseAccuracy)
            try fields.append(fix.speed)
            try fields.append(fix.speedAccuracy)
            try fields.append(fix.flags.rawValue)
            try fields.array(of: "{sv}") { extras throws(BusError) in
                if !fix.source.isEmpty { try extras.entry("Source", .string(fix.source)) }
                if fix.satellites >= 0 { try extras.entry("Satellites", .uint32(UInt32(clamping: fix.satellites))) }
            }
        }
    }

    /// Appends an `a(Fix)`.
    public mutating func append(_ fixes: [Fix]) throws(BusError) {
        try array(of: Fix.busSignature) { elements throws(BusError) in
            for fix in fixes { try elements.append(fix) }
        }
    }
}

extension BusReader {
    /// Reads a `Fix`. Unknown extras are ignored.
    public mutating func readFix() throws(BusError) -> Fix {
        try readStructure { fields throws(BusError) in
            let sequence = try fields.readUInt64()
            let real = try fields.readInt64()
            let boot = Int64(clamping: try fields.readUInt64())
            var fix = Fix(
                realMicroseconds: real, bootMicroseconds: boot, latitude: try fields.readDouble(),
                longitude: try fields.readDouble(), horizontalAccuracy: try fields.readDouble())
            fix.sequence = sequence
            fix.altitude = try fields.readDouble()
            fix.ellipsoidalAltitude = try fields.readDouble()
            fix.verticalAccuracy = try fields.readDouble()
            fix.course = try fields.readDouble()
            fix.courseAccuracy = try fields.readDouble()
            fix.speed = try fields.readDouble()
            fix.speedAccuracy = try fields.readDouble()
            fix.flags = Fix.Flags(rawValue: try fields.readUInt32())
            let extras = try fields.readDictionary()
            fix.source = extras["Source"]?.stringValue ?? ""
            fix.satellites = extras["Satellites"]?.uint32Value.map { Int($0) } ?? -1
            return fix
        }
    }

    /// Reads an `a(Fix)`.
    public mutating func readFixes() throws(BusError) -> [Fix] {
        var fixes: [Fix] = []
        try readArray { element throws(BusError) in fixes.append(try element.readFix()) }
        return fixes
    }
}
