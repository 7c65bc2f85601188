/// Bytes of a recording to records, fed in pieces of any size.
///
///     decoder.feed(bytes)
///     while let record = try decoder.next() { … }
///     decoder.endInput()                          // then drain once more
///
/// Lines are held only until they are complete, and no longer than `maximumLineLength`, so memory is bounded for
/// any input if the decoder is drained between feeds. Reading a sample allocates nothing.
public struct RecordingDecoder {
    /// What happens at a defective line.
    public enum Mode: Hashable, Sendable {
        /// It is skipped, counted and listed in `defects`; only a file that is no recording at all ends reading.
        case lenient
        /// `next()` throws it and goes on throwing it.
        case strict
    }

    /// Bytes of the longest line that is read, without its line end.
    public static let maximumLineLength = 65_536

    /// What the header lines said that have been read until now; all of them once a record has been returned,
    /// except those that the recorder added in mid-file.
    public var header: RecordingHeader { parser.header }
    /// The lines skipped until now.
    public private(set) var defects = RecordingDefectLog()

    private let mode: Mode
    private var parser = RecordParser()
    private var buffer: [UInt8] = []
    /// Start of the line that is not complete yet.
    private var lineStart = 0
    /// Up to here there is no line end after `lineStart`.
    private var searched = 0
    private var lineNumber = 0
    private var isInputEnded = false
    private var isSkippingLongLine = false
    private var failure: RecordingDefect?

    /// A decoder at the beginning of a recording.
    public init(mode: Mode = .lenient) { self.mode = mode }

    /// Adds the next bytes of the input.
    public mutating func feed(_ bytes: Span<UInt8>) {
        if lineStart > 0 {
            buffer.removeSubrange(0..<lineStart)
            searched -= lineStart
            lineStart = 0
        }
        bytes.withUnsafeBufferPointer { buffer.append(contentsOf: $0) }
    }

    /// Says that no more bytes come.
    public mutating func endInput() { isInputEnded = true }

    /// The next record; nil if more bytes are needed or, after `endInput()`, at the end.
    ///
    /// Throws the defect of a line in strict mode, and in both modes that of an input which is not a recording or
    /// is one of a later major version.
    public mutating func next() throws(RecordingDefect) -> Record? {
        if let failure { throw failure }
        while let end = endOfLine() {
            let start = lineStart
            lineStart = end + 1
            searched = lineStart
            lineNumber += 1
            if isSkippingLongLine {
                isSkippingLongLine = false
                continue
            }
            do throws(RecordingDefect.Reason) {
                guard end - start <= Self.maximumLineLength else { throw .lineTooLong(limit: Self.maximumLineLength) }
                if let record = try Self.parse(buffer, start..<end, lineNumber, &parser) { return record }
            } catch {
                try report(RecordingDefect(line: lineNumber, reason: error))
            }
        }
        try handleIncompleteLine()
        return nil
    }

    // MARK: - Private

    private mutating func endOfLine() -> Int? {
        let end = Self.firstLineEnd(in: buffer, from: searched)
        if end == nil { searched = buffer.count }
        return end
    }

    private static func firstLineEnd(in buffer: borrowing [UInt8], from start: Int) -> Int? {
        let bytes = buffer.span
        var index = start
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\n") { return index }
            index += 1
        }
        return nil
    }

    /// Static, because a span of `self.buffer` in a method would keep all of `self` from being changed.
    private static func parse(
        _ buffer: borrowing [UInt8], _ range: Range<Int>, _ number: Int, _ parser: inout RecordParser
    ) throws(RecordingDefect.Reason) -> Record? {
        let line = buffer.span.extracting(range)
        if line.count > 0, line[line.count - 1] == UInt8(ascii: "\r") {
            return try parser.parse(line.extracting(droppingLast: 1), number: number)
        }
        return try parser.parse(line, number: number)
    }

    private mutating func handleIncompleteLine() throws(RecordingDefect) {
        let length = buffer.count - lineStart
        if isSkippingLongLine || length > Self.maximumLineLength {
            lineStart = buffer.count
            searched = lineStart
            guard !isSkippingLongLine else { return }
            isSkippingLongLine = true
            // Such a first line is no recording's, and may have no end.
            try report(
                RecordingDefect(
                    line: lineNumber + 1,
                    reason: lineNumber == 0 ? .notARecording : .lineTooLong(limit: Self.maximumLineLength)))
        }
        guard isInputEnded, !isSkippingLongLine else { return }
        if length > 0 {
            lineStart = buffer.count
            lineNumber += 1
            try report(RecordingDefect(line: lineNumber, reason: lineNumber == 1 ? .notARecording : .cutOff))
        } else if lineNumber == 0 {
            try report(RecordingDefect(line: 1, reason: .notARecording))
        }
    }

    private mutating func report(_ defect: RecordingDefect) throws(RecordingDefect) {
        if mode == .strict || defect.isFatal {
            failure = defect
            throw defect
        }
        defects.add(defect)
    }
}
