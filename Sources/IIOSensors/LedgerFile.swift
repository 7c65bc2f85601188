internal import Glibc

/// The ledger on disk: a text file, one line for each changed attribute, that is only valid for the boot in which it was
/// written. Locked against a second process as long as it exists.
///
/// `Sendable` is sound: all that is stored never changes, and the owner calls one method at a time.
final class LedgerFile: Sendable {
    private static let limit = 65_536
    private let path: String
    private let lock: Int32

    /// The file `sensor-settings` of a folder; nil if it cannot be locked.
    init?(directory: String) {
        path = directory + "/sensor-settings"
        lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { return nil }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            return nil
        }
    }

    deinit { close(lock) }

    /// What the file says; nothing if there is none, it is damaged, or of another boot.
    func read() -> [DeviceSetting: String] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [:] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.limit)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0, count < Self.limit, let text = String(validating: bytes[..<count], as: UTF8.self) else {
            return [:]
        }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: true)[...]
        guard let first = lines.popFirst(), Self.isOfThisBoot(first) else { return [:] }
        var settings: [DeviceSetting: String] = [:]
        for line in lines {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 5 else { return [:] }
            settings[DeviceSetting(uri: fields[0], device: fields[1], name: fields[2], attribute: fields[3])] =
                fields[4]
        }
        return settings
    }

    /// Replaces the file in one step; removes it if there is nothing to say. A failure costs only the repair after a
    /// crash, and there is nobody to tell on a worker's thread.
    func write(_ settings: [DeviceSetting: String]) {
        guard !settings.isEmpty else {
            _ = unlink(path)
            return
        }
        var text = Self.boot() + "\n"
        for (setting, original) in settings {
            let fields = [setting.uri, setting.device, setting.name, setting.attribute, original]
            guard !fields.contains(where: { $0.contains("\t") || $0.contains("\n") }) else { continue }
            text += fields.joined(separator: "\t") + "\n"
        }
        let new = path + ".new"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let bytes = Array(text.utf8)
        let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count
        close(descriptor)
        if isWritten { _ = rename(new, path) } else { _ = unlink(new) }
    }

    // MARK: - Private

    /// The kernel's id of this boot, or, where /proc is closed to services, the time of the boot.
    private static func boot() -> String {
        let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        if descriptor >= 0 {
            defer { close(descriptor) }
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count > 0 { return "boot " + AttributeText.trimmed(String(decoding: bytes[..<count], as: UTF8.self)) }
        }
        return "booted \(bootSeconds())"
    }

    private static func bootSeconds() -> Int64 { -(Monitor.bootShift(ofIIOClock: "realtime") ?? 0) / 1_000_000 }

    private static func isOfThisBoot(_ line: Substring) -> Bool {
        if line == boot() { return true }
        // The clock may have been corrected meanwhile, by a little.
        guard line.hasPrefix("booted "), let seconds = Int64(line.dropFirst(7)) else { return false }
        return abs(seconds - bootSeconds()) < 300
    }
}
