/// Gauss coefficients laid out for `HarmonicEvaluation`.
///
/// The gradient of a solid harmonic of degree n and order m is a sum of solid harmonics of degree n + 1 and orders
/// m − 1, m and m + 1 (Cunningham 1970; Montenbruck & Gill, "Satellite Orbits", eq. 3.33). With harmonics built on
/// *monic* Legendre polynomials p(n,m) = tⁿ⁻ᵐ + …, where P(n,m) = cosᵐφ (2n − 1)!!/(n − m)! p(n,m), all the weights of
/// that sum become equal, so that one scaled coefficient per (n, m) serves all three components:
///
///     G = κ g,  H = κ h,  κ(n,m) = √(2 − δ(m,0)) (2n + 1)!! / √((n − m)! (n + m)!)
///
/// Column m holds (G, H) of n = m, m + 1, …; two zeros before and one behind let the loop run without a condition.
struct HarmonicSeries: Sendable {
    /// Highest degree n.
    let degree: Int
    /// Columns of the orders −1 … degree + 3; column m has degree − m + 4 places, its n = m at the third.
    let columns: [SIMD2<Double>]

    /// Place of n = 0 in the first column, of order −1. The next column's begins `step` further, where step = degree
    /// + 5, and each further step is one shorter.
    static let firstOrigin = 2

    /// Lays out a set.
    init(_ set: GaussCoefficients) {
        let degree = set.degree
        self.degree = degree
        var columns = [SIMD2<Double>](repeating: .zero, count: (degree + 5) * (degree + 6) / 2)
        var zonal = 1.0
        // Origin of column m: the lengths degree + 5, degree + 4, … of the columns before it, and the two zeros.
        func origin(_ m: Int) -> Int { (m + 1) * (2 * degree + 10 - m) / 2 + Self.firstOrigin }
        for n in 1...degree {
            zonal *= Double(2 * n + 1) / Double(n)
            var scale = zonal
            for m in 0...n {
                if m > 0 {
                    let ratio = Double(n - m + 1) / Double(n + m)
                    scale *= (m == 1 ? 2 * ratio : ratio).squareRoot()
                }
                let index = GaussCoefficients.index(n, m)
                columns[origin(m) + n - m] = SIMD2(scale * set.g[index], scale * set.h[index])
            }
        }
        self.columns = columns
    }
}

/// Factors of the three-term recurrence of the monic Legendre polynomials, for two neighbouring orders at once:
/// p(n,m) = t p(n−1,m) − β p(n−2,m), β = ((n − 1)² − m²) / ((2n − 1)(2n − 3)).
struct RecurrenceFactors: Sendable {
    /// Highest degree of the series that it serves; harmonics reach one degree higher.
    let degree: Int
    /// For the orders (μ, μ + 1), μ = 0, 2, …: degree + 2 − μ places, the k-th with the β that lead to n − m = k + 1.
    let factors: [SIMD2<Double>]

    /// Factors up to a degree.
    init(degree: Int) {
        self.degree = degree
        var factors: [SIMD2<Double>] = []
        for order in stride(from: 0, through: degree + 1, by: 2) {
            for k in 0..<(degree + 2 - order) {
                factors.append(SIMD2(Self.factor(order, k + 1), Self.factor(order + 1, k + 1)))
            }
        }
        self.factors = factors
    }

    private static func factor(_ m: Int, _ k: Int) -> Double {
        let n = m + k
        return Double((k - 1) * (2 * m + k - 1)) / Double((2 * n - 1) * (2 * n - 3))
    }
}
