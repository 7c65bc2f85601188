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
        /// The scan has returned.
        var isDone = false
        /// Why the context could not be opened.
        var error: Errno?
    }

    let uri: String
    let skipped: Set<String>
    private let monitor = Monitor()
    private var guarded = State()

    // Loop only
    var deadline: Int64 = 0
    var isAbandoned = false

    private let ledger: SettingsLedger

    init(uri: String, skipping skipped: Set<String>, ledger: SettingsLedger) {
        self.uri = uri
        self.ledger = ledger
        self.skipped = skipped
    }

    /// Starts the thread; `wakeup` is signalled at the end. False if the system has no thread left.
    func start(wakeup: Wakeup) -> Bool {
        WorkerThread.run(name: "iio-discovery") { [self] in
            var failure: Errno?
            do throws(Errno) {
                try ContextScan.run(
                    uri: uri, skipping: skipped, ledger: ledger,
                    progress: { device, attribute in
                        monitor.locked {
                            guarded.device = device
                            guarded.attribute = attribute
                        }
                    },
                    found: { device in monitor.locked { guarded.devices.append(device) } })
            } catch {
                failure = error
            }
            monitor.locked {
                guarded.error = failure
                guarded.isDone = true
            }
            wakeup.signal()
        }
    }

    /// What is known now.
    var state: State { monitor.locked { guarded } }
}
