/// How many colours a terminal has.
enum ColourLevel: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// None; not even bold is sent.
    case none
    /// The 16 of ECMA-48 and aixterm.
    case basic
    /// xterm's 256.
    case indexed
    /// 24 bit.
    case full

    /// Ordered by the number of colours.
    static func < (left: ColourLevel, right: ColourLevel) -> Bool { left.rawValue < right.rawValue }

    /// What the environment says about a terminal. NO_COLOR (no-color.org): set and not empty means none; the same
    /// for TERM=dumb or no TERM.
    static func detect(_ environment: (String) -> String?) -> ColourLevel {
        guard (environment("NO_COLOR") ?? "").isEmpty else { return .none }
        let terminal = environment("TERM") ?? ""
        guard !terminal.isEmpty, terminal != "dumb" else { return .none }
        let colours = environment("COLORTERM") ?? ""
        if colours == "truecolor" || colours == "24bit" || terminal.hasSuffix("-direct") { return .full }
        if terminal.contains("256color") || ["alacritty", "foot", "xterm-kitty"].contains(terminal) { return .indexed }
        return .basic
    }
}
