/// Coefficients kept in the program as text: whole numbers of the published files' last decimal, which read faster
/// than decimals and cost nothing until a model is used. `scripts/embed-magnetic-models` writes them.
struct EmbeddedModel: Sendable {
    let name: String
    let displayName: String
    let releaseDate: String?
    let epochs: [Double]
    /// Degree of each epoch's set.
    let degrees: [Int]
    /// Degree of the rates after the last epoch.
    let rateDegree: Int
    let validYears: ClosedRange<Double>
    /// What one nT, or nT a year, counts.
    let scale: Double
    /// Set by set, then the rates: for each n and m: g and, if m > 0, h.
    let numbers: StaticString

    /// Reads the numbers.
    func table() -> CoefficientTable {
        numbers.withUTF8Buffer { bytes in
            var position = 0
            let sets = degrees.map { readSet(degree: $0, bytes, &position) }
            let rates = readSet(degree: rateDegree, bytes, &position)
            precondition(position >= bytes.count, "embedded model \(name) has more numbers than its degrees say")
            return CoefficientTable(
                displayName: displayName, releaseDate: releaseDate, epochs: epochs, sets: sets, rates: rates,
                validYears: validYears)
        }
    }

    private func readSet(
        degree: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int
    ) -> GaussCoefficients {
        var set = GaussCoefficients(degree: degree)
        for n in 1...degree {
            for m in 0...n {
                let index = GaussCoefficients.index(n, m)
                set.g[index] = Double(readInteger(bytes, &position)) / scale
                if m > 0 { set.h[index] = Double(readInteger(bytes, &position)) / scale }
            }
        }
        return set
    }

    /// Reads a number and the blank behind it.
    private func readInteger(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Int {
        precondition(position < bytes.count, "embedded model \(name) has fewer numbers than its degrees say")
        var value = 0
        let negative = bytes[position] == UInt8(ascii: "-")
        if negative { position += 1 }
        while position < bytes.count, bytes[position] != UInt8(ascii: " ") {
            value = value * 10 + Int(bytes[position] - UInt8(ascii: "0"))
            position += 1
        }
        position += 1
        return negative ? -value : value
    }
}
