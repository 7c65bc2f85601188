internal import Geometry
internal import LocateMeModel

import func Glibc.atan2
import func Glibc.cos
import func Glibc.sin

/// Draws the round part of the compass: ring and ticks, letters and degrees of the card, the needle to magnetic
/// north, the marker of true north, and the pointer with the arc of the accuracy around it.
///
/// Angles on the screen are degrees clockwise from the top. Lengths are in dots.
struct CompassDial {
    /// The picture, of the size asked for.
    private(set) var canvas: DotCanvas
    private let centreX: Double
    private let centreY: Double
    private let radius: Double

    /// Layers of `DotCanvas`, low to high.
    private enum Layer {
        static let ring: Int8 = 0
        static let arc: Int8 = 1
        static let needle: Int8 = 2
        static let marker: Int8 = 3
        static let pointer: Int8 = 4
    }

    /// Width of the band around the ring for pointer and arc.
    private let rim: Double
    /// Below this radius there is no room for degrees between the letters.
    private static let radiusWithDegrees = 26.0

    /// Draws a state into so many cells.
    init(_ state: RoseState, columns: Int, rows: Int, unicode: Bool) {
        canvas = DotCanvas(columns: columns, rows: rows)
        centreX = Double(canvas.width - 1) / 2
        centreY = Double(canvas.height - 1) / 2
        let half = Double(min(canvas.width, canvas.height)) / 2 - 0.5
        rim = max(4, half * 0.07)
        radius = half - rim
        guard radius >= 6 else { return }
        let angles = Self.angles(state)
        let isLive = state.isLive
        drawRing()
        drawTicks(card: angles.card)
        if let pointer = angles.pointer, let accuracy = state.accuracy {
            drawArc(at: pointer, halfWidth: accuracy, isLive ? RosePanel.ink(accuracy: accuracy) : .faint)
            drawPointer(at: pointer, isLive ? .pointer : .faint)
        }
        if let needle = angles.needle {
            drawNeedle(at: needle, north: isLive ? .north : .faint, south: isLive ? .south : .faint)
        }
        if let trueNorth = angles.trueNorth {
            drawMarker(at: trueNorth, isLive ? .trueNorth : .faint, unicode: unicode)
        }
        drawCard(card: angles.card, isLive: isLive)
    }

    /// Where things are on the screen; nil: not shown.
    struct Angles: Hashable {
        /// The N of the card.
        var card: Double
        /// The needle's north end.
        var needle: Double?
        /// True north.
        var trueNorth: Double?
        /// The device's direction.
        var pointer: Double?
    }

    /// Without a valid heading only the card is shown, N up.
    static func angles(_ state: RoseState) -> Angles {
        guard let magnetic = state.magnetic, let shown = state.shown else { return Angles(card: 0) }
        // Magnetic bearing of what is up on the screen.
        let up =
            switch state.dial {
            case .headingUp: magnetic
            case .northUp: magnetic - shown
            }
        return Angles(
            card: Angle.wrap360(magnetic - shown - up), needle: Angle.wrap360(-up),
            trueNorth: state.trueHeading.map { Angle.wrap360(magnetic - $0 - up) },
            pointer: Angle.wrap360(magnetic - up))
    }

    private func point(_ degrees: Double, _ distance: Double) -> (x: Double, y: Double) {
        let angle = degrees * Angle.radiansPerDegree
        return (centreX + distance * sin(angle), centreY - distance * cos(angle))
    }

    private mutating func set(_ point: (x: Double, y: Double), _ ink: Ink, _ layer: Int8, _ mark: Character) {
        canvas.set(Int(point.x.rounded()), Int(point.y.rounded()), ink, layer: layer, mark: mark)
    }

    /// Calls `body` for each dot of a square around a point, with the dot's offset from it, y up.
    private mutating func around(
        _ centre: (x: Double, y: Double), _ reach: Double, _ body: (inout DotCanvas, Int, Int, Double, Double) -> Void
    ) {
        let columns = Int((centre.x - reach).rounded(.down))...Int((centre.x + reach).rounded(.up))
        for y in Int((centre.y - reach).rounded(.down))...Int((centre.y + reach).rounded(.up)) {
            for x in columns { body(&canvas, x, y, Double(x) - centre.x, centre.y - Double(y)) }
        }
    }

    private mutating func drawRing() {
        let radius = radius
        around((centreX, centreY), radius + 1) { canvas, x, y, right, up in
            let distance = (right * right + up * up).squareRoot()
            if (distance - radius).magnitude < max(0.5, radius * 0.011) {
                canvas.set(x, y, .ring, layer: Layer.ring, mark: ".")
            }
        }
    }

