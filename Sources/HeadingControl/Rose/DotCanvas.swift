/// A picture made of dots, 2 wide and 4 high in each character cell, over which text can be laid. With the usual
/// cells, twice as high as wide, dots are square.
///
/// A cell has one ink: that of the highest layer drawn in it. Unicode pictures use the braille patterns U+2800…28FF,
/// ASCII pictures one character a cell.
struct DotCanvas {
    /// Cells from left to right.
    let columns: Int
    /// Cells from top to bottom.
    let rows: Int
    private var cells: [Cell]

    private struct Cell {
        var dots: UInt8 = 0
        var ink = Ink.plain
        var layer = Int8.min
        var mark: Character = " "
        /// Text over the dots; a wide character's second cell holds nil in `text` and is skipped.
        var text: Character?
    }

    /// An empty canvas; negative sizes count as zero.
    init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        cells = Array(repeating: Cell(), count: self.columns * self.rows)
    }

    /// Dots from left to right.
    var width: Int { columns * 2 }
    /// Dots from top to bottom.
    var height: Int { rows * 4 }

    /// Sets a dot, counted from the top left; outside the canvas nothing happens. `mark` stands for it in ASCII.
    mutating func set(_ x: Int, _ y: Int, _ ink: Ink, layer: Int8, mark: Character) {
        guard x >= 0, y >= 0, x < width, y < height else { return }
        let index = (y / 4) * columns + x / 2
        cells[index].dots |= Self.bit(x % 2, y % 4)
        if layer >= cells[index].layer {
            cells[index].layer = layer
            cells[index].ink = ink
            cells[index].mark = mark
        }
    }

    /// Lays a text over the dots, beginning at a cell; what lies outside is cut off. Single-width characters only.
    mutating func write(_ text: String, column: Int, row: Int, _ ink: Ink) {
        guard row >= 0, row < rows else { return }
        for (offset, character) in text.enumerated() where column + offset >= 0 && column + offset < columns {
            let index = row * columns + column + offset
            cells[index].text = character
            cells[index].ink = ink
            cells[index].layer = .max
        }
    }

    /// The picture as lines of exactly `columns`.
    func lines(unicode: Bool) -> [StyledLine] {
        (0..<rows).map { row in
            var line = StyledLine()
            for cell in cells[(row * columns)..<((row + 1) * columns)] {
                if let text = cell.text {
                    line.append(String(text), cell.ink)
                } else if cell.dots == 0 {
                    line.append(" ", .plain)
                } else {
                    line.append(String(unicode ? Self.braille(cell.dots) : cell.mark), cell.ink)
                }
            }
            return line
        }
    }

    /// Unicode 15, chapter 21.1: dots 1–3 and 7 are the left column from the top, 4–6 and 8 the right one; bit n−1
    /// stands for dot n.
    private static func bit(_ x: Int, _ y: Int) -> UInt8 {
        switch (x, y) {
        case (0, 3): 0x40
        case (1, 3): 0x80
        case (0, _): 1 << UInt8(y)
        default: 8 << UInt8(y)
        }
    }

    private static func braille(_ dots: UInt8) -> Character {
        Unicode.Scalar(0x2800 + UInt32(dots)).map(Character.init) ?? " "
    }
}
