/// One set of Gauss coefficients, Schmidt semi-normalised, in nT (or nT a year for a set of rates).
struct GaussCoefficients: Equatable, Sendable {
    /// Highest degree n of the set, at least 1.
    let degree: Int
    /// g of every degree and order, see `index`.
    var g: [Double]
    /// h of every degree and order; 0 for order 0.
    var h: [Double]

    /// A set of zeros.
    init(degree: Int) {
        self.degree = degree
        let count = Self.count(degree: degree)
        g = [Double](repeating: 0, count: count)
        h = [Double](repeating: 0, count: count)
    }

    /// Number of (n, m) pairs with 1 ≤ n ≤ degree.
    static func count(degree: Int) -> Int { degree * (degree + 3) / 2 }

    /// Place of degree n ≥ 1 and order 0 ≤ m ≤ n.
    static func index(_ n: Int, _ m: Int) -> Int { n * (n + 1) / 2 + m - 1 }

    /// Highest degree that holds a value other than zero, at least 1.
    var usedDegree: Int {
        for n in stride(from: degree, through: 2, by: -1) {
            for m in 0...n where g[Self.index(n, m)] != 0 || h[Self.index(n, m)] != 0 { return n }
        }
        return 1
    }

    /// The same set cut or padded with zeros to a degree.
    func resized(to degree: Int) -> GaussCoefficients {
        var result = GaussCoefficients(degree: degree)
        for i in 0..<min(g.count, result.g.count) {
            result.g[i] = g[i]
            result.h[i] = h[i]
        }
        return result
    }

    /// The linear rate that leads from this set to a later one.
    func rate(to later: GaussCoefficients, years: Double) -> GaussCoefficients {
        var result = later.resized(to: max(degree, later.degree))
        for i in result.g.indices {
            result.g[i] = (result.g[i] - (i < g.count ? g[i] : 0)) / years
            result.h[i] = (result.h[i] - (i < h.count ? h[i] : 0)) / years
        }
        return result
    }
}
