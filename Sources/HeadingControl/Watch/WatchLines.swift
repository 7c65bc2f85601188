internal import LocateMe
internal import LocateMeModel

/// One line or object per update, for pipes and files.
final class WatchLines: WatchView {
    var state = RoseState()
    let toleratesNoCompass = false
    private let context: CommandContext
    private let options: Options
    private var service: ServiceConnection?
    private var printed = 0
    private var lastNotice = ""

    init(_ context: CommandContext, _ options: Options) {
        self.context = context
        self.options = options
        state.reference = options.reference
        state.dial = options.dial
        state.title = options.title
    }

    func begin(on service: ServiceConnection, _ manager: LocationManager) { self.service = service }

    func update(isNews: Bool) {
        if state.notice != lastNotice {
            lastNotice = state.notice
            if !lastNotice.isEmpty { context.warn(lastNotice) }
        }
        guard isNews, state.heading != nil || state.fix != nil else { return }
        if options.isJSON {
            context.output.writeLine(
                JSONValue.object([
                    ("heading", state.heading.map(HeadingReport.json) ?? .null),
                    ("fix", state.fix.map(HeadingReport.json) ?? .null),
                ]).text)
        } else {
            // No update is older than itself.
            state.ageSeconds = 0
            let time = TimeText.iso(microseconds: state.heading?.realMicroseconds ?? state.fix?.realMicroseconds ?? 0)
            context.output.writeLine("\(time)  \(CompactLine.render(state, width: 160, unicode: options.unicode).text)")
        }
        context.output.flush()
        printed += 1
        if printed >= options.count || context.output.failure != nil { service?.finish() }
    }

    func receive(_ signal: Int32) {}

    func end() { context.output.flush() }
}
