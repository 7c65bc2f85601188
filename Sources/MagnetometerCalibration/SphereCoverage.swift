public import Geometry

import func Glibc.atan2
import func Glibc.cos
import func Glibc.sin

/// Which directions of the sphere the samples of a calibration have covered, in 100 cells of equal area: ten bands of
/// equal height, each cut into ten sectors (equal height means equal area: Archimedes). Fixed storage, for fits and for
/// pictures.
public struct SphereCoverage: Sendable {
    /// Number of cells.
    public static let cells = 100
    private var counts = InlineArray<100, UInt32>(repeating: 0)

    /// Nothing covered.
    public init() {}

    /// Counts the direction of a vector; zero and non-finite vectors count nowhere.
    public mutating func add(_ direction: Vector3) {
        guard let cell = Self.cell(of: direction) else { return }
        counts[cell] = counts[cell] &+ 1
    }

    /// Samples in a cell, 0 ≤ index < 100; other indices trap.
    public subscript(cell: Int) -> UInt32 { counts[cell] }

    /// Share of the cells that hold a sample, 0…1.
    public var share: Double {
        var covered = 0
        for cell in 0..<Self.cells where counts[cell] > 0 { covered += 1 }
        return Double(covered) / Double(Self.cells)
    }

    /// The cell of a direction: band (from −z to +z) times ten plus sector (from −x, counter-clockwise); nil for zero
    /// and non-finite vectors.
    public static func cell(of direction: Vector3) -> Int? {
        guard let unit = direction.normalized else { return nil }
        let band = min(9, max(0, Int((unit.z + 1) * 5)))
        let sector = min(9, max(0, Int((atan2(unit.y, unit.x) + .pi) / (2 * .pi) * 10)))
        return band * 10 + sector
    }

    /// The direction in a cell's middle, a unit vector: where to put a dot in a picture.
    public static func direction(ofCell cell: Int) -> Vector3 {
        let height = (Double(cell / 10) + 0.5) / 5 - 1
        let angle = (Double(cell % 10) + 0.5) / 10 * 2 * .pi - .pi
        let radius = (1 - height * height).squareRoot()
        return Vector3(radius * cos(angle), radius * sin(angle), height)
    }
}
