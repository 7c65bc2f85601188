/// The look of each ink at a colour level, as SGR parameters of ECMA-48. Colours are of middle brightness, so that
/// they can be read on light and on dark backgrounds; text keeps the terminal's own colour.
struct Palette: Sendable {
    /// How many colours there are.
    let level: ColourLevel

    /// The escape sequence that starts an ink, empty for plain text or if there are no colours.
    func start(_ ink: Ink) -> String {
        let parameters = parameters(ink)
        return parameters.isEmpty ? "" : "\u{1B}[\(parameters)m"
    }

    /// The escape sequence that ends what `start` began.
    func end(_ ink: Ink) -> String { parameters(ink).isEmpty ? "" : "\u{1B}[0m" }

    /// A line with its escape sequences.
    func encode(_ line: StyledLine) -> String {
        line.spans.map { start($0.ink) + $0.text + end($0.ink) }.joined()
    }

    private func parameters(_ ink: Ink) -> String {
        switch level {
        case .none: ""
        case .basic: Self.basic(ink)
        case .indexed: Self.indexed(ink)
        case .full: Self.full(ink)
        }
    }

    private static func basic(_ ink: Ink) -> String {
        switch ink {
        case .plain: ""
        case .strong: "1"
        case .faint, .ring, .south: "90"
        case .north: "91"
        case .trueNorth: "96"
        case .pointer: "1"
        case .good: "32"
        case .fair: "33"
        case .bad: "31"
        case .alert: "1;7;33"
        }
    }

    private static func indexed(_ ink: Ink) -> String {
        switch ink {
        case .plain: ""
        case .strong: "1"
        case .faint: "38;5;245"
        case .ring: "38;5;67"
        case .north: "38;5;203"
        case .south: "38;5;247"
        case .trueNorth: "38;5;39"
        case .pointer: "1"
        case .good: "38;5;71"
        case .fair: "38;5;178"
        case .bad: "38;5;167"
        case .alert: "1;38;5;16;48;5;214"
        }
    }

    private static func full(_ ink: Ink) -> String {
        switch ink {
        case .plain: ""
        case .strong: "1"
        case .faint: "38;2;132;140;150"
        case .ring: "38;2;92;124;160"
        case .north: "38;2;236;78;72"
        case .south: "38;2;160;168;178"
        case .trueNorth: "38;2;46;150;222"
        case .pointer: "1"
        case .good: "38;2;84;172;92"
        case .fair: "38;2;212;168;32"
        case .bad: "38;2;222;92;84"
        case .alert: "1;38;2;24;20;12;48;2;240;164;40"
        }
    }
}
