internal import EventLoop
internal import LocateMeModel

/// Keeps the last fix of a receiver over restarts: at most once a minute while fixes come, and at the end.
final class PlaceKeeper {
    private let store: any LocationStateStore
    private let log: Log
    private var saved: Fix?
    private var savedAt: Int64 = .min

    /// Microseconds between writes.
    static let interval: Int64 = 60_000_000

    init(store: any LocationStateStore, log: Log) {
        self.store = store
        self.log = log
    }

    /// What an earlier run has kept, with a boot time made from its age.
    func load() -> Fix? {
        do throws(StorageFailure) {
            guard let fix = try store.lastFix() else { return nil }
            saved = fix
            return WatchService.dated(fix)
        } catch {
            log.warning("the last place is not known: \(error)")
            return nil
        }
    }

    /// Keeps a fix if it is time to.
    func take(_ fix: Fix?) {
        let now = Clock.bootMicroseconds()
        guard savedAt == .min || now - savedAt >= Self.interval else { return }
        save(fix)
    }

    /// Keeps a fix now.
    func save(_ fix: Fix?) {
        // What a simulation or a configuration says is not where the machine was.
        guard let fix, fix.flags.isDisjoint(with: [.simulated, .fixed]), fix.realMicroseconds != saved?.realMicroseconds
        else { return }
        savedAt = Clock.bootMicroseconds()
        do throws(StorageFailure) {
            try store.save(lastFix: fix)
            saved = fix
        } catch {
            log.warning("the last place is not kept: \(error)")
        }
    }
}
