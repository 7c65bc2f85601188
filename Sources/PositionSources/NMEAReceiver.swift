public import EventLoop
internal import Glibc
public import LocateMeModel
internal import NMEASentences

/// Hears what an `NMEAReceiver` reads.
protocol NMEAListener: AnyObject {
    /// A sentence, with the boot time in microseconds at which it came.
    func receiver(_ receiver: NMEAReceiver, heard sentence: NMEASentence, bootMicroseconds: Int64)
    /// The wire is open, or open again.
    func receiverOpened(_ receiver: NMEAReceiver)
    /// The wire is not open any more, or cannot be opened, or keeps silent; it is tried again.
    func receiver(_ receiver: NMEAReceiver, failed reason: String)
}

/// A wire with NMEA 0183 on it, shared by who reads places and who reads headings from it. Open while one of them needs it;
/// opened again for ever, with pauses that grow for far servers alone and as soon as a device or socket appears. Whatever comes in, memory is
/// bounded.
public final class NMEAReceiver {
    /// Bytes without a sentence among them after which a rate is taken for wrong.
    private static let garbageLimit = 400
    /// Rates in the order of trying: today's receivers, NMEA 0183, its high speed, USB adapters.
    static let trialRates = [9600, 4800, 38_400, 115_200, 57_600, 19_200, 230_400]

    /// Where it listens.
    public let address: NMEAAddress
    /// Why nothing comes, in a sentence that names the address; nil while all is well or nobody listens.
    public private(set) var problem: String?
    /// Lines that were dropped since the receiver was made, and why the latest was.
    public var dropped: (count: Int, reason: String?) { (decoder.dropped, decoder.latestDefect?.description) }

    let loop: EventLoop
    let timing: SourceTiming
    private let random: () -> Double
    private var listeners: [any NMEAListener] = []
    private var stream: (any ByteStream)?
    private var isOpen = false
    private var timer: LoopTimer?
    private var rateTimer: LoopTimer?
    private var pathWatch: PathWatch?
    private var pause: ReconnectDelay
    private var silence: SilenceWatch
    private var decoder: NMEADecoder
    private var knownSentences = 0
    private var bytesAtRate = 0
    private var rateIndex = 0
    private var isRateKnown = false
    /// Whether what is at the other end is on this machine or its network, as far as is known.
    private var isNear: Bool

    /// A receiver that nobody listens to. `random` is uniform in [0, 1), for the variation of pauses.
    public init(
        loop: EventLoop, address: NMEAAddress, timing: SourceTiming = SourceTiming(), random: @escaping () -> Double
    ) {
        self.loop = loop
        self.address = address
        self.timing = timing
        self.random = random
        decoder = NMEADecoder(checksumRule: address.isChecksumOptional ? .optional : .required)
        pause = ReconnectDelay(first: timing.firstPause, longest: timing.longestPause)
        if case .tcp = address.transport { isNear = false } else { isNear = true }
        silence = SilenceWatch(now: 0, patience: 0, grace: 0)
        timer = loop.makeTimer { [weak self] in self?.timerFired() }
        rateTimer = loop.makeTimer { [weak self] in self?.tryNextRate() }
    }

    deinit {
        stream?.close()
        timer?.disarm()
        rateTimer?.disarm()
    }

    // MARK: - Who listens

    func add(_ listener: any NMEAListener) {
        guard !listeners.contains(where: { $0 === listener }) else { return }
        listeners.append(listener)
        if listeners.count == 1 {
            pause.reset()
            open()
        } else if isOpen {
            listener.receiverOpened(self)
        } else if let problem, stream == nil {
            listener.receiver(self, failed: problem)
        }
    }

    func remove(_ listener: any NMEAListener) {
        listeners.removeAll { $0 === listener }
        guard listeners.isEmpty else { return }
        shut()
        problem = nil
    }

    // MARK: - The wire

    private func open() {
        let handler: (ByteStreamEvent) -> Void = { [weak self] event in self?.handle(event) }
        do throws(Errno) {
            switch address.transport {
            case .tcp(let host, let port):
                stream = NetworkStream(
                    loop: loop, target: .host(host, port: port), timing: timing, handler: handler)
            case .unix(let path):
                stream = NetworkStream(loop: loop, target: .path(path), timing: timing, handler: handler)
            case .udp(let local, let port):
                let descriptor = try DatagramSocket.open(address: local, port: port)
                stream = try DescriptorStream(loop: loop, descriptor: descriptor, isDatagram: true, handler: handler)
            case .serial(let path, let baud):
                let line = try SerialLine.open(path, baud: baud ?? Self.trialRates[rateIndex])
                stream = try DescriptorStream(
                    loop: loop, descriptor: line.descriptor, original: line.original, handler: handler)
            }
        } catch {
            fail("cannot open \(address): \(Self.words(error))")
        }
    }

