/// Field and its rate in the earth-centred frame: x to the equator at longitude 0, y to 90° east, z to the north pole.
struct CartesianField {
    /// nT at the start of the segment.
    var x = 0.0, y = 0.0, z = 0.0
    /// nT a year.
    var xRate = 0.0, yRate = 0.0, zRate = 0.0
}

extension ModelSegment {
    /// Sums both series at a place, without allocation.
    ///
    /// The place (x, y, z) enters through a·(x, y, z)/r², the reference radius being a: the polynomials by z, the
    /// longitudes by the powers of x + iy. Neither angles nor a division by the cosine of the latitude occur, so that
    /// the poles need no case of their own.
    ///
    /// - Parameters:
    ///   - inverted: (x, y, z) · a/r²
    ///   - ratio: a/r
    ///   - recurrence: factors up to at least the degree of `main`
    func evaluate(
        invertedX: Double, invertedY: Double, invertedZ: Double, ratio: Double, recurrence: RecurrenceFactors
    ) -> CartesianField {
        main.columns.withUnsafeBufferPointer { mainColumns in
            rate.columns.withUnsafeBufferPointer { rateColumns in
                recurrence.factors.withUnsafeBufferPointer { factors in
                    guard let mainBase = mainColumns.baseAddress, let rateBase = rateColumns.baseAddress,
                        let factorBase = factors.baseAddress
                    else { return CartesianField() }
                    return sum(
                        SeriesCursor(base: mainBase, degree: main.degree),
                        SeriesCursor(base: rateBase, degree: rate.degree), factorBase, recurrence.degree,
                        invertedX, invertedY, invertedZ, ratio)
                }
            }
        }
    }

    @inline(__always)
    private func sum(
        _ main: SeriesCursor, _ rate: SeriesCursor, _ factors: UnsafePointer<SIMD2<Double>>, _ factorDegree: Int,
        _ invertedX: Double, _ invertedY: Double, _ invertedZ: Double, _ ratio: Double
    ) -> CartesianField {
        var main = main
        var rate = rate
        var factors = factors
        let ratioSquared = SIMD2(repeating: ratio * ratio)
        let argument = SIMD2(repeating: invertedZ)
        var power = SIMD2(1.0, 0.0)
        var field = ComponentSums()
        var change = ComponentSums()
        for order in stride(from: 0, through: main.degree + 1, by: 2) {
            let both = max(0, rate.degree + 2 - order)
            let all = main.degree + 2 - order
            var fieldOrders = OrderSums()
            var changeOrders = OrderSums()
            var p = SIMD2(repeating: 1.0)
            var previous = SIMD2<Double>.zero
            var k = 0
            while k < both {
                fieldOrders.add(p, main, k)
                changeOrders.add(p, rate, k)
                let next = argument * p - factors[k] * ratioSquared * previous
                previous = p
                p = next
                k += 1
            }
            while k < all {
                fieldOrders.add(p, main, k)
                let next = argument * p - factors[k] * ratioSquared * previous
                previous = p
                p = next
                k += 1
            }
            if order == 0 {
                // The zonal harmonics alone have one neighbour, order 1, instead of two of half the weight.
                fieldOrders.belowB *= SIMD2(repeating: 2)
                changeOrders.belowB *= SIMD2(repeating: 2)
            }
            let second = SIMD2(
                power.x * invertedX - power.y * invertedY, power.x * invertedY + power.y * invertedX)
            field.add(fieldOrders, power, second)
            if both > 0 { change.add(changeOrders, power, second) }
            power = SIMD2(
                second.x * invertedX - second.y * invertedY, second.x * invertedY + second.y * invertedX)
            main.advance()
            rate.advance()
            factors += factorDegree + 2 - order
        }
        let half = 0.5 * ratio
        return CartesianField(
            x: half * field.x.sum(), y: half * field.y.sum(), z: ratio * field.z.sum(),
            xRate: half * change.x.sum(), yRate: half * change.y.sum(), zRate: ratio * change.z.sum())
    }
}

/// The four neighbouring columns that two orders μ and μ + 1 draw on: μ − 1, μ, μ + 1 and μ + 2.
private struct SeriesCursor {
    let degree: Int
    private var order = 0
    var column0: UnsafePointer<SIMD2<Double>>
    var column1: UnsafePointer<SIMD2<Double>>
    var column2: UnsafePointer<SIMD2<Double>>
    var column3: UnsafePointer<SIMD2<Double>>

    @inline(__always)
    init(base: UnsafePointer<SIMD2<Double>>, degree: Int) {
        self.degree = degree
        column0 = base + HarmonicSeries.firstOrigin
        column1 = column0 + (degree + 5)
        column2 = column1 + (degree + 4)
        column3 = column2 + (degree + 3)
    }

    /// Goes on to the next two orders. Past the last ones nothing may be read.
    @inline(__always)
    mutating func advance() {
        order += 2
        guard order <= degree + 1 else { return }
        column0 = column2
        column1 = column3
        column2 = column1 + (degree + 4 - order)
        column3 = column2 + (degree + 3 - order)
    }
}

/// Sums over the degrees for the orders μ (A) and μ + 1 (B), as (G, H), by the order that the coefficients come from.
private struct OrderSums {
    var belowA = SIMD2<Double>.zero, sameA = SIMD2<Double>.zero, aboveA = SIMD2<Double>.zero
    var belowB = SIMD2<Double>.zero, sameB = SIMD2<Double>.zero, aboveB = SIMD2<Double>.zero

    @inline(__always)
    mutating func add(_ p: SIMD2<Double>, _ series: SeriesCursor, _ k: Int) {
        let a = SIMD2(repeating: p.x)
        let b = SIMD2(repeating: p.y)
        belowA += a * series.column0[k]
        sameA += a * series.column1[k - 1]
        aboveA += a * series.column2[k - 2]
        belowB += b * series.column1[k]
        sameB += b * series.column2[k - 1]
        aboveB += b * series.column3[k - 2]
    }
}

/// Sums over the orders; the two lanes are added at the end. x and y lack the factor ½ of the gradient.
private struct ComponentSums {
    var x = SIMD2<Double>.zero, y = SIMD2<Double>.zero, z = SIMD2<Double>.zero

    @inline(__always)
    mutating func add(_ sums: OrderSums, _ first: SIMD2<Double>, _ second: SIMD2<Double>) {
        x += (sums.belowA - sums.aboveA) * first + (sums.belowB - sums.aboveB) * second
        z += sums.sameA * first + sums.sameB * second
        y +=
            (sums.belowA + sums.aboveA) * SIMD2(first.y, -first.x)
            + (sums.belowB + sums.aboveB) * SIMD2(second.y, -second.x)
    }
}
