internal import EventLoop
internal import Glibc
internal import SensorRecordings

/// The bytes of a plain or gzip-compressed file, told apart by content, in chunks.
final class ByteReader {
    private enum Format { case unknown, plain, gzip }

    private let path: String
    private let descriptor: Descriptor
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
    /// The part of `input` that is not used yet.
    private var pending = 0..<0
    private var isAtEnd = false
    private var format = Format.unknown
    private var inflater: Inflater?
    private var isBetweenMembers = false
    private var damage: RecordingFileError?

    init(path: String, displayName: String) throws(RecordingFileError) {
        self.path = displayName
        do throws(Errno) {
            descriptor = path == "-" ? Descriptor(standard: STDIN_FILENO) : try Descriptor(path: path, flags: O_RDONLY)
        } catch {
            input.deallocate()
            output.deallocate()
            throw RecordingFileError(.cannotOpen, path: displayName, underlying: error)
        }
    }

    deinit {
        input.deallocate()
        output.deallocate()
    }

    /// Feeds the next bytes to the decoder; false at the end. A damaged stream first gives what can be read.
    func read(into decoder: inout RecordingDecoder) throws(RecordingFileError) -> Bool {
        if let damage { throw damage }
        if format == .unknown { try detectFormat() }
        if format == .gzip { return try readCompressed(into: &decoder) }
        if pending.isEmpty { try fill() }
        guard !pending.isEmpty else { return false }
        feed(input, pending, to: &decoder)
        pending = 0..<0
        return true
    }

    // MARK: - Private

    private func detectFormat() throws(RecordingFileError) {
        while pending.count < 2, !isAtEnd { try fill() }
        format = isGzipMember ? .gzip : .plain
        guard format == .gzip else { return }
        inflater = Inflater()
        guard inflater != nil else { throw RecordingFileError(.outOfMemory, path: path) }
    }

    /// RFC 1952: a member begins with 1f 8b.
    private var isGzipMember: Bool {
        pending.count >= 2 && input[pending.lowerBound] == 0x1f && input[pending.lowerBound + 1] == 0x8b
    }

    private func readCompressed(into decoder: inout RecordingDecoder) throws(RecordingFileError) -> Bool {
        while true {
            if isBetweenMembers, try !beginMember() { return false }
            if pending.isEmpty { try fill() }
            if pending.isEmpty { throw RecordingFileError(.truncated, path: path) }
            guard
                let step = inflater?.step(UnsafeMutableRawBufferPointer(rebasing: input[pending]), into: output)
            else { return false }
            pending = pending.lowerBound + step.taken..<pending.upperBound
            switch step.outcome {
            case .progress: break
            case .endOfMember: isBetweenMembers = true
            case .corrupt(let words): damage = RecordingFileError(.corrupt, path: path, detail: words)
            }
            if step.made > 0 {
                feed(output, 0..<step.made, to: &decoder)
                return true
            }
            if let damage { throw damage }
        }
    }

    /// False at the end of the file. Zeros after a member are padding (gzip pads on tapes); anything else that is no
    /// member is damage.
    private func beginMember() throws(RecordingFileError) -> Bool {
        while true {
            while let first = pending.first, input[first] == 0 { pending = first + 1..<pending.upperBound }
            if pending.count >= 2 || isAtEnd { break }
            try fill()
        }
        guard !pending.isEmpty else { return false }
        guard isGzipMember else {
            throw RecordingFileError(.corrupt, path: path, detail: "other data after the end")
        }
        inflater?.reset()
        isBetweenMembers = false
        return true
    }

    /// Adds bytes to `pending`, or sets `isAtEnd`.
    private func fill() throws(RecordingFileError) {
        guard !isAtEnd else { return }
        if pending.isEmpty {
            pending = 0..<0
        } else if pending.upperBound == input.count {
            input.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[pending]))
            pending = 0..<pending.count
        }
        do throws(Errno) {
            let space = UnsafeMutableRawBufferPointer(rebasing: input[pending.upperBound...])
            let count = try descriptor.read(into: space)
            isAtEnd = count == 0
            pending = pending.lowerBound..<pending.upperBound + count
        } catch {
            throw RecordingFileError(.cannotRead, path: path, underlying: error)
        }
    }

    private func feed(
        _ buffer: UnsafeMutableRawBufferPointer, _ range: Range<Int>, to decoder: inout RecordingDecoder
    ) {
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[range]).assumingMemoryBound(to: UInt8.self)
        decoder.feed(bytes.span)
    }
}
