internal import EventLoop
internal import Glibc
internal import LocateMe
internal import LocateMeModel

/// The rose, or one line, on a terminal.
final class WatchScreen: WatchView {
    var state = RoseState()
    let toleratesNoCompass = true
    private let context: CommandContext
    private var options: Options
    private let palette: Palette
    private let terminal: Terminal
    private var service: ServiceConnection?
    private var manager: LocationManager?
    private var keys: Watch?
    private var frameTimer: LoopTimer?
    private var tickTimer: LoopTimer?
    private var lastFrame: Int64 = 0
    private var lastNews: Int64?
    private var updates = 0

    /// 25 pictures a second look smooth and cost little.
    private static let frameMicroseconds: Int64 = 40_000
    /// Without news the age still grows.
    private static let tickMicroseconds: Int64 = 500_000
    private static let footer = [
        "q quit", "t true or magnetic", "n north or heading up", "o orientation", "c one line",
    ]

    init(_ context: CommandContext, _ options: Options) {
        self.context = context
        self.options = options
        palette = context.palette
        terminal = Terminal(input: context.input, output: context.output, palette: palette)
        state.reference = options.reference
        state.dial = options.dial
        state.title = options.title
        state.notice = "Waiting for a heading."
    }

    func begin(on service: ServiceConnection, _ manager: LocationManager) {
        self.service = service
        self.manager = manager
        frameTimer = service.loop.makeTimer { [weak self] in self?.draw() }
        tickTimer = service.loop.makeTimer { [weak self] in self?.draw() }
        tickTimer?.arm(afterMicroseconds: Self.tickMicroseconds, everyMicroseconds: Self.tickMicroseconds)
        if isatty(context.input) == 1 {
            // Without keys the picture is as good.
            keys = try? service.loop.watch(context.input, for: .readable) { [weak self] _ in self?.readKeys() }
        }
        terminal.enter(isFullScreen: !options.isCompact)
        draw()
    }

    func update(isNews: Bool) {
        if isNews {
            lastNews = Clock.bootMicroseconds()
            updates += 1
            if updates >= options.count { service?.finish() }
        }
        let due = lastFrame + Self.frameMicroseconds
        if Clock.bootMicroseconds() >= due {
            draw()
        } else if frameTimer?.isArmed == false {
            frameTimer?.arm(atBootMicroseconds: due)
        }
    }

    func receive(_ signal: Int32) {
        switch signal {
        case SIGWINCH:
            terminal.invalidate()
            draw()
        case SIGTSTP:
            terminal.leave()
            // Stops here until the shell continues us.
            _ = kill(getpid(), SIGSTOP)
            terminal.enter(isFullScreen: !options.isCompact)
            draw()
        default: break
        }
    }

    func end() {
        keys?.cancel()
        keys = nil
        frameTimer?.disarm()
        tickTimer?.disarm()
        terminal.leave()
    }

    private func draw() {
        lastFrame = Clock.bootMicroseconds()
        if let lastNews { state.ageSeconds = Double(lastFrame - lastNews) * 1e-6 }
        let size = context.terminalSize
        if options.isCompact {
            terminal.draw(line: CompactLine.render(state, width: size.columns - 1, unicode: options.unicode))
        } else {
            let style = CompassRose.Style(unicode: options.unicode, footer: Self.footer)
            terminal.draw(
                CompassRose.render(state, width: size.columns, height: size.rows, style: style), columns: size.columns)
        }
        if context.output.failure != nil { service?.finish() }
    }

    private func readKeys() {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(context.input, &bytes, bytes.count)
        guard count > 0 else {
            keys?.cancel()
            keys = nil
            // The terminal is gone; end of file by Ctrl-D ends too.
            if count == 0 || (errno != EAGAIN && errno != EINTR) { service?.finish() }
            return
        }
        // Arrow keys and the like begin with escape; none of them means anything here.
        guard bytes[0] != 0x1B else { return }
        for byte in bytes[..<count] { press(byte) }
        draw()
    }

    private func press(_ byte: UInt8) {
        switch UInt8(byte | 0x20) {
        case UInt8(ascii: "q"): service?.finish()
        case UInt8(ascii: "t"): state.reference = state.reference == .magnetic ? .trueNorth : .magnetic
        case UInt8(ascii: "n"): state.dial = state.dial == .headingUp ? .northUp : .headingUp
        case UInt8(ascii: "o"): turnOrientation()
        case UInt8(ascii: "c"):
            terminal.leave()
            options.isCompact.toggle()
            terminal.enter(isFullScreen: !options.isCompact)
        default: break
        }
    }

    private func turnOrientation() {
        guard let manager else { return }
        let all = HeadingOrientation.allCases
        let index = all.firstIndex(of: manager.headingOrientation) ?? 0
        manager.headingOrientation = all[(index + 1) % all.count]
    }
}
