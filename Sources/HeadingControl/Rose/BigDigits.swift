/// Digits three rows high, for a number that can be read from across the room.
enum BigDigits {
    /// Rows of the tall digits.
    static let rows = 3

    /// Half blocks: each digit is five columns wide and, in six half rows, five high.
    private static let blocks: [Character: [String]] = [
        "0": ["█▀▀▀█", "█   █", "█▄▄▄█"], "1": [" ▀█  ", "  █  ", " ▄█▄ "], "2": ["▀▀▀▀█", "█▀▀▀▀", "█▄▄▄▄"],
        "3": ["▀▀▀▀█", " ▀▀▀█", "▄▄▄▄█"], "4": ["█   █", "▀▀▀▀█", "    █"], "5": ["█▀▀▀▀", "▀▀▀▀█", "▄▄▄▄█"],
        "6": ["█▀▀▀▀", "█▀▀▀█", "█▄▄▄█"], "7": ["▀▀▀▀█", "    █", "    █"], "8": ["█▀▀▀█", "█▀▀▀█", "█▄▄▄█"],
        "9": ["█▀▀▀█", "▀▀▀▀█", "▄▄▄▄█"], "-": ["     ", "▀▀▀▀▀", "     "], "°": ["█▀█", "▀▀▀", "   "],
    ]

    /// Seven segments of ASCII.
    private static let segments: [Character: [String]] = [
        "0": [" _ ", "| |", "|_|"], "1": ["   ", "  |", "  |"], "2": [" _ ", " _|", "|_ "],
        "3": [" _ ", " _|", " _|"], "4": ["   ", "|_|", "  |"], "5": [" _ ", "|_ ", " _|"],
        "6": [" _ ", "|_ ", "|_|"], "7": [" _ ", "  |", "  |"], "8": [" _ ", "|_|", "|_|"],
        "9": [" _ ", "|_|", " _|"], "-": ["   ", " _ ", "   "], "°": ["o", " ", " "],
    ]

    /// The text as three lines of equal width; characters other than digits, "-" and "°" are left out.
    static func lines(_ text: String, unicode: Bool) -> [String] {
        let glyphs = text.compactMap { (unicode ? blocks : segments)[$0] }
        return (0..<rows).map { row in glyphs.map { $0[row] }.joined(separator: " ") }
    }
}
