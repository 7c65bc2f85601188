import Foundation
import Geometry
import LocateMeModel
import Testing

@testable import HeadingControl

@Suite("The compass rose")
struct CompassRoseTests {
    static func state(
        magnetic: Double = 273.4, trueHeading: Double = -1, accuracy: Double = 4.2, age: Double = 0.1
    ) -> RoseState {
        var heading = Heading(
            realMicroseconds: 0, bootMicroseconds: 0, magnetic: magnetic, trueHeading: trueHeading, accuracy: accuracy,
            field: Vector3(10, 20, -40), orientation: .portrait, calibration: .good, source: .fused9)
        heading.fieldStrength = 48.6
        heading.inclination = 63
        heading.turnRate = -12
        heading.pitch = 3
        heading.roll = -4
        var state = RoseState()
        state.heading = heading
        state.ageSeconds = age
        state.title = "locatemed, system bus"
        return state
    }

    /// States that people meet, and some that nobody should.
    static let states: [RoseState] = {
        var full = state(trueHeading: 276.8)
        full.heading?.declination = 3.4
        full.heading?.expectedField = 47.9
        full.heading?.expectedInclination = 63.9
        full.heading?.disturbed = true
        var fix = Fix(
            realMicroseconds: 0, bootMicroseconds: 0, latitude: -47.3769, longitude: -178.5417, horizontalAccuracy: 4.5)
        fix.altitude = 12_408
        fix.verticalAccuracy = 6
        fix.source = "漢字\u{1B}[2J a source with a very long name"
        full.fix = fix
        full.reference = .trueNorth
        var northUp = full
        northUp.dial = .northUp
        northUp.title = String(repeating: "wide 漢字 ", count: 40)
        northUp.notice = String(repeating: "something happened ", count: 30) + String(repeating: "w", count: 300)
        var strange = state(magnetic: 359.99, accuracy: 1e9, age: 1e12)
        strange.heading?.turnRate = .infinity
        strange.heading?.fieldStrength = -1e300
        strange.heading?.expectedField = 1e-300
        strange.heading?.pitch = 1e300
        strange.heading?.roll = .nan
        return [
            RoseState(), state(), full, northUp, strange, state(magnetic: -1, accuracy: -1), state(age: 60),
            state(age: .nan), state(accuracy: 180),
        ]
    }()

