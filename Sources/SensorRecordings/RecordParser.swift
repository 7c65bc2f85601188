internal import Geometry
internal import LocateMeModel

/// One line to one record, and what must be remembered from line to line: the header, the latest time, and which
/// wall-clock time belongs to it.
struct RecordParser {
    private(set) var header = RecordingHeader()
    private var hasVersion = false
    private var latestTime: Int64 = 0
    private var latestLine = 0
    /// Wall-clock time minus time since the start, in microseconds.
    private var realOffset: Int64?

    /// Parses one line without its line end. Nil for a comment, a header line and an empty line.
    mutating func parse(_ line: Span<UInt8>, number: Int) throws(RecordingDefect.Reason) -> Record? {
        if !hasVersion {
            try parseVersion(line)
            hasVersion = true
            return nil
        }
        guard line.count > 0 else { return nil }
        if line[0] == UInt8(ascii: "#") {
            try parseHeaderLine(line)
            return nil
        }
        var scanner = LineScanner()
        let time = try scanner.time(in: line)
        guard time >= latestTime else {
            throw .timeBackward(microseconds: time, after: latestTime, ofLine: latestLine)
        }
        let content = try parseContent(line, &scanner, time: time)
        latestTime = time
        latestLine = number
        return Record(microseconds: time, content: content, line: number)
    }

    // MARK: - Records

    private mutating func parseContent(
        _ line: Span<UInt8>, _ scanner: inout LineScanner, time: Int64
    ) throws(RecordingDefect.Reason) -> Record.Content {
        let kind = try scanner.wordRange("kind", in: line)
        if let reading = try parseReading(line, kind, &scanner) {
            try scanner.end(in: line)
            return .sample(SensorSample(bootMicroseconds: time, reading: reading))
        }
        let content: Record.Content
        if LineScanner.equals(line, kind, "truth") {
            content = .truth(try scanner.quaternion(in: line))
        } else if LineScanner.equals(line, kind, "peer") {
            let name = try scanner.word("name", in: line)
            content = .peer(name: name, attitude: try scanner.quaternion(in: line))
        } else if LineScanner.equals(line, kind, "fix") {
            content = .fix(try parseFix(line, &scanner, time: time))
        } else if LineScanner.equals(line, kind, "nofix") {
            content = .noFix
        } else if LineScanner.equals(line, kind, "time") {
            let realTime = try scanner.realTime(in: line)
            realOffset = realTime - time
            content = .time(realMicroseconds: realTime)
        } else if LineScanner.equals(line, kind, "event") {
            guard let event = RecordingEvent(text: try scanner.rest("word", in: line)) else {
                throw .missingField("kind after plug or unplug")
            }
            content = .event(event)
        } else if LineScanner.equals(line, kind, "mark") {
            content = .mark(try scanner.rest("word", in: line))
        } else {
            throw .unknownKind(DecimalText.text(in: line, kind.lowerBound..<min(kind.upperBound, kind.lowerBound + 40)))
        }
        try scanner.end(in: line)
        return content
    }

    private func parseReading(
        _ line: Span<UInt8>, _ kind: Range<Int>, _ scanner: inout LineScanner
    ) throws(RecordingDefect.Reason) -> SensorSample.Reading? {
        if LineScanner.equals(line, kind, "gyro") { return .angularRate(try scanner.vector(in: line)) }
        if LineScanner.equals(line, kind, "accel") { return .acceleration(try scanner.vector(in: line)) }
        if LineScanner.equals(line, kind, "magn") { return .magneticField(try scanner.vector(in: line)) }
        if LineScanner.equals(line, kind, "temp") {
            return .temperature(degreesCelsius: try scanner.number("degrees", in: line))
        }
        if LineScanner.equals(line, kind, "hub") {
            let heading = try scanner.number("heading", in: line)
            let accuracy = try scanner.optionalNumber("accuracy", in: line)
            return .hubHeading(degrees: heading, accuracyDegrees: accuracy ?? .nan)
        }
        return nil
    }

    private func parseFix(
        _ line: Span<UInt8>, _ scanner: inout LineScanner, time: Int64
    ) throws(RecordingDefect.Reason) -> Fix {
        let latitude = try scanner.number("lat", in: line)
        let longitude = try scanner.number("lon", in: line)
        let horizontalAccuracy = try scanner.optionalNumber("hacc", in: line)
        var fix = Fix(
            realMicroseconds: realOffset.map { $0 + time } ?? 0, bootMicroseconds: time, latitude: latitude,
            longitude: longitude, horizontalAccuracy: horizontalAccuracy ?? 0)
        let altitude = try scanner.optionalNumber("alt", in: line)
        let verticalAccuracy = try scanner.optionalNumber("vacc", in: line)
        fix.altitude = altitude ?? .nan
        fix.ellipsoidalAltitude = .nan
        fix.verticalAccuracy = altitude == nil ? -1 : verticalAccuracy ?? 0
        fix.speed = try scanner.optionalNumber("speed", in: line) ?? -1
        fix.speedAccuracy = try scanner.optionalNumber("speedacc", in: line) ?? -1
        fix.course = try scanner.optionalNumber("course", in: line) ?? -1
        fix.courseAccuracy = try scanner.optionalNumber("courseacc", in: line) ?? -1
        return fix
    }

    // MARK: - Header

    private mutating func parseVersion(_ line: Span<UInt8>) throws(RecordingDefect.Reason) {
        var text = DecimalText.text(in: line, 0..<min(line.count, 64))
        // Some editors put a byte order mark in front.
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.first == "#lmrec", words.count == 2 else { throw .notARecording }
        let numbers = words[1].split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.count <= 2, let major = Int(numbers[0]), let minor = numbers.count == 2 ? Int(numbers[1]) : 0,
            major == RecordingHeader.supportedMajorVersion, minor >= 0
        else { throw .unsupportedVersion(String(words[1])) }
        header.majorVersion = major
        header.minorVersion = minor
    }

    private mutating func parseHeaderLine(_ line: Span<UInt8>) throws(RecordingDefect.Reason) {
        let text = DecimalText.text(in: line, 0..<line.count)
        let parts = text.split(separator: " ", maxSplits: 1)
        let rest = parts.count > 1 ? String(parts[1]) : ""
        switch parts.first {
        case "#start":
            guard let date = UTCDate(iso8601: rest) else { throw .malformedStart(rest) }
            header.startRealMicroseconds = date.realMicroseconds
            if realOffset == nil { realOffset = date.realMicroseconds }
        case "#device": header.device = rest
        case "#sensor": header.streams.append(try Self.parseStream(rest))
        case "#note": header.notes.append(rest)
        default: break
        }
    }

    private static func parseStream(_ text: String) throws(RecordingDefect.Reason) -> RecordingHeader.Stream {
        var words = text.split(separator: " ").map(String.init)
        guard let kind = words.first else { throw .malformedSensor }
        words.removeFirst()
        var name: [String] = []
        var facts: [RecordingHeader.Fact] = []
        for word in words {
            guard let separator = word.firstIndex(of: "=") else {
                name.append(word)
                continue
            }
            facts.append(
                RecordingHeader.Fact(
                    key: String(word[..<separator]), value: String(word[word.index(after: separator)...])))
        }
        return RecordingHeader.Stream(kind: kind, name: name.joined(separator: " "), facts: facts)
    }
}
