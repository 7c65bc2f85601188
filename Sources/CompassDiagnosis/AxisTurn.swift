public import Geometry

/// The ways in which the axes of one chip can lie along those of another or of a device: signed permutations.
public enum AxisTurn {
    /// The 24 turns, the identity first. The other 24 signed permutations are their negatives: they mirror.
    public static let proper: [Matrix3] = {
        let orders = [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)]
        var matrices: [Matrix3] = []
        for order in orders {
            for signs in 0..<8 {
                let sign = { (bit: Int) in signs & bit == 0 ? 1.0 : -1.0 }
                let matrix = Matrix3(
                    unit(order.0) * sign(1), unit(order.1) * sign(2), unit(order.2) * sign(4))
                if matrix.determinant > 0 { matrices.append(matrix) }
            }
        }
        return matrices
    }()

    /// All 48, the turns first.
    public static let all: [Matrix3] = proper + proper.map { $0 * -1 }

    /// The signed permutation that is nearest to a matrix, and the largest angle in degrees between their rows; nil for
    /// matrices that have a row of no length.
    public static func nearest(to matrix: Matrix3) -> (turn: Matrix3, degrees: Double)? {
        guard let row0 = matrix.row0.normalized, let row1 = matrix.row1.normalized, let row2 = matrix.row2.normalized
        else { return nil }
        var best: (turn: Matrix3, cosine: Double)?
        for turn in all {
            let cosine = min(row0.dot(turn.row0), row1.dot(turn.row1), row2.dot(turn.row2))
            if cosine > best?.cosine ?? -2 { best = (turn, cosine) }
        }
        return best.map { ($0.turn, Angle.degreesPerRadian * arcCosine($0.cosine)) }
    }

    /// A matrix as the kernel writes it (mount-matrix.txt): `0, 1, 0; -1, 0, 0; 0, 0, 1`. Numbers that are whole have no
    /// decimals, others six.
    public static func text(_ matrix: Matrix3) -> String {
        (0..<3).map { row in (0..<3).map { number(matrix[row, $0]) }.joined(separator: ", ") }.joined(separator: "; ")
    }

    private static func unit(_ axis: Int) -> Vector3 {
        Vector3(axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0)
    }

    private static func number(_ value: Double) -> String {
        let millionths = Int64((value * 1e6).rounded())
        if millionths.isMultiple(of: 1_000_000) { return String(millionths / 1_000_000) }
        let digits = String(abs(millionths) % 1_000_000)
        let whole = "\(millionths < 0 ? "-" : "")\(abs(millionths) / 1_000_000)"
        return whole + "." + String(repeating: "0", count: 6 - digits.count) + digits
    }
}
