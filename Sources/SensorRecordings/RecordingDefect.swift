/// What is wrong with a line of a recording, and which line it is.
public struct RecordingDefect: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Error, Hashable, Sendable {
        /// The first line is not `#lmrec VERSION`: some other file.
        case notARecording
        /// A later major version of the format, or none that exists.
        case unsupportedVersion(String)
        /// A `#start` line without a UTC time.
        case malformedStart(String)
        /// A `#sensor` line without a kind.
        case malformedSensor
        /// The first field is not a count of microseconds ≥ 0.
        case malformedTime(String)
        /// The time is before that of an earlier line.
        case timeBackward(microseconds: Int64, after: Int64, ofLine: Int)
        /// The second field is no kind of record.
        case unknownKind(String)
        /// The line ends before this field.
        case missingField(String)
        /// The line goes on after the last field.
        case surplusField(String)
        /// A field that is not a number.
        case malformedNumber(field: String, text: String)
        /// A field that is NaN, infinite or beyond the range of a double.
        case notFinite(field: String)
        /// A quaternion whose length differs from 1 by more than 1 %.
        case notUnitQuaternion
        /// A text field that is not UTF-8.
        case notUTF8
        /// A text that would not fit on a line: empty, or a name with spaces.
        case unwritableText(String)
        /// The line is longer than any record.
        case lineTooLong(limit: Int)
        /// The input ends without a line end, so that the last field may be cut.
        case cutOff
    }

    /// Number of the line, from 1.
    public var line: Int
    /// What is wrong with it.
    public var reason: Reason

    /// A defect.
    public init(line: Int, reason: Reason) {
        self.line = line
        self.reason = reason
    }

    /// True if nothing after this line can be read, in lenient mode too.
    public var isFatal: Bool {
        switch reason {
        case .notARecording, .unsupportedVersion: true
        default: false
        }
    }

    /// Such as `line 12: time runs backward: 1000 after 2000 of line 11`.
    public var description: String { "line \(line): \(reason)" }
}

extension RecordingDefect.Reason: CustomStringConvertible {
    /// The reason in plain words.
    public var description: String {
        switch self {
        case .notARecording: "not a recording: the first line must be '#lmrec \(RecordingHeader.supportedMajorVersion)'"
        case .unsupportedVersion(let version):
            "version \(version) of the format is not supported, only \(RecordingHeader.supportedMajorVersion)"
        case .malformedStart(let text): "'#start \(text)' is not a UTC time such as 2026-11-30T12:00:00Z"
        case .malformedSensor: "'#sensor' needs a kind, such as '#sensor magn NAME rate=20'"
        case .malformedTime(let text): "'\(text)' is not a time in whole microseconds since the start"
        case .timeBackward(let time, let earlier, let line):
            "time runs backward: \(time) after \(earlier) of line \(line)"
        case .unknownKind(let kind): "unknown kind of record '\(kind)'"
        case .missingField(let field): "\(field) is missing"
        case .surplusField(let text): "unexpected '\(text)' after the last field"
        case .malformedNumber(let field, let text): "\(field) is not a number: '\(text)'"
        case .notFinite(let field): "\(field) is not a finite number"
        case .notUnitQuaternion: "the quaternion's length is not 1"
        case .notUTF8: "the text is not UTF-8"
        case .unwritableText(let text): "'\(text)' cannot be written as a field"
        case .lineTooLong(let limit): "longer than \(limit) bytes"
        case .cutOff: "the last line has no line end and may be cut off"
        }
    }
}