    @Test("fills its height and never exceeds its width", arguments: states.indices)
    func fits(index: Int) {
        let sizes: [(Int, Int)] = [
            (80, 24), (40, 15), (200, 60), (132, 43), (30, 40), (20, 5), (1, 1), (3, 2), (80, 1), (1, 60), (60, 12),
            (0, 5), (5, 0), (-3, -3),
        ]
        let styles = [
            CompassRose.Style(unicode: true, footer: ["q quit", "t true or magnetic"]), .init(unicode: false),
        ]
        for (width, height) in sizes {
            for style in styles {
                let lines = CompassRose.render(Self.states[index], width: width, height: height, style: style)
                #expect(lines.count == (width > 0 && height > 0 ? height : 0))
                for line in lines {
                    #expect(line.columns <= max(width, 0), "\(width)×\(height): \(line.text)")
                    #expect(!line.text.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
                    if !style.unicode { #expect(line.text.allSatisfy { $0.isASCII }, "\(line.text)") }
                }
            }
        }
    }

    @Test("fits at every size up to 90 by 30")
    func fitsEverywhere() {
        for width in stride(from: 1, through: 90, by: 3) {
            for height in stride(from: 1, through: 30, by: 2) {
                let lines = CompassRose.render(
                    Self.states[2], width: width, height: height, style: .init(unicode: true))
                #expect(lines.count == height && lines.allSatisfy { $0.columns <= width })
            }
        }
    }

    /// Centre of gravity of the cells of an ink, in columns right of and rows below the dial's centre, rows counted
    /// double since cells are twice as high as wide.
    private static func centroid(of ink: Ink, in dial: CompassDial, excluding letters: String) -> (
        x: Double, y: Double
    )? {
        var sum = (x: 0.0, y: 0.0, weight: 0.0)
        for (row, line) in dial.canvas.lines(unicode: true).enumerated() {
            var column = 0
            for span in line.spans {
                for character in span.text {
                    if span.ink == ink, !letters.contains(character) {
                        let dots = character.unicodeScalars.first.map { Double(($0.value & 0xFF).nonzeroBitCount) } ?? 0
                        sum.x += dots * (Double(column) + 0.5 - Double(dial.canvas.columns) / 2)
                        sum.y += dots * 2 * (Double(row) + 0.5 - Double(dial.canvas.rows) / 2)
                        sum.weight += dots
                    }
                    column += 1
                }
            }
        }
        return sum.weight > 0 ? (sum.x / sum.weight, sum.y / sum.weight) : nil
    }

    /// Degrees clockwise from the top of the screen.
    private static func bearing(_ point: (x: Double, y: Double)) -> Double {
        Angle.wrap360(atan2(point.x, -point.y) * Angle.degreesPerRadian)
    }

    @Test("points the needle to magnetic north, whatever the heading", arguments: (0..<24).map { Double($0) * 15 })
    func needle(heading: Double) throws {
        // Heading h with the device's direction up: north lies at −h on the screen.
        let dial = CompassDial(Self.state(magnetic: heading), columns: 44, rows: 22, unicode: true)
        let north = try #require(Self.centroid(of: .north, in: dial, excluding: "N"))
        #expect(Angle.turn(from: -heading, to: Self.bearing(north)).magnitude < 4)
        // A rhombus of half-length L has the centre of gravity of its half at L/3.
        let length = (north.x * north.x + north.y * north.y).squareRoot()
        #expect((3...7).contains(length))
        let south = try #require(Self.centroid(of: .south, in: dial, excluding: ""))
        #expect(Angle.turn(from: 180 - heading, to: Self.bearing(south)).magnitude < 6)
    }

    @Test(
        "points the needle to magnetic and the marker to true north with north up",
        arguments: [(10.0, 30.0), (350, 5), (100, 80), (200, 200)])
    func northUp(magnetic: Double, trueHeading: Double) throws {
        var state = Self.state(magnetic: magnetic, trueHeading: trueHeading)
        state.dial = .northUp
        state.reference = .trueNorth
        let angles = CompassDial.angles(state)
        // True north is up; magnetic north lies east of it by the declination true − magnetic.
        #expect(angles.card == 0)
        let expected = [(angles.trueNorth, 0), (angles.needle, trueHeading - magnetic), (angles.pointer, trueHeading)]
        for (angle, bearing) in expected {
            #expect(Angle.turn(from: try #require(angle), to: bearing).magnitude < 1e-9)
        }
        let dial = CompassDial(state, columns: 60, rows: 30, unicode: true)
        let north = try #require(Self.centroid(of: .north, in: dial, excluding: "N"))
        #expect(Angle.turn(from: trueHeading - magnetic, to: Self.bearing(north)).magnitude < 4)
        let marker = try #require(Self.centroid(of: .trueNorth, in: dial, excluding: ""))
        #expect(Angle.turn(from: 0, to: Self.bearing(marker)).magnitude < 4)
    }

    @Test("is the mirror image for the opposite heading", arguments: [10.0, 37, 90, 145])
    func mirror(heading: Double) {
        func dots(_ heading: Double) -> [[Int]] {
            var state = Self.state(magnetic: heading)
            state.ageSeconds = 0
            return CompassDial(state, columns: 44, rows: 22, unicode: true).canvas.lines(unicode: true).map { line in
                line.text.map { character -> Int in
                    let code = character.unicodeScalars.first?.value ?? 0
                    return (0x2800..<0x2900).contains(code) ? (code & 0xFF).nonzeroBitCount : 0
                }
            }
        }
        let right = dots(heading)
        let left = dots(360 - heading)
        // Letters stand on whole cells and may fall one cell apart, and rounding moves single dots; the picture as a
        // whole must be the same.
        var difference = 0
        for (row, mirrored) in zip(right, left) {
            for (cell, other) in zip(row, mirrored.reversed()) { difference += abs(cell - other) }
        }
        let total = right.joined().reduce(0, +)
        #expect(Double(difference) < 0.12 * Double(total), "\(difference) of \(total)")
    }

    @Test("widens the accuracy arc with the accuracy")
    func arc() {
        func cells(_ accuracy: Double) -> Int {
            let dial = CompassDial(Self.state(magnetic: 20, accuracy: accuracy), columns: 60, rows: 30, unicode: true)
            let ink = RosePanel.ink(accuracy: accuracy)
            return dial.canvas.lines(unicode: true).flatMap(\.spans).filter { $0.ink == ink }.map(\.text.count).reduce(
                0, +)
        }
        let widths = [16.0, 30, 60, 120, 180].map(cells)
        #expect(widths == widths.sorted() && widths[4] > 5 * widths[0] && widths[0] > 0)
        #expect(cells(500) == cells(180))
    }

    @Test("shows no needle and no number without a valid heading", arguments: [0, 5])
    func invalid(index: Int) {
        let state = Self.states[index]
        #expect(CompassDial.angles(state).needle == nil)
        let text = CompassRose.render(state, width: 80, height: 24, style: .init(unicode: true)).map(\.text).joined()
        #expect(!text.contains("°"))
        #expect(CompactLine.render(state, width: 80, unicode: true).text.contains("no heading"))
    }

    @Test("shows an old heading as old, in faint ink")
    func stale() {
        let lines = CompassRose.render(Self.state(age: 60), width: 80, height: 24, style: .init(unicode: true))
        #expect(lines.map(\.text).joined().contains("1 min ago"))
        #expect(!lines.flatMap(\.spans).contains { $0.ink == .north || $0.ink == .good })
    }

    @Test("says what everything is: numbers, cardinal point, place, calibration, disturbance")
    func words() {
        let text = CompassRose.render(Self.states[2], width: 100, height: 30, style: .init(unicode: true))
            .map(\.text).joined(separator: "\n")
        for word in [
            "273.4° W", "276.8° W", "3.4° E", "±4.2°", "48.6 µT", "47.9", "63.0°", "63.9°", "good", "47.37690° S",
            "178.54170° W", "fused-9", "0.1 s ago", "not the earth's", "12°/s",
        ] {
            #expect(text.contains(word), "\(word) is missing")
        }
    }

    @Test("draws digits of equal width", arguments: [true, false])
    func digits(unicode: Bool) {
        for digit in "0123456789-" {
            let lines = BigDigits.lines(String(digit), unicode: unicode)
            #expect(lines.count == BigDigits.rows && lines.allSatisfy { $0.count == (unicode ? 5 : 3) })
        }
        #expect(Set("0123456789".map { BigDigits.lines(String($0), unicode: unicode) }).count == 10)
    }

    @Test("keeps the compact line within any width", arguments: states.indices)
    func compact(index: Int) {
        for width in 0...120 {
            for unicode in [true, false] {
                let line = CompactLine.render(Self.states[index], width: width, unicode: unicode)
                #expect(line.columns <= width)
                if !unicode { #expect(line.text.allSatisfy { $0.isASCII }) }
            }
        }
    }

    @Test("puts a gauge's mark where the value is")
    func gauge() {
        func position(_ value: Double) -> Int? {
            Array(Gauge.centred(value, limit: 10, columns: 21, ink: .good, unicode: true).text).firstIndex(of: "●")
        }
        #expect(
            position(0) == 10 && position(10) == 20 && position(-10) == 0 && position(1e9) == 20 && position(5) == 15)
        #expect(position(.nan) == nil)
        #expect(Gauge.bar(-10, limit: 10, columns: 5, ink: .good, unicode: false).text == "==+--")
        #expect(Gauge.steps(3, of: 4, ink: .good, unicode: false).text == "###.")
    }
}
