internal import EventLoop
internal import Glibc

/// Small files, read and written whole.
enum WholeFile {
    /// The bytes of a file of at most `limit` bytes.
    static func read(_ path: String, limit: Int = 16 << 20) throws(CommandError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", path, Errno.current) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while true {
            let length = bytes.count
            let room = 65_536
            bytes.append(contentsOf: repeatElement(0, count: room))
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: length), room)
            }
            let error = Errno.current
            bytes.removeLast(room - max(0, count))
            if count == 0 { return bytes }
            if count < 0, error.rawValue != EINTR { throw failure("read", path, error) }
            guard bytes.count <= limit else {
                throw CommandError(.failure, "'\(path)' is larger than \(limit) bytes", remedy: "Is it the right file?")
            }
        }
    }

    /// Replaces a file at once: readers see the old text or the new one, never a part, whatever happens.
    static func replace(_ path: String, with text: String) throws(CommandError) {
        let temporary = "\(path).\(getpid()).new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure("write", path, Errno.current) }
        let output = TextOutput(descriptor: descriptor)
        output.write(text)
        output.flush()
        var error = output.failure
        if error == nil, fsync(descriptor) != 0 { error = Errno.current }
        if close(descriptor) != 0, error == nil { error = Errno.current }
        if error == nil, rename(temporary, path) != 0 { error = Errno.current }
        guard let error else { return }
        unlink(temporary)
        throw failure("write", path, error)
    }

    private static func failure(_ verb: String, _ path: String, _ error: Errno) -> CommandError {
        CommandError(.failure, "cannot \(verb) '\(path)': \(error)", remedy: "Check the name and its permissions.")
    }
}
