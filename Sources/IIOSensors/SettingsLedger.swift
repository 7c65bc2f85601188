/// Remembers what device attributes held before they were changed, so that they can be put back. Several workers
/// may use one attribute, such as the rate of a shared timer trigger: the first to change it leaves the value,
/// the last to go gets it back.
///
/// With a file, what is not put back by a process that was killed is known to the next one, which does it.
///
/// `@unchecked Sendable` is sound: `entries` and `leftovers` are only touched with the monitor held.
final class SettingsLedger: @unchecked Sendable {
    private let monitor = Monitor()
    private let file: LedgerFile?
    private var entries: [DeviceSetting: (original: String, users: Int)] = [:]
    private var leftovers: [DeviceSetting: String]

    /// A ledger that is kept in a file of a folder; in memory alone if the folder is nil, cannot be written, or is in
    /// use by another process.
    init(directory: String? = nil) {
        file = directory.flatMap { LedgerFile(directory: $0) }
        leftovers = file?.read() ?? [:]
    }

    /// Says that the attribute is in use and holds `current`, unless somebody has changed it already.
    func use(_ setting: DeviceSetting, current: String) {
        monitor.locked {
            if entries[setting] == nil {
                // What an earlier process left behind is not what the device's owner had set.
                entries[setting] = (leftovers.removeValue(forKey: setting) ?? current, 0)
            }
            entries[setting]?.users += 1
            save()
        }
    }

    /// Says that it is no longer in use by one user: the original value if that was the last one, which has then to be
    /// put back and `restored` to be called.
    func release(_ setting: DeviceSetting) -> String? {
        monitor.locked {
            guard var entry = entries[setting] else { return nil }
            entry.users -= 1
            guard entry.users <= 0 else {
                entries[setting] = entry
                return nil
            }
            entries[setting] = nil
            leftovers[setting] = entry.original
            return entry.original
        }
    }

    /// Says that the original value has been put back, or cannot be.
    func restored(_ setting: DeviceSetting) {
        monitor.locked {
            guard leftovers.removeValue(forKey: setting) != nil else { return }
            save()
        }
    }

    /// What an earlier process left changed in the devices of a context.
    func unrestored(in uri: String) -> [(setting: DeviceSetting, original: String)] {
        monitor.locked {
            leftovers.filter { $0.key.uri == uri && entries[$0.key] == nil }.map { ($0.key, $0.value) }
                .sorted { $0.setting.attribute < $1.setting.attribute }
        }
    }

    private func save() {
        file?.write(entries.mapValues(\.original).merging(leftovers) { current, _ in current })
    }
}
