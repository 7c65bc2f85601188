internal import Geometry
public import LocateMeModel
public import MessageBus

extension Heading {
    /// The D-Bus type `Heading`.
    public static let busSignature = "(xtdddddduua{sv})"
}

extension BusWriter {
    /// Appends a `Heading`. Extras that are NaN or empty are left out.
    public mutating func append(_ heading: Heading) throws(BusError) {
        try structure { fields throws(BusError) in
            try fields.append(heading.realMicroseconds)
            try fields.append(UInt64(clamping: heading.bootMicroseconds))
            try fields.append(heading.magnetic)
            try fields.append(heading.trueHeading)
            try fields.append(heading.accuracy)
            try fields.append(heading.field.x)
            try fields.append(heading.field.y)
            try fields.append(heading.field.z)
            try fields.append(heading.orientation.rawValue)
            try fields.append(heading.calibration.rawValue)
            try fields.array(of: "{sv}") { extras throws(BusError) in
                try extras.known("Declination", heading.declination)
                try extras.known("DeclinationAccuracy", heading.declinationAccuracy)
                if !heading.model.isEmpty { try extras.entry("Model", .string(heading.model)) }
                try extras.known("FieldStrength", heading.fieldStrength)
                try extras.known("Inclination", heading.inclination)
                try extras.known("ExpectedField", heading.expectedField)
                try extras.known("ExpectedInclination", heading.expectedInclination)
                try extras.entry("Disturbed", .bool(heading.disturbed))
                try extras.known("TurnRate", heading.turnRate)
                try extras.known("Pitch", heading.pitch)
                try extras.known("Roll", heading.roll)
                if heading.source != .unknown { try extras.entry("Source", .string(heading.source.rawValue)) }
            }
        }
    }

    /// Appends an entry of an `a{sv}` unless the value is NaN.
    private mutating func known(_ key: String, _ value: Double) throws(BusError) {
        if !value.isNaN { try entry(key, .double(value)) }
    }
}

extension BusReader {
    /// Reads a `Heading`. Unknown extras are ignored; an orientation that this version does not know is refused with
    /// `.inconsistentMessage`, since the angles cannot be understood without it.
    public mutating func readHeading() throws(BusError) -> Heading {
        try readStructure { fields throws(BusError) in
            let real = try fields.readInt64()
            let boot = Int64(clamping: try fields.readUInt64())
            let magnetic = try fields.readDouble()
            let trueHeading = try fields.readDouble()
            let accuracy = try fields.readDouble()
            let field = Vector3(try fields.readDouble(), try fields.readDouble(), try fields.readDouble())
            let orientationNumber = try fields.readUInt32()
            guard let orientation = HeadingOrientation(rawValue: orientationNumber) else {
                throw BusError(.inconsistentMessage, "a heading has the unknown orientation \(orientationNumber)")
            }
            let calibration = CalibrationQuality(rawValue: try fields.readUInt32()) ?? .unknown
            let extras = try fields.readDictionary()
            var heading = Heading(
                realMicroseconds: real, bootMicroseconds: boot, magnetic: magnetic, trueHeading: trueHeading,
                accuracy: accuracy, field: field, orientation: orientation, calibration: calibration,
                source: extras["Source"]?.stringValue.flatMap(HeadingSource.init) ?? .unknown)
            func number(_ key: String) -> Double { extras[key]?.doubleValue ?? .nan }
            heading.declination = number("Declination")
            heading.declinationAccuracy = number("DeclinationAccuracy")
            heading.model = extras["Model"]?.stringValue ?? ""
            heading.fieldStrength = number("FieldStrength")
            heading.inclination = number("Inclination")
            heading.expectedField = number("ExpectedField")
            heading.expectedInclination = number("ExpectedInclination")
            heading.disturbed = extras["Disturbed"]?.boolValue ?? false
            heading.turnRate = number("TurnRate")
            heading.pitch = number("Pitch")
            heading.roll = number("Roll")
            return heading
        }
    }
}
