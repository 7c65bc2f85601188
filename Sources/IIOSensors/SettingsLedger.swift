/// Remembers what device attributes held before they were changed, so that they can be put back. Several workers
/// may use one attribute, such as the rate of a shared timer trigger: the first to change it leaves the value,
/// the last to go gets it back.
///
/// `@unchecked Sendable` is sound: `entries` is only touched with the monitor held.
final class SettingsLedger: @unchecked Sendable {
    private let monitor = Monitor()
    private var entries: [String: (original: String, users: Int)] = [:]

    /// Says that the attribute `key` is in use and holds `current`, unless somebody has changed it already.
    func use(_ key: String, current: String) {
        monitor.locked {
            entries[key, default: (current, 0)].users += 1
        }
    }

    /// Says that it is no longer in use by one user: the original value if that was the last one.
    func release(_ key: String) -> String? {
        monitor.locked {
            guard var entry = entries[key] else { return nil }
            entry.users -= 1
            entries[key] = entry.users > 0 ? entry : nil
            return entry.users > 0 ? nil : entry.original
        }
    }
}
