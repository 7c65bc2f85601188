internal import Glibc

/// A terminal that a picture is drawn on: size, keys without echo, alternate screen. Restores everything when
/// `leave()` is called; it can be entered again, which is what SIGTSTP and SIGCONT need.
final class Terminal {
    /// Columns and rows.
    struct Size: Hashable, Sendable {
        /// At least 1.
        var columns: Int
        /// At least 1.
        var rows: Int
    }

    private let input: Int32
    private let output: TextOutput
    private let palette: Palette
    private var savedMode: termios?
    private var isEntered = false
    private var isFullScreen = false
    private var shown: [StyledLine] = []

    /// A terminal that keys come from and pictures go to.
    init(input: Int32, output: TextOutput, palette: Palette) {
        self.input = input
        self.output = output
        self.palette = palette
    }

    /// The size of the terminal behind a descriptor; else from COLUMNS and LINES; else 80×24.
    static func size(of descriptor: Int32, environment: (String) -> String?) -> Size {
        var window = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0
        func choose(_ measured: UInt16, _ variable: String, _ fallback: Int) -> Int {
            if isKnown, measured > 0 { return Int(measured) }
            return environment(variable).flatMap { Int($0) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
                ?? fallback
        }
        return Size(columns: choose(window.ws_col, "COLUMNS", 80), rows: choose(window.ws_row, "LINES", 24))
    }

    /// True if the environment's locale has UTF-8 as its character set: the first of LC_ALL, LC_CTYPE and LANG that
    /// is set decides.
    static func isUnicode(_ environment: (String) -> String?) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment($0) }.first { !$0.isEmpty } ?? ""
        let name = locale.uppercased()
        return name.contains("UTF-8") || name.contains("UTF8")
    }

    /// Hides the cursor and lets keys arrive one by one; Ctrl-C still sends SIGINT. A full screen is the alternate
    /// one. Idempotent.
    func enter(isFullScreen: Bool) {
        guard !isEntered else { return }
        isEntered = true
        self.isFullScreen = isFullScreen
        var mode = termios()
        if tcgetattr(input, &mode) == 0 {
            savedMode = mode
            mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
            // Fails only if the terminal is gone, and the picture needs no keys.
            _ = tcsetattr(input, TCSANOW, &mode)
        }
        shown = []
        output.write(isFullScreen ? "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J" : "\u{1B}[?25l")
        output.flush()
    }

    /// Gives the terminal back as it was. Idempotent.
    func leave() {
        guard isEntered else { return }
        isEntered = false
        output.write(isFullScreen ? "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l" : "\u{1B}[0m\u{1B}[?25h\n")
        output.flush()
        if var mode = savedMode {
            // Fails only if the terminal is gone.
            _ = tcsetattr(input, TCSADRAIN, &mode)
            savedMode = nil
        }
    }

    /// Forgets what is on the screen, so that the next picture is drawn whole: after a change of size.
    func invalidate() {
        shown = []
        if isEntered, isFullScreen { output.write("\u{1B}[2J") }
    }

    /// Draws a picture from the top left corner of a terminal of that many columns; only lines that changed are
    /// sent. The synchronised update (DEC mode 2026) keeps terminals that know it from showing half a picture.
    func draw(_ lines: [StyledLine], columns: Int) {
        guard isEntered else { return }
        var text = ""
        for (row, line) in lines.enumerated() where row >= shown.count || shown[row] != line {
            text += "\u{1B}[\(row + 1);1H\(palette.encode(line))"
            // Behind the last column the cursor stands on it, and erasing would take its character away.
            if line.columns < columns { text += "\u{1B}[K" }
        }
        for row in lines.count..<max(lines.count, shown.count) { text += "\u{1B}[\(row + 1);1H\u{1B}[K" }
        shown = lines
        guard !text.isEmpty else { return }
        output.write("\u{1B}[?2026h\(text)\u{1B}[?2026l")
        output.flush()
    }

    /// Draws one line over the one that was drawn before; it must be shorter than the terminal is wide.
    func draw(line: StyledLine) {
        guard isEntered, shown != [line] else { return }
        shown = [line]
        output.write("\r\(palette.encode(line))\u{1B}[K")
        output.flush()
    }
}