    private mutating func drawTicks(card: Double) {
        for degrees in stride(from: 0.0, to: 360, by: radius < Self.radiusWithDegrees ? 30 : radius < 70 ? 10 : 5) {
            let isLong = degrees.truncatingRemainder(dividingBy: 30) == 0
            let isShort = degrees.truncatingRemainder(dividingBy: 10) != 0
            let inner = radius - max(1.5, (isLong ? 0.13 : isShort ? 0.03 : 0.06) * radius)
            drawLine(from: point(card + degrees, inner), to: point(card + degrees, radius), mark: isLong ? ":" : ".")
        }
    }

    /// One dot for each step along the longer axis, so that lines are thin and even in all directions.
    private mutating func drawLine(from start: (x: Double, y: Double), to end: (x: Double, y: Double), mark: Character)
    {
        let steps = max(1, max((end.x - start.x).magnitude, (end.y - start.y).magnitude).rounded())
        for step in 0...Int(steps) {
            let share = Double(step) / steps
            set((start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share), .ring, Layer.ring, mark)
        }
    }

    private mutating func drawArc(at degrees: Double, halfWidth: Double, _ ink: Ink) {
        let inner = radius - 0.5
        let outer = radius + rim * 0.45
        around((centreX, centreY), outer + 1) { canvas, x, y, right, up in
            let distance = (right * right + up * up).squareRoot()
            guard distance >= inner, distance <= outer else { return }
            let bearing = atan2(right, up) * Angle.degreesPerRadian
            guard Angle.turn(from: degrees, to: bearing).magnitude <= halfWidth else { return }
            canvas.set(x, y, ink, layer: Layer.arc, mark: "=")
        }
    }

    /// A wedge outside the ring that points at its middle.
    private mutating func drawPointer(at degrees: Double, _ ink: Ink) {
        let angle = degrees * Angle.radiansPerDegree
        let (sine, cosine) = (sin(angle), cos(angle))
        let tip = radius - rim * 0.6
        let length = rim * 1.6
        around(point(degrees, radius + rim / 2), length) { [centreX, centreY] canvas, x, y, _, _ in
            let right = Double(x) - centreX
            let up = centreY - Double(y)
            let along = right * sine + up * cosine - tip
            let across = right * cosine - up * sine
            guard along >= -0.25, along <= length + 0.2, across.magnitude <= along * 0.45 + 0.25 else { return }
            canvas.set(x, y, ink, layer: Layer.pointer, mark: "V")
        }
    }

    /// A rhombus: the north half is full, the south half a grid, so that they differ without colours too.
    private mutating func drawNeedle(at degrees: Double, north: Ink, south: Ink) {
        let angle = degrees * Angle.radiansPerDegree
        let (sine, cosine) = (sin(angle), cos(angle))
        let length = radius * 0.62
        let halfWidth = max(1.6, radius * 0.12)
        around((centreX, centreY), length + 1) { canvas, x, y, right, up in
            let along = (right * sine + up * cosine) / length
            let across = ((right * cosine - up * sine) / halfWidth).magnitude
            guard along.magnitude + across <= 1 else { return }
            if along >= 0 {
                canvas.set(x, y, north, layer: Layer.needle, mark: "#")
            } else if (x + y) % 2 == 0 {
                canvas.set(x, y, south, layer: Layer.needle - 1, mark: "o")
            }
        }
    }

    /// A diamond on the ring.
    private mutating func drawMarker(at degrees: Double, _ ink: Ink, unicode: Bool) {
        let size = max(1.5, min(radius * 0.07, rim))
        around(point(degrees, radius), size) { canvas, x, y, right, up in
            guard right.magnitude + up.magnitude <= size + 0.2 else { return }
            canvas.set(x, y, ink, layer: Layer.marker, mark: "T")
        }
    }

    private mutating func drawCard(card: Double, isLive: Bool) {
        let letters: [(degrees: Double, text: String)] = [(0, "N"), (90, "E"), (180, "S"), (270, "W")]
        let distance = radius < Self.radiusWithDegrees ? radius * 0.7 : radius * 0.75
        if radius >= Self.radiusWithDegrees {
            for degrees in stride(from: 0, to: 360, by: 30) where degrees % 90 != 0 {
                write(String(degrees), at: card + Double(degrees), distance, .faint)
            }
        }
        for letter in letters {
            let ink: Ink = letter.text == "N" ? (isLive ? .north : .strong) : .strong
            write(letter.text, at: card + letter.degrees, distance, ink)
        }
    }

    private mutating func write(_ text: String, at degrees: Double, _ distance: Double, _ ink: Ink) {
        let centre = point(degrees, distance)
        let left = centre.x + 0.5 - Double(text.count)
        canvas.write(
            text, column: Int((left / 2).rounded()), row: Int((centre.y / 4).rounded(.down)), ink)
    }
}
