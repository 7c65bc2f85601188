internal import EventLoop
internal import Glibc
public import LocateMeModel
public import MessageBus

/// systemd's login manager as the teller of sleep: its signal `PrepareForSleep` and its delay locks
/// (org.freedesktop.login1(5), systemd's "Inhibitor Locks").
///
/// Without a login manager, or with one that refuses the lock, nothing fails; that is reported once. One that vanishes
/// between the two signals, or forgets the second, counts as a machine that is awake.
public final class LoginManager: SleepMonitor {
    /// Who hears of sleep, on the loop.
    public weak var sleepListener: (any SleepListener)?
    /// True if a login manager is on the bus; nil until the bus has answered.
    public private(set) var isPresent: Bool?

    private let connection: BusConnection
    private let who: String
    private let why: String
    private let report: (String) -> Void
    private var presence: NameWatch?
    private var signals: BusMatch?
    private var unlocking: BusMatch?
    private var request: PendingCall?
    private var lock: Int32 = -1
    private var isPreparing = false
    private var overdue: LoopTimer?
    private var reported: Set<String> = []

    /// Microseconds after which a sleep that has not happened is taken for cancelled. The login manager waits for locks
    /// at most 5 s unless its `InhibitDelayMaxSec` says otherwise (logind.conf(5)), and a minute is rarely set.
    private static let overdueMicroseconds: Int64 = 90_000_000
    private static let interface = "org.freedesktop.login1.Manager"
    private static let path: ObjectPath = "/org/freedesktop/login1"
    private static let session = "org.freedesktop.login1.Session"
    private static let sessions: ObjectPath = "/org/freedesktop/login1/session"

    /// Listens from now on.
    ///
    /// - Parameters:
    ///   - connection: to the bus that the login manager is on, which is the system bus.
    ///   - who: the name of the program, as `systemd-inhibit --list` shows it.
    ///   - why: what it has to do before sleep, likewise.
    ///   - report: called once for each thing worth knowing, with a sentence.
    public init(
        connection: BusConnection, who: String, why: String, report: @escaping (String) -> Void = { _ in }
    ) {
        self.connection = connection
        self.who = who
        self.why = why
        self.report = report
        overdue = connection.loop.makeTimer { [weak self] in self?.wake() }
        signals = connection.addMatch(
            BusMatchRule(
                sender: ServiceName.login, interface: Self.interface, member: "PrepareForSleep", path: Self.path)
        ) { [weak self] message in
            var reader = message.reader()
            guard let starts = try? reader.readBool() else { return }
            self?.announced(starts)
        }
        presence = connection.watchName(ServiceName.login) { [weak self] owner in self?.ownerChanged(owner) }
    }

    deinit {
        presence?.cancel()
        signals?.cancel()
        unlocking?.cancel()
        request?.cancel()
        overdue?.disarm()
        if lock >= 0 { close(lock) }
    }

    /// True while the machine is to wait before it sleeps: then a delay lock is held or asked for. Default false.
    public var delaysSleep = false {
        didSet {
            guard delaysSleep != oldValue else { return }
            if delaysSleep { takeLock() } else if !isPreparing { dropLock() }
        }
    }

    /// True while it is listened for the end of a locked screen: the property `LockedHint` of a session of the login manager,
    /// which screen lockers set. Default false.
    public var watchesUnlocking = false {
        didSet {
            guard watchesUnlocking != oldValue else { return }
            unlocking?.cancel()
            unlocking = watchesUnlocking ? watchUnlocking() : nil
        }
    }

    /// True while a delay lock is held.
    public var holdsLock: Bool { lock >= 0 }

    /// Gives the delay lock back, so that the machine may sleep. Does nothing while no sleep is announced.
    public func readyForSleep() {
        guard isPreparing else { return }
        dropLock()
    }

    // MARK: - Private

    private func ownerChanged(_ owner: String?) {
        // Locks end with the manager that gave them.
        dropLock()
        if isPreparing { wake() }
        isPresent = owner != nil
        guard owner != nil else {
            reportOnce(
                "there is no login manager (org.freedesktop.login1) on the bus: sleep is noticed by the clocks, after it"
            )
            return
        }
        takeLock()
    }

    private func announced(_ starts: Bool) {
        guard starts else { return wake() }
        guard !isPreparing else { return }
        isPreparing = true
        overdue?.arm(afterMicroseconds: Self.overdueMicroseconds)
        if let sleepListener { sleepListener.machineWillSleep(self) } else { readyForSleep() }
    }

    private func wake() {
        overdue?.disarm()
        isPreparing = false
        // Before the listener, which may take a while: the machine may sleep again at once.
        takeLock()
        sleepListener?.machineWoke(self)
    }

    private func watchUnlocking() -> BusMatch {
        connection.addMatch(
            BusMatchRule(
                sender: ServiceName.login, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
                pathNamespace: Self.sessions, firstArgument: Self.session)
        ) { [weak self] message in
            guard let self, let values = try? message.values(), values.count >= 2,
                values[1].dictionaryValue?["LockedHint"]?.boolValue == false
            else { return }
            sleepListener?.screenWasUnlocked(self)
        }
    }

    private func takeLock() {
        guard delaysSleep, !isPreparing, lock < 0, request == nil, isPresent == true else { return }
        do throws(BusError) {
            let call = try BusMessage.methodCall(
                destination: ServiceName.login, path: Self.path, interface: Self.interface, member: "Inhibit")
            call.mayStartService = false
            try call.append(.string("sleep"), .string(who), .string(why), .string("delay"))
            request = connection.call(call) { [weak self] in self?.answered($0) }
        } catch {
            reportOnce("sleep cannot be delayed: \(error.text)")
        }
    }

    private func answered(_ result: Result<BusMessage, BusError>) {
        request = nil
        do throws(BusError) {
            var reader = try result.get().reader()
            let descriptor = try reader.readFileDescriptor()
            // It may have come too late.
            guard delaysSleep, !isPreparing, lock < 0 else {
                close(descriptor)
                return
            }
            lock = descriptor
        } catch {
            guard error.code != .disconnected else { return }
            reportOnce("sleep cannot be delayed, sensors may be cut off by it: \(error.text)")
        }
    }

    private func dropLock() {
        request?.cancel()
        request = nil
        guard lock >= 0 else { return }
        close(lock)
        lock = -1
    }

    private func reportOnce(_ text: String) {
        if reported.insert(text).inserted { report(text) }
    }
}
