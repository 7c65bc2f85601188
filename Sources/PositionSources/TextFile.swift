internal import EventLoop
internal import Glibc

/// Small files as text.
enum TextFile {
    /// The text of a regular file of at most `limit` bytes; EFBIG if it is longer, EINVAL if it is no regular file, EILSEQ if
    /// it is not UTF-8. Opened without blocking, so that a pipe in its place cannot stop the loop.
    static func read(_ path: String, limit: Int) throws(Errno) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw Errno.current }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Errno.current }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Errno(rawValue: EINVAL) }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var length = 0
        while length < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress?.advanced(by: length), buffer.count - length)
            }
            if count == 0 { break }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw Errno.current
            }
            length += count
        }
        guard length <= limit else { throw Errno(rawValue: EFBIG) }
        guard let text = String(validating: bytes[..<length], as: UTF8.self) else { throw Errno(rawValue: EILSEQ) }
        return text
    }
}
