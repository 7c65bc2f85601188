import EventLoop
import Glibc
import LocateMeDaemon
import LocateMeModel

/// Claims in a file of the runtime directory, which the service manager keeps over a restart and nothing keeps over a boot.
final class ClaimFile: ClaimStore {
    private let path: String

    /// The file in the folder that the service manager has made (`RUNTIME_DIRECTORY`); nil without one.
    init?() {
        guard let folder = getenv("RUNTIME_DIRECTORY"), folder.pointee != 0 else { return nil }
        path = String(cString: folder).split(separator: ":")[0] + "/claims"
    }

    func load() -> String? {
        guard access(path, F_OK) == 0 else { return nil }
        // One that cannot be read is as good as none.
        return try? Files.text(path)
    }

    func save(_ text: String) throws(StorageFailure) {
        let spare = path + ".new"
        let descriptor = open(spare, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageFailure("'\(spare)': \(Errno.current)") }
        var bytes = Array(text.utf8)
        let isWritten = write(descriptor, &bytes, bytes.count) == bytes.count
        let error = Errno.current
        close(descriptor)
        guard isWritten else { throw StorageFailure("'\(spare)': \(error)") }
        guard rename(spare, path) == 0 else { throw StorageFailure("'\(path)': \(Errno.current)") }
    }
}
