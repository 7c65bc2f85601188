/// Why a line was dropped. Eight bits of checksum let one damaged line in 256 through, so every field is checked too.
public enum NMEADefect: Int, Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// No `*` with a checksum where one is required.
    case checksumMissing
    /// Not exactly two hexadecimal digits after `*`.
    case checksumMalformed
    /// The checksum is another one.
    case checksumWrong
    /// Longer than any sentence.
    case tooLong
    /// Control characters or bytes above 126 inside.
    case strangeByte
    /// The next sentence began before this one had ended.
    case cutOff
    /// No address of five capital letters or digits, or fewer fields than the type has.
    case malformed
    /// A field is not what its place demands: no number, 81 minutes, a hemisphere `1`.
    case fieldMalformed
    /// Well-formed and impossible: a speed that no receiver measures.
    case implausible

    /// In plain words.
    public var description: String {
        switch self {
        case .checksumMissing: "no checksum"
        case .checksumMalformed: "malformed checksum"
        case .checksumWrong: "wrong checksum"
        case .tooLong: "too long"
        case .strangeByte: "strange bytes"
        case .cutOff: "cut off"
        case .malformed: "malformed sentence"
        case .fieldMalformed: "malformed field"
        case .implausible: "implausible value"
        }
    }
}
