/// Cuts a byte stream into lines. A line longer than the limit is dropped as it comes, so memory is bounded.
struct LineBuffer {
    private let limit: Int
    private var bytes: [UInt8] = []
    private var isSkipping = false
    /// Number of lines dropped for their length.
    private(set) var droppedLines = 0

    /// Lines of at most so many bytes.
    init(limit: Int) { self.limit = limit }

    /// Calls `line` for each line that the next bytes complete, without its line end.
    mutating func append(_ chunk: UnsafeRawBufferPointer, _ line: (_ bytes: [UInt8]) -> Void) {
        for byte in chunk {
            if byte == UInt8(ascii: "\n") {
                if isSkipping { isSkipping = false } else { line(bytes) }
                bytes.removeAll(keepingCapacity: true)
            } else if !isSkipping {
                bytes.append(byte)
                if bytes.count > limit {
                    droppedLines += 1
                    isSkipping = true
                    bytes.removeAll(keepingCapacity: true)
                }
            }
        }
    }
}
