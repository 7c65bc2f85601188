internal import CZlib

/// Compression to one gzip member, over zlib's `deflate`.
struct Deflater: ~Copyable {
    /// How far the output must go.
    enum Flush {
        /// Everything given until now can be decompressed from what was put out.
        case sync
        /// The member is closed with its checksum.
        case finish

        fileprivate var code: Int32 { self == .sync ? Z_SYNC_FLUSH : Z_FINISH }
    }

    // zlib keeps the address of the structure, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Nil if there is no memory.
    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 bits of window; + 16: gzip; 8: zlib's default memory level.
        let status = deflateInit2_(
            stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        // Z_DATA_ERROR says that the member was not finished, which is the caller's decision.
        _ = deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses all of `input` and appends what comes out.
    mutating func compress(_ input: [UInt8], _ flush: Flush, into output: inout [UInt8]) {
        // deflate reads but never writes through next_in.
        var input = input
        input.withUnsafeMutableBufferPointer { bytes in
            stream.pointee.next_in = bytes.baseAddress
            stream.pointee.avail_in = UInt32(bytes.count)
            repeat {
                let room = 65_536
                output.append(contentsOf: repeatElement(0, count: room))
                output.withUnsafeMutableBufferPointer { space in
                    stream.pointee.next_out = space.baseAddress?.advanced(by: space.count - room)
                    stream.pointee.avail_out = UInt32(room)
                    // Z_BUF_ERROR only says that there was nothing left to do.
                    _ = deflate(stream, flush.code)
                }
                output.removeLast(Int(stream.pointee.avail_out))
            } while stream.pointee.avail_out == 0
        }
        stream.pointee.next_in = nil
    }
}
