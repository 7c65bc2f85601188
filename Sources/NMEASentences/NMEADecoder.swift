/// Bytes of a wire to sentences; allocates nothing once it is made. Whatever stands outside of `$`…line end (echoes of
/// a modem, noise, half a line) is passed over, and memory is what one sentence takes.
public struct NMEADecoder: Sendable {
    /// What to do with sentences that have no checksum.
    public enum ChecksumRule: Hashable, Sendable {
        /// They are dropped.
        case required
        /// They are taken: for instruments that never send any. A wrong checksum is wrong all the same.
        case optional
    }

    /// The standard says 82 bytes, makers write more.
    public static let longestSentence = 255

    /// The rule in force.
    public let checksumRule: ChecksumRule
    /// Sound sentences so far, those of no use here included.
    public private(set) var sentences = 0
    /// The latest defect.
    public private(set) var latestDefect: NMEADefect?

    private var defects = InlineArray<9, Int>(repeating: 0)
    private var buffer = [UInt8](repeating: 0, count: longestSentence)
    private var length = 0
    private var isInside = false
    private var isEncapsulated = false

    /// A decoder that waits for the beginning of a sentence.
    public init(checksumRule: ChecksumRule = .required) { self.checksumRule = checksumRule }

    /// Number of lines dropped for a reason.
    public func count(of defect: NMEADefect) -> Int { defects[defect.rawValue] }

    /// Number of lines dropped.
    public var dropped: Int {
        var sum = 0
        for index in defects.indices { sum += defects[index] }
        return sum
    }

    /// Takes bytes from `index` on, up to the end of the next sentence that says something, and returns that; nil when all
    /// are taken. `index` then stands behind what was taken.
    public mutating func next(in bytes: Span<UInt8>, from index: inout Int) -> NMEASentence? {
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if isInside, byte > 0x1f, byte < 0x7f, byte != UInt8(ascii: "$"), byte != UInt8(ascii: "!") {
                guard length < Self.longestSentence else {
                    drop(.tooLong)
                    continue
                }
                buffer[length] = byte
                length += 1
            } else if isInside || byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!"),
                let sentence = takeSpecial(byte)
            {
                return sentence
            }
        }
        return nil
    }

    /// Forgets an unfinished sentence, for a new connection.
    public mutating func reset() { isInside = false }

    /// Completes a sentence that the end of a file has cut off from its line end.
    public mutating func finish() -> NMEASentence? { isInside ? complete() : nil }

    // MARK: - Private

    private mutating func takeSpecial(_ byte: UInt8) -> NMEASentence? {
        switch byte {
        case UInt8(ascii: "$"), UInt8(ascii: "!"):
            // Two sentences on a line are both good if the first was complete.
            let sentence = isInside ? completeOrCut() : nil
            isInside = true
            isEncapsulated = byte == UInt8(ascii: "!")
            length = 0
            return sentence
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return isInside ? complete() : nil
        default:
            if isInside { drop(.strangeByte) }
            return nil
        }
    }

    private mutating func completeOrCut() -> NMEASentence? {
        guard length >= 3, buffer[length - 3] == UInt8(ascii: "*") else {
            drop(.cutOff)
            return nil
        }
        return complete()
    }

    private mutating func complete() -> NMEASentence? {
        isInside = false
        do throws(NMEADefect) {
            let end = try checkedLength()
            // AIS reports and other encapsulated data say nothing of this vessel's receiver.
            let sentence = isEncapsulated ? .other : try SentenceParser.parse(buffer.span, length: end)
            sentences += 1
            if case .other = sentence { return nil }
            return sentence
        } catch {
            drop(error)
            return nil
        }
    }

    /// The length without the checksum, which is right.
    private func checkedLength() throws(NMEADefect) -> Int {
        var end = length
        while end > 0, buffer[end - 1] == UInt8(ascii: " ") { end -= 1 }
        var sum: UInt8 = 0
        var index = 0
        while index < end, buffer[index] != UInt8(ascii: "*") {
            sum ^= buffer[index]
            index += 1
        }
        guard index < end else {
            guard checksumRule == .optional else { throw .checksumMissing }
            return end
        }
        guard end - index == 3, let high = Self.digit(buffer[index + 1]), let low = Self.digit(buffer[index + 2]) else {
            throw .checksumMalformed
        }
        guard high << 4 | low == sum else { throw .checksumWrong }
        return index
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    private mutating func drop(_ defect: NMEADefect) {
        isInside = false
        defects[defect.rawValue] += 1
        latestDefect = defect
    }
}
