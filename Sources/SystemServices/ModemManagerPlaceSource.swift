internal import EventLoop
public import LocateMeModel
public import MessageBus
internal import NMEASentences

/// Fixes from the satellite receiver in a modem, by ModemManager (org.freedesktop.ModemManager1.Modem.Location of its D-Bus
/// interface reference): its NMEA sentences, or its raw places where it has no sentences.
///
/// ModemManager would broadcast each place to every user of the bus if it were asked to signal them, so it is asked for the
/// place each second instead. What was enabled before is enabled again in the end.
public final class ModemManagerPlaceSource: PlaceSource {
    /// Bits of `MMModemLocationSource`.
    private enum Source {
        static let raw: UInt32 = 1 << 1
        static let nmea: UInt32 = 1 << 2
    }

    private static let rootPath: ObjectPath = "/org/freedesktop/ModemManager1"
    private static let objectManager = "org.freedesktop.DBus.ObjectManager"
    private static let location = "org.freedesktop.ModemManager1.Modem.Location"
    /// A cold receiver takes minutes; a modem whose receiver cannot be switched on says so at once.
    private static let noFixPatience: Int64 = 15_000_000

    private struct Modem {
        var path: ObjectPath
        /// What of raw and NMEA is used.
        var source: UInt32
        /// What was enabled before.
        var enabled: UInt32
    }

    /// Who hears of fixes and changes.
    public weak var placeListener: (any PlaceSourceListener)?
    /// Why nothing is delivered, in a sentence; nil while all is well or stopped.
    public private(set) var problem: String?

    private let connection: BusConnection
    private let caller: ServiceCaller
    private let period: Int64
    private var isStarted = false
    private var state = SourceState.off
    private var modem: Modem?
    private var isSetUp = false
    private var presence: NameWatch?
    private var owner: String?
    private var changes: [BusMatch] = []
    private var retry: LoopTimer?
    private var poll: LoopTimer?
    private var isAsked = false
    private var pause: RetryPause
    private var decoder = NMEADecoder()
    private var assembler = NMEAEpochAssembler()
    private var latestRaw = ""
    private var hasFix = false
    private var latestFix: Int64 = 0

    /// A source that is stopped. Microseconds: `period` from one question for the place to the next, `firstPause` before the
    /// second attempt.
    public init(connection: BusConnection, period: Int64 = 1_000_000, firstPause: Int64 = 1_000_000) {
        self.connection = connection
        self.period = period
        caller = ServiceCaller(connection: connection, destination: ServiceName.modemManager)
        pause = RetryPause(first: firstPause)
        retry = connection.loop.makeTimer { [weak self] in self?.find() }
        poll = connection.loop.makeTimer { [weak self] in self?.ask() }
    }

    deinit {
        retry?.disarm()
        poll?.disarm()
        caller.cancel()
        presence?.cancel()
        for change in changes { change.cancel() }
    }

    /// `modemmanager`.
    public var placeState: SourceDescription {
        SourceDescription(id: "modemmanager", kind: "modemmanager", state: state)
    }

    /// Looks for a modem with a receiver and switches that on.
    public func start() {
        guard !isStarted else { return }
        isStarted = true
        pause.reset()
        change(to: .starting)
        presence = connection.watchName(ServiceName.modemManager) { [weak self] in self?.ownerChanged($0) }
        for member in ["InterfacesAdded", "InterfacesRemoved"] {
            changes.append(
                connection.addMatch(
                    BusMatchRule(
                        sender: ServiceName.modemManager, interface: Self.objectManager, member: member,
                        path: Self.rootPath)
                ) { [weak self] _ in self?.modemsChanged() })
        }
        find()
    }

    /// Puts the receiver back as it was.
    public func stop() {
        guard isStarted else { return }
        isStarted = false
        if let modem, isSetUp {
            caller.tell(modem.path, Self.location, "Setup", [.uint32(modem.enabled), .bool(false)])
        }
        presence?.cancel()
        presence = nil
        for change in changes { change.cancel() }
        changes = []
        release()
        problem = nil
        hasFix = false
        change(to: .off)
    }

    // MARK: - Modem

    private func ownerChanged(_ new: String?) {
        let old = owner
        owner = new
        guard isStarted, new != old else { return }
        if old != nil { fail("ModemManager has left the bus") } else if state == .failed { find() }
    }

    private func modemsChanged() {
        guard isStarted else { return }
        if modem == nil { return find() }
        // The one in use may be gone.
        caller.properties(modem?.path ?? Self.rootPath, Self.location) { [weak self] result in
            if case .failure = result { self?.fail("the modem was unplugged") }
        }
    }

    private func find() {
        guard isStarted, modem == nil else { return }
        retry?.disarm()
        caller.call(Self.rootPath, Self.objectManager, "GetManagedObjects") { [weak self] result in
            guard let self, isStarted, modem == nil else { return }
            switch result {
            case .failure(let error): fail(Self.words(error))
            case .success(let message):
                guard let found = Self.modem(in: message) else {
                    return fail("no modem with a satellite receiver is plugged in")
                }
                setUp(found)
            }
        }
    }

    /// The first modem that can give places, from `a{oa{sa{sv}}}`.
    private static func modem(in message: BusMessage) -> Modem? {
        guard let first = try? message.values().first, case .array(_, let objects) = first else { return nil }
        var modems: [Modem] = []
        for case .dictEntry(.objectPath(let path), .array(_, let interfaces)) in objects {
            for case .dictEntry(.string(location), let properties) in interfaces {
                guard let values = properties.dictionaryValue else { continue }
                let offered = values["Capabilities"]?.uint32Value ?? 0
                let source = offered & Source.nmea != 0 ? Source.nmea : offered & Source.raw
                if source != 0 {
                    modems.append(Modem(path: path, source: source, enabled: values["Enabled"]?.uint32Value ?? 0))
                }
            }
        }
        return modems.min { $0.path.text < $1.path.text }
    }

