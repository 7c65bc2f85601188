internal import Geometry
internal import LocateMeModel

/// Records to the bytes of a recording. Doubles are written with as many digits as their exact value needs, so
/// that reading gives the same records back.
///
/// Not part of the format, hence lost: flags, source, satellites, sequence and ellipsoidal height of a fix, and a real
/// time of a fix other than what `#start` and `time` records say.
public struct RecordingEncoder {
    /// Encoded and not yet taken: whole lines.
    public private(set) var bytes: [UInt8] = []

    private var lineNumber = 0
    private var latestTime: Int64 = 0
    private var latestLine = 0

    /// An encoder that has written the header. Line breaks in its texts become spaces, as do spaces in kinds and facts.
    public init(header: RecordingHeader) {
        line("#lmrec \(RecordingHeader.supportedMajorVersion)")
        if let start = header.startRealMicroseconds {
            line("#start " + UTCDate(realMicroseconds: start).iso8601)
        }
        if let device = header.device { line("#device " + device) }
        for stream in header.streams { append(stream) }
        for note in header.notes { line("#note " + note) }
    }

    /// Writes a `#note` line.
    public mutating func append(note: String) { line("#note " + note) }

    /// Writes a `#sensor` line, for a sensor that appeared after the header was written.
    public mutating func append(_ stream: RecordingHeader.Stream) {
        func word(_ text: String) -> String { String(text.map { $0.isWhitespace ? "_" : $0 }) }
        var text = "#sensor " + word(stream.kind)
        if !stream.name.isEmpty { text += " " + String(stream.name.map { $0 == "=" ? "_" : $0 }) }
        for fact in stream.facts { text += " " + word(fact.key) + "=" + word(fact.value) }
        line(text)
    }

    /// Writes a record. Throws, and writes nothing, if a reader would report the line: a number that is not finite, a time
    /// before that of an earlier record or below 0, a quaternion that is none, a text that is empty or does not fit.
    public mutating func append(_ record: Record) throws(RecordingDefect) {
        let start = bytes.count
        do throws(RecordingDefect.Reason) {
            try write(record)
        } catch {
            bytes.removeSubrange(start...)
            throw RecordingDefect(line: lineNumber + 1, reason: error)
        }
        bytes.append(UInt8(ascii: "\n"))
        lineNumber += 1
        latestTime = record.microseconds
        latestLine = lineNumber
    }

    /// Forgets what is in `bytes`, after it has been stored, and keeps the memory.
    public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    // MARK: - Private

    private mutating func write(_ record: Record) throws(RecordingDefect.Reason) {
        let time = record.microseconds
        guard time >= latestTime else {
            if time < 0 { throw .malformedTime(String(time)) }
            throw .timeBackward(microseconds: time, after: latestTime, ofLine: latestLine)
        }
        guard time < 100_000_000_000_000_000 else { throw .malformedTime(String(time)) }
        put(String(time))
        switch record.content {
        case .sample(let sample): try write(sample.reading)
        case .fix(let fix): try write(fix)
        case .noFix: put(" nofix")
        case .time(let realMicroseconds):
            guard abs(realMicroseconds) < 100_000_000_000_000_000 else {
                throw .malformedNumber(field: "time", text: String(realMicroseconds))
            }
            put(" time ")
            put(String(realMicroseconds))
        case .truth(let attitude):
            put(" truth")
            try write(attitude)
        case .peer(let name, let attitude):
            guard !name.isEmpty, !name.contains(where: \.isWhitespace) else { throw .unwritableText(name) }
            put(" peer ")
            put(name)
            try write(attitude)
        case .event(let event):
            guard RecordingEvent(text: event.text) == event else { throw .unwritableText(event.text) }
            try write(word: " event ", text: event.text)
        case .mark(let text): try write(word: " mark ", text: text)
        }
    }

    private mutating func write(_ reading: SensorSample.Reading) throws(RecordingDefect.Reason) {
        switch reading {
        case .magneticField(let field): try write(" magn", field)
        case .acceleration(let acceleration): try write(" accel", acceleration)
        case .angularRate(let rate): try write(" gyro", rate)
        case .hubHeading(let degrees, let accuracy):
            put(" hub")
            try write(degrees, "heading")
            if accuracy.isNaN { put(" -") } else { try write(accuracy, "accuracy") }
        case .temperature(let degreesCelsius):
            put(" temp")
            try write(degreesCelsius, "degrees")
        }
    }

    private mutating func write(_ fix: Fix) throws(RecordingDefect.Reason) {
        put(" fix")
        try write(fix.latitude, "lat")
        try write(fix.longitude, "lon")
        // 0 says "unknown", see Record.Content.fix; a negative accuracy says "invalid" and is kept.
        try write(fix.horizontalAccuracy, "hacc", isKnown: fix.horizontalAccuracy != 0)
        let hasAltitude = fix.verticalAccuracy >= 0 && fix.altitude.isFinite
        try write(fix.altitude, "alt", isKnown: hasAltitude)
        try write(fix.verticalAccuracy, "vacc", isKnown: hasAltitude && fix.verticalAccuracy > 0)
        try write(fix.speed, "speed", isKnown: fix.speed >= 0)
        try write(fix.speedAccuracy, "speedacc", isKnown: fix.speedAccuracy >= 0)
        try write(fix.course, "course", isKnown: fix.course >= 0)
        try write(fix.courseAccuracy, "courseacc", isKnown: fix.courseAccuracy >= 0)
    }

    private mutating func write(_ attitude: Quaternion) throws(RecordingDefect.Reason) {
        let squaredLength =
            attitude.w * attitude.w + attitude.x * attitude.x + attitude.y * attitude.y + attitude.z * attitude.z
        guard squaredLength > 0.99 * 0.99, squaredLength < 1.01 * 1.01 else { throw .notUnitQuaternion }
        try write(attitude.w, "qw")
        try write(attitude.x, "qx")
        try write(attitude.y, "qy")
        try write(attitude.z, "qz")
    }

    private mutating func write(_ kind: String, _ vector: Vector3) throws(RecordingDefect.Reason) {
        put(kind)
        try write(vector.x, "x")
        try write(vector.y, "y")
        try write(vector.z, "z")
    }

    private mutating func write(
        _ value: Double, _ field: String, isKnown: Bool = true
    ) throws(RecordingDefect.Reason) {
        guard isKnown else {
            put(" -")
            return
        }
        guard value.isFinite else { throw .notFinite(field: field) }
        put(" ")
        let text = value.description
        put(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    private mutating func write(word: String, text: String) throws(RecordingDefect.Reason) {
        let singleLine = Self.singleLine(text)
        guard !singleLine.isEmpty, singleLine.utf8.count <= 4096 else { throw .unwritableText(singleLine) }
        put(word)
        put(singleLine)
    }

    private mutating func line(_ text: String) {
        put(Self.singleLine(text))
        bytes.append(UInt8(ascii: "\n"))
        lineNumber += 1
    }

    private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private static func singleLine(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }
}
