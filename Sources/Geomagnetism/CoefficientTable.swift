/// What a coefficient file says: Gauss coefficients at one or more epochs and the rates after the last.
struct CoefficientTable: Equatable, Sendable {
    /// Largest degree accepted. 790 is that of the largest field model in these formats (EMM2017).
    static let maximumDegree = 790

    /// Name as the field writes it, "WMM-2025".
    var displayName: String
    /// Day of release as the file has it; nil if it has none.
    var releaseDate: String?
    /// Decimal years of `sets`, ascending.
    var epochs: [Double]
    /// Coefficients at each epoch in nT.
    var sets: [GaussCoefficients]
    /// nT a year after the last epoch; nil where the last epoch ends the model, or for a model without change.
    var rates: GaussCoefficients?
    /// Decimal years for which the model is meant.
    var validYears: ClosedRange<Double>

    /// Highest degree of all epochs.
    var degree: Int { sets.reduce(1) { max($0, $1.degree) } }

    /// The pieces of time within which the coefficients change linearly.
    func segments() -> [ModelSegment] {
        var result: [ModelSegment] = []
        for i in sets.indices {
            let rate: GaussCoefficients
            if i + 1 < sets.count {
                rate = sets[i].rate(to: sets[i + 1], years: epochs[i + 1] - epochs[i])
            } else if let rates {
                rate = rates
            } else if sets.count == 1 {
                rate = GaussCoefficients(degree: 1)
            } else {
                break
            }
            let rateDegree = rate.usedDegree
            let degree = max(sets[i].usedDegree, rateDegree)
            result.append(
                ModelSegment(
                    start: epochs[i], main: HarmonicSeries(sets[i].resized(to: degree)),
                    rate: HarmonicSeries(rate.resized(to: rateDegree))))
        }
        return result
    }
}

/// A piece of time from `start` on in which B(t) = main + (t − start) · rate.
struct ModelSegment: Sendable {
    /// Decimal year.
    let start: Double
    /// Field at `start`.
    let main: HarmonicSeries
    /// Change a year; its degree is not above that of `main`.
    let rate: HarmonicSeries
}
