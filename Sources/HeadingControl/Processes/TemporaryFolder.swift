internal import EventLoop
internal import Glibc

/// A private folder for files with known names.
final class TemporaryFolder {
    /// Its path.
    let path: String
    private var names: [String] = []

    /// Creates it in TMPDIR or /tmp.
    init(environment: (String) -> String?) throws(CommandError) {
        let parent = environment("TMPDIR") ?? "/tmp"
        var template = Array(("\(parent)/headingctl." + String(repeating: "X", count: 6)).utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandError(
                .failure, "cannot create a folder in '\(parent)': \(Errno.current)",
                remedy: "Set TMPDIR to a folder that can be written.")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { remove() }

    /// Removes the files that were named, then the folder if nothing else is in it. Idempotent.
    func remove() {
        for name in names.reversed() {
            let file = "\(path)/\(name)"
            if unlink(file) != 0 { rmdir(file) }
        }
        names = []
        rmdir(path)
    }

    /// The path of a file in it, which will be removed with the folder.
    func file(_ name: String) -> String {
        names.append(name)
        return "\(path)/\(name)"
    }
}
