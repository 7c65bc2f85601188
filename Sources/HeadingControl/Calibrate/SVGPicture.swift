/// A scalable picture that grows element by element. Coordinates in pixels from the top left.
struct SVGPicture {
    private let width: Int
    private let height: Int
    private var body = ""

    /// An empty picture on white.
    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The whole file.
    var text: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
        font-family="sans-serif" font-size="12">
        <rect width="100%" height="100%" fill="white"/>
        \(body)</svg>

        """
    }

    /// A filled dot.
    mutating func dot(_ x: Double, _ y: Double, radius: Double, fill: String, opacity: Double = 1) {
        body += "<circle cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"\(number(radius))\" fill=\"\(fill)\""
        body += opacity < 1 ? " fill-opacity=\"\(number(opacity))\"/>\n" : "/>\n"
    }

    /// The outline of a circle.
    mutating func circle(_ x: Double, _ y: Double, radius: Double, stroke: String) {
        body +=
            "<circle cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"\(number(radius))\" fill=\"none\" stroke=\"\(stroke)\"/>\n"
    }

    /// A filled rectangle.
    mutating func box(_ x: Double, _ y: Double, width: Double, height: Double, fill: String, stroke: String = "none") {
        body += "<rect x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" height=\"\(number(height))\" "
        body += "fill=\"\(fill)\" stroke=\"\(stroke)\"/>\n"
    }

    /// A straight line.
    mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, stroke: String) {
        body += "<line x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\" y2=\"\(number(y2))\" "
        body += "stroke=\"\(stroke)\"/>\n"
    }

    /// A text; `anchor` is start, middle or end.
    mutating func text(
        _ text: String, _ x: Double, _ y: Double, size: Int = 12, anchor: String = "start", fill: String = "#222"
    ) {
        body += "<text x=\"\(number(x))\" y=\"\(number(y))\" font-size=\"\(size)\" text-anchor=\"\(anchor)\" "
        body += "fill=\"\(fill)\">\(Self.escape(text))</text>\n"
    }

    private func number(_ value: Double) -> String { DecimalText.trimmed(value.isFinite ? value : 0, decimals: 1) }

    private static func escape(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
