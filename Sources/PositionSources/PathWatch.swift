internal import EventLoop
internal import Glibc

/// Says when something appears under a path: a receiver was plugged in, a server has made its socket.
final class PathWatch {
    private let descriptor: Int32
    private let name: String
    private let handler: () -> Void
    private var watch: Watch?

    /// Watches the folder of the path; nil if that cannot be watched. `handler` is called on the loop.
    init?(loop: EventLoop, path: String, handler: @escaping () -> Void) {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        name = String(path[path.index(after: slash)...])
        self.handler = handler
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        let flags = Int32(IN_NONBLOCK | IN_CLOEXEC)
        descriptor = inotify_init1(flags)
        guard descriptor >= 0 else { return nil }
        // Attributes: udev gives rights after the node is made.
        guard inotify_add_watch(descriptor, folder, UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB)) >= 0,
            let watch = try? loop.watch(descriptor, for: .readable, { [weak self] _ in self?.read() })
        else {
            close(descriptor)
            return nil
        }
        self.watch = watch
    }

    deinit {
        watch?.cancel()
        close(descriptor)
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return }
        var isThere = false
        var offset = 0
        // struct inotify_event: watch, mask, cookie, length of the name, name.
        while offset + 16 <= count {
            let length = buffer.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self)) }
            let end = min(count, offset + 16 + length)
            let found = String(decoding: buffer[offset + 16..<end].prefix { $0 != 0 }, as: UTF8.self)
            if found == name { isThere = true }
            offset = end
        }
        if isThere { handler() }
    }
}