    private static func words(_ error: Errno) -> String {
        switch error.rawValue {
        case ENOTTY: "it is no serial line"
        case EBUSY: "another program reads it"
        case EACCES: "no permission; the service's user must be in the device's group"
        default: error.description
        }
    }

    private func handle(_ event: ByteStreamEvent) {
        switch event {
        case .opened:
            isOpen = true
            decoder.reset()
            silence = SilenceWatch(
                now: Clock.bootMicroseconds(), patience: Self.microseconds(timing.silence),
                grace: Self.microseconds(timing.firstReport))
            timer?.arm(atBootMicroseconds: silence.deadline)
            startRateTrial()
            for listener in listeners { listener.receiverOpened(self) }
        case .received(let bytes): receive(bytes)
        case .closed(let reason): fail("\(address): \(reason)")
        }
    }

    private func shut() {
        stream?.close()
        stream = nil
        isOpen = false
        pathWatch = nil
        timer?.disarm()
        rateTimer?.disarm()
    }

    /// Gives the wire up and comes back after a pause, or when the path appears.
    private func fail(_ reason: String) {
        // A server whose name is not found is where it was when it was.
        if let isNear = (stream as? NetworkStream)?.isNear { self.isNear = isNear }
        shut()
        problem = reason
        timer?.arm(
            afterMicroseconds: pause.take(random: random(), limit: isNear ? timing.longestNearPause : .infinity))
        if let path = address.path {
            pathWatch = PathWatch(loop: loop, path: path) { [weak self] in self?.pathAppeared() }
        }
        for listener in listeners { listener.receiver(self, failed: reason) }
    }

    private func timerFired() {
        if isOpen {
            checkSilence()
        } else if stream == nil, !listeners.isEmpty {
            pathWatch = nil
            open()
        }
    }

    /// A little later, since rights and listening come after the name.
    private func pathAppeared() {
        guard stream == nil, !listeners.isEmpty else { return }
        pause.reset()
        timer?.arm(afterMicroseconds: 100_000)
    }

    private func checkSilence() {
        let now = Clock.bootMicroseconds()
        if now < silence.deadline {
            timer?.arm(atBootMicroseconds: silence.deadline)
            return
        }
        // A timer that comes seconds late has slept with the machine.
        if now - silence.deadline > 2_000_000 {
            silence.resumed(at: now)
            timer?.arm(atBootMicroseconds: silence.deadline)
            return
        }
        let hint = decoder.latestDefect.map { "; the latest line was dropped: \($0)" } ?? ""
        fail("\(address) sends no NMEA sentences\(hint)")
    }

    // MARK: - Bytes

    private func receive(_ bytes: UnsafeRawBufferPointer) {
        let now = Clock.bootMicroseconds()
        let known = decoder.sentences
        bytes.withMemoryRebound(to: UInt8.self) { buffer in
            var index = 0
            while let sentence = decoder.next(in: buffer.span, from: &index) { pass(sentence, now) }
        }
        if case .udp = address.transport, let sentence = decoder.finish() { pass(sentence, now) }
        guard isOpen else { return }
        if decoder.sentences > known {
            problem = nil
            pause.reset()
            isRateKnown = true
            rateTimer?.disarm()
            silence.heard(at: now)
            timer?.arm(atBootMicroseconds: silence.deadline)
        } else {
            bytesAtRate += bytes.count
            if bytesAtRate > Self.garbageLimit, !isRateKnown { tryNextRate() }
        }
    }

    /// To whoever still listens: a listener may stop another in between.
    private func pass(_ sentence: NMEASentence, _ now: Int64) {
        for listener in listeners { listener.receiver(self, heard: sentence, bootMicroseconds: now) }
    }

    // MARK: - Rates of a serial line

    private var findsRate: Bool {
        if case .serial(_, nil) = address.transport { true } else { false }
    }

    private func startRateTrial() {
        guard findsRate, !isRateKnown else { return }
        bytesAtRate = 0
        rateTimer?.arm(afterMicroseconds: Self.microseconds(timing.rateTrial))
    }

    private func tryNextRate() {
        guard findsRate, !isRateKnown, isOpen else { return }
        rateIndex = (rateIndex + 1) % Self.trialRates.count
        decoder.reset()
        stream?.setRate(Self.trialRates[rateIndex])
        startRateTrial()
    }

    static func microseconds(_ seconds: Double) -> Int64 { Int64(seconds * 1e6) }
}

extension NMEAAddress {
    /// The path that must exist, for a wire that has one.
    fileprivate var path: String? {
        switch transport {
        case .serial(let path, _), .unix(let path): path
        case .tcp, .udp: nil
        }
    }
}
