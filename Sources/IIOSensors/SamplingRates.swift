/// The rates that a device offers, as its `sampling_frequency_available` says.
enum SamplingRates: Hashable, Sendable {
    /// A set: each rate in Hz with the kernel's own spelling, ascending.
    case list([Rate])
    /// `[min step max]` in Hz.
    case range(minimum: Double, step: Double, maximum: Double)

    /// One listed rate.
    struct Rate: Hashable, Sendable {
        /// The rate in Hz, > 0.
        var hertz: Double
        /// The text to write into the rate attribute.
        var text: String
    }

    /// `0.75 1.5 3.0` or `[0.05 0.05 100]`; nil if no positive rate is left. Words that are no numbers are skipped.
    init?(_ text: String) {
        let trimmed = AttributeText.trimmed(text)
        let words = trimmed.split { $0.isWhitespace || $0 == "," || $0 == "[" || $0 == "]" || $0 == "\0" }
        if trimmed.hasPrefix("[") {
            let values = words.compactMap { AttributeText.number($0) }
            guard values.count == 3, values[1] > 0, values[2] > 0, values[2] >= values[0] else { return nil }
            self = .range(minimum: max(values[0], 0), step: values[1], maximum: values[2])
            return
        }
        let rates = words.compactMap { word -> Rate? in
            guard let hertz = AttributeText.number(word), hertz > 0 else { return nil }
            return Rate(hertz: hertz, text: String(word))
        }
        guard !rates.isEmpty else { return nil }
        self = .list(rates.sorted { $0.hertz < $1.hertz })
    }

    /// The smallest rate that is at least `wanted` Hz, else the largest there is.
    func smallest(atLeast wanted: Double) -> Rate {
        switch self {
        case .list(let rates):
            // A listed 66.666667 serves a wanted 66.6666670001.
            return rates.first { $0.hertz >= wanted * (1 - 1e-6) } ?? rates[rates.count - 1]
        case .range(let minimum, let step, let maximum):
            var hertz = minimum + ((wanted - minimum) / step - 1e-6).rounded(.up) * step
            hertz = min(max(hertz, minimum > 0 ? minimum : step), maximum)
            return Rate(hertz: hertz, text: AttributeText.decimal(hertz))
        }
    }

    /// For display: the listed rates, or the ends of the range.
    var hertz: [Double] {
        switch self {
        case .list(let rates): rates.map(\.hertz)
        case .range(let minimum, _, let maximum): [minimum, maximum]
        }
    }
}