    private func setUp(_ found: Modem) {
        modem = found
        decoder = NMEADecoder()
        assembler = NMEAEpochAssembler()
        latestRaw = ""
        // Places are not signalled, whoever asked for that before.
        caller.call(found.path, Self.location, "Setup", [.uint32(found.enabled | found.source), .bool(false)]) {
            [weak self] result in
            guard let self, isStarted else { return }
            if case .failure(let error) = result { return fail(Self.words(error)) }
            isSetUp = true
            latestFix = Clock.bootMicroseconds()
            // Older ones have no such method, and say what they have all the same.
            caller.call(found.path, Self.location, "SetGpsRefreshRate", [.uint32(1)]) { _ in }
            poll?.arm(afterMicroseconds: 0, everyMicroseconds: period)
        }
    }

    private static func words(_ error: BusError) -> String {
        let name = error.code.rawValue
        if name == "org.freedesktop.ModemManager1.Error.Core.Unauthorized" || error.code == .accessDenied {
            return "ModemManager refuses: \(error.text); polkit must allow org.freedesktop.ModemManager1.Location"
        }
        if name == "org.freedesktop.ModemManager1.Error.Core.WrongState" {
            return "the modem must be enabled first: \(error.text)"
        }
        return switch error.code {
        case .serviceUnknown, .nameHasNoOwner: "ModemManager is not installed"
        case .noReply, .timeout: "ModemManager does not answer"
        default: "ModemManager fails: \(error.text)"
        }
    }

    private func fail(_ reason: String) {
        release()
        retry?.arm(afterMicroseconds: pause.take())
        report(reason)
    }

    private func report(_ reason: String) {
        let isNews = problem != reason
        problem = reason
        let new: SourceState = state == .ok || state == .lost ? .lost : .failed
        loseFix()
        guard isStarted else { return }
        if new != state { change(to: new) } else if isNews { placeListener?.placeSourceChanged(self) }
    }

    private func release() {
        caller.cancel()
        poll?.disarm()
        retry?.disarm()
        modem = nil
        isSetUp = false
        isAsked = false
    }

    // MARK: - Places

    private func ask() {
        guard isStarted, let modem, !isAsked else { return }
        isAsked = true
        caller.call(modem.path, Self.location, "GetLocation") { [weak self] result in
            guard let self, isStarted else { return }
            isAsked = false
            switch result {
            case .failure(let error): fail(Self.words(error))
            case .success(let message): take(message, modem.source)
            }
        }
    }

    /// `a{uv}`: the key is the source's bit.
    private func take(_ message: BusMessage, _ source: UInt32) {
        guard let first = try? message.values().first, case .array(_, let entries) = first else {
            return fail("ModemManager answers in another way than its interface says")
        }
        for case .dictEntry(.uint32(source), .variant(let value)) in entries {
            if source == Source.nmea, let text = value.stringValue { take(sentences: text) }
            if source == Source.raw, let values = value.dictionaryValue { take(raw: values) }
        }
        guard isStarted, Clock.bootMicroseconds() - latestFix > Self.noFixPatience else { return }
        loseFix()
        if state == .ok { change(to: .starting) }
    }

    /// The latest sentence of each type, in any order, the same again until the receiver has new ones.
    private func take(sentences text: String) {
        let now = Clock.bootMicroseconds()
        let bytes = Array(text.utf8)
        var index = 0
        while let sentence = decoder.next(in: bytes.span, from: &index) {
            assembler.take(sentence, bootMicroseconds: now)
        }
        if let sentence = decoder.finish() { assembler.take(sentence, bootMicroseconds: now) }
        assembler.complete()
        while let report = assembler.next() {
            guard isStarted else { return }
            switch report {
            case .fix(var fix):
                fix.source = "modemmanager"
                deliver(fix)
            case .noFix: loseFix()
            }
        }
    }

    /// A place with a time of day alone, so when it was is told by its arrival.
    private func take(raw values: [String: BusValue]) {
        guard let latitude = values["latitude"]?.doubleValue, let longitude = values["longitude"]?.doubleValue else {
            return
        }
        let time = values["utc-time"]?.stringValue ?? ""
        guard time.isEmpty || time != latestRaw else { return }
        latestRaw = time
        var fix = Fix(
            realMicroseconds: 0, bootMicroseconds: Clock.bootMicroseconds(), latitude: latitude, longitude: longitude,
            horizontalAccuracy: 0)
        fix.altitude = values["altitude"]?.doubleValue ?? .nan
        fix.ellipsoidalAltitude = .nan
        fix.verticalAccuracy = fix.altitude.isNaN ? -1 : 0
        fix.source = "modemmanager"
        deliver(fix)
    }

    private func deliver(_ fix: Fix) {
        hasFix = true
        latestFix = Clock.bootMicroseconds()
        pause.reset()
        problem = nil
        change(to: .ok)
        guard isStarted else { return }
        placeListener?.placeSource(self, delivered: fix)
    }

    private func loseFix() {
        guard hasFix else { return }
        hasFix = false
        placeListener?.placeSourceHasNoFix(self)
    }

    private func change(to new: SourceState) {
        guard new != state else { return }
        state = new
        placeListener?.placeSourceChanged(self)
    }
}
