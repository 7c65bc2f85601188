internal import Geometry
internal import MagnetometerCalibration

/// The covered directions as two discs of dots: the half of the sphere that the screen faces, and the half that the back
/// faces. Lambert's azimuthal projection keeps areas, so that a disc is as full as its half is covered.
enum CoverageGlobe {
    /// Two discs side by side, each of `size` rows, with titles below. `bins`: one value per cell of `SphereCoverage`, 0
    /// empty … 1 full; anything else draws empty discs.
    static func lines(bins: [Double], size: Int, unicode: Bool) -> [StyledLine] {
        let rows = max(4, size)
        let gap = 4
        var canvas = DotCanvas(columns: rows * 4 + gap, rows: rows + 1)
        for disc in 0..<2 {
            let left = disc * (rows * 2 + gap) * 2
            draw(&canvas, bins: bins, left: left, diameter: rows * 4, isScreenSide: disc == 0)
            let title = disc == 0 ? "screen side" : "back side"
            canvas.write(title, column: left / 2 + rows - title.count / 2, row: rows, .faint)
        }
        return canvas.lines(unicode: unicode)
    }

    private static func draw(
        _ canvas: inout DotCanvas, bins: [Double], left: Int, diameter: Int, isScreenSide: Bool
    ) {
        let radius = Double(diameter) / 2
        for y in 0..<diameter {
            for x in 0..<diameter {
                let (right, up) = ((Double(x) + 0.5 - radius) / radius, (radius - Double(y) - 0.5) / radius)
                let squared = right * right + up * up
                guard squared <= 1 else { continue }
                if squared > square(1 - 2.2 / radius) {
                    canvas.set(left + x, y, .ring, layer: 1, mark: "o")
                    continue
                }
                // ρ = √2·sin(c/2) with ρ = 1 on the equator; seen from behind, right and left change places.
                let height = 1 - squared
                let spread = max(0, 1 - height * height).squareRoot() / max(squared.squareRoot(), 1e-9)
                let direction = Vector3(
                    right * spread * (isScreenSide ? 1 : -1), up * spread, isScreenSide ? height : -height)
                let fill = value(bins, in: direction)
                // Every second dot of a chequer for half-filled cells, every fourth for empty ones.
                if fill >= 0.99 {
                    canvas.set(left + x, y, .good, layer: 0, mark: "#")
                } else if fill > 0, (x + y) % 2 == 0 {
                    canvas.set(left + x, y, .fair, layer: 0, mark: "+")
                } else if fill <= 0, x % 4 == 1, y % 4 == 1 {
                    canvas.set(left + x, y, .faint, layer: 0, mark: ".")
                }
            }
        }
    }

    private static func value(_ bins: [Double], in direction: Vector3) -> Double {
        guard bins.count == SphereCoverage.cells, let cell = SphereCoverage.cell(of: direction) else { return 0 }
        return bins[cell]
    }

    private static func square(_ value: Double) -> Double { value * value }
}
