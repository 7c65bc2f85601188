internal import EventLoop
internal import LocateMeModel

/// What is kept of the present magnetometer between runs, and what is wrong with it.
struct HeadingMemory {
    /// For `Compass1.Diagnose`.
    private(set) var findings: [Finding] = []
    /// True if something is kept of the present device that cannot be used. It stays until there is something better.
    private(set) var isRefused = false

    private let store: (any HeadingStateStore)?
    private let log: Log

    /// 2020-01-01: no clock that was set says less.
    private static let earliestRealMicroseconds: Int64 = 1_577_836_800_000_000
    private static let refusedCode = "stored-calibration-refused"
    private static let otherDeviceCode = "stored-calibration-of-another-device"

    /// A memory in a store; `trouble` says why there is no store although there should be one.
    init(_ store: (any HeadingStateStore)?, trouble: String?, log: Log) {
        self.store = store
        self.log = log
        guard let trouble else { return }
        findings.append(
            Finding(
                code: "calibrations-not-kept", severity: .warning,
                text: "Calibrations are forgotten when the service ends: \(trouble).",
                remedy: "Repair or move away the named file, or give another folder with --state-dir."))
    }

    /// The time now; 0, unknown, while the clock was obviously never set: a calibration of 1970 would count as decades old.
    static var presentRealMicroseconds: Int64 {
        let now = Clock.realMicroseconds()
        return now >= earliestRealMicroseconds ? now : 0
    }

    /// What is kept of a device; nil for no device, for nothing, and, said with the reason, for what cannot be used.
    mutating func load(for device: DeviceIdentity?) -> StoredHeadingState? {
        clear()
        guard let device, let store else { return nil }
        switch store.load(for: device) {
        case .state(let state): return state
        case .nothing: tellOthers(store.devices(), than: device)
        case .refused(let reason): refuse(reason)
        }
        return nil
    }

    /// Keeps a state, whole or not at all; nil forgets the device.
    mutating func save(_ state: StoredHeadingState?, for device: DeviceIdentity?) throws(StorageFailure) {
        guard let store, let device else { return }
        try store.save(state, for: device)
        if state?.magnetometer != nil || isRefused { clear() }
    }

    private mutating func refuse(_ reason: String) {
        log.warning(reason)
        isRefused = true
        findings.append(
            Finding(
                code: Self.refusedCode, severity: .warning, text: Self.sentence(reason),
                remedy: "Calibrate this compass: what is stored is replaced then."))
    }

    /// Says that something is kept, but not of the present device: a chip that was exchanged, or another path to it.
    private mutating func tellOthers(_ others: [DeviceIdentity], than device: DeviceIdentity) {
        guard !others.isEmpty else { return }
        let names = others.prefix(3).map { "\($0)" }.joined(separator: ", ")
        let text = "nothing is stored of \(device); what is stored belongs to \(names) and is not used for it"
        log.info(text)
        findings.append(
            Finding(
                code: Self.otherDeviceCode, severity: .info, text: Self.sentence(text),
                remedy: "Calibrate this compass; another one's calibration would be wrong."))
    }

    /// What was wrong has been replaced, or is another device's.
    private mutating func clear() {
        isRefused = false
        findings.removeAll { $0.code == Self.refusedCode || $0.code == Self.otherDeviceCode }
    }

    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }
}
