import EventLoop
import Glibc
import LocateMeDaemon

/// Small files that are read whole.
enum Files {
    /// The bytes of a file of at most `limit` bytes. Throws a `UsageError` that names the file.
    static func read(_ path: String, limit: Int) throws(UsageError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw UsageError("cannot open '\(path)': \(Errno.current)") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw UsageError("cannot read '\(path)': \(Errno.current)") }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= limit else { throw UsageError("'\(path)' is larger than \(limit) bytes") }
        }
    }

    /// The text of a configuration file. Throws a `UsageError` if it is not UTF-8.
    static func text(_ path: String) throws(UsageError) -> String {
        let bytes = try read(path, limit: 1 << 20)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UsageError("'\(path)' is not UTF-8 text")
        }
        return text
    }

    /// Makes a folder that only its owner may enter, with those above it as far as they are missing.
    static func makeDirectory(_ path: String) throws(UsageError) {
        var prefix = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            prefix += part
            guard mkdir(prefix, 0o700) == 0 || errno == EEXIST else {
                throw UsageError("cannot make the folder '\(prefix)': \(Errno.current)")
            }
            prefix += "/"
        }
    }

    /// The names in a folder that end in `suffix`, sorted; none if there is no such folder.
    static func names(in folder: String, suffix: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(suffix) { names.append(name) }
        }
        return names.sorted()
    }
}
