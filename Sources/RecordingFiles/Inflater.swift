internal import CZlib

/// Decompression of gzip data of any number of members, over zlib's `inflate`.
struct Inflater: ~Copyable {
    /// What one step led to.
    enum Outcome {
        /// Output was made or input was taken; go on.
        case progress
        /// The member is complete and its checksum right.
        case endOfMember
        /// The data are damaged; zlib's words.
        case corrupt(String)
    }

    // zlib keeps the address of the structure, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Nil if there is no memory.
    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 bits of window; + 16: gzip and nothing else.
        guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Decompresses as much of `input` as fits into `output`; says how much was taken and made.
    mutating func step(
        _ input: UnsafeMutableRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> (outcome: Outcome, taken: Int, made: Int) {
        stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(output.count)
        let status = inflate(stream, Z_NO_FLUSH)
        let taken = input.count - Int(stream.pointee.avail_in)
        let made = output.count - Int(stream.pointee.avail_out)
        switch status {
        case Z_STREAM_END: return (.endOfMember, taken, made)
        case Z_OK, Z_BUF_ERROR: return (.progress, taken, made)
        default:
            let words = stream.pointee.msg.map { String(cString: $0) } ?? "error \(status)"
            return (.corrupt(words), taken, made)
        }
    }

    /// Gets ready for the next member.
    mutating func reset() {
        // Fails only for a structure that is not initialised.
        _ = inflateReset(stream)
    }
}
