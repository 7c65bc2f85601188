internal import EventLoop

/// One scan of one context on a thread of its own.
///
/// `@unchecked Sendable` is sound: `state` is only touched with the monitor held; "loop only" on the loop alone.
final class DiscoveryJob: @unchecked Sendable {
    /// What the loop sees at any time.
    struct State: Sendable {
        /// Devices described so far.
        var devices: [DeviceDescription] = []
        /// The device being read, empty while the context is being opened.
        var device = ""
        /// The attribute being read.
        var attribute = ""
        /// CLOCK_BOOTTIME in µs when it began to be read.
        var since: Int64 = 0
        /// The scan has returned.
        var isDone = false
        /// Why the context could not be opened.
        var error: Errno?
        /// The device that is to blame for that.
        var obstacle: ContextObstacle?
    }

    let uri: String
    let skipped: Set<String>
    private let monitor = Monitor()
    private var guarded = State()

    // Loop only
    /// How long the scan may be at one thing, in µs.
    let patience: Int64
    /// CLOCK_BOOTTIME in µs at which it is given up, whatever it is at.
    let end: Int64

    private let ledger: SettingsLedger

    init(uri: String, skipping skipped: Set<String>, ledger: SettingsLedger) {
        self.uri = uri
        self.ledger = ledger
        self.skipped = skipped
        // A busy machine may take long for all of a scan, but not for a single attribute.
        patience = uri.hasPrefix("local:") ? 3_000_000 : 14_000_000
        let now = Clock.bootMicroseconds()
        end = now + 4 * patience
        guarded.since = now
    }

    /// CLOCK_BOOTTIME in µs at which it counts as stuck.
    var deadline: Int64 { min(end, state.since + patience) }

    /// Starts the thread; `wakeup` is signalled at the end. False if the system has no thread left.
    func start(wakeup: Wakeup) -> Bool {
        WorkerThread.run(name: "iio-discovery") { [self] in
            var failure: Errno?
            var obstacle: ContextObstacle?
            do throws(Errno) {
                try ContextScan.run(
                    uri: uri, skipping: skipped, ledger: ledger,
                    progress: { device, attribute in
                        let now = Clock.bootMicroseconds()
                        monitor.locked {
                            guarded.device = device
                            guarded.attribute = attribute
                            guarded.since = now
                        }
                    },
                    found: { device in monitor.locked { guarded.devices.append(device) } })
            } catch {
                failure = error
                if uri.hasPrefix("local:") { obstacle = ContextObstacle.find() }
            }
            monitor.locked {
                guarded.error = failure
                guarded.obstacle = obstacle
                guarded.isDone = true
            }
            wakeup.signal()
        }
    }

    /// What is known now.
    var state: State { monitor.locked { guarded } }
}
