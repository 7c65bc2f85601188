/// Whether a date lies in the years for which a model is meant.
public enum ModelValidity: Hashable, Sendable {
    /// It does.
    case valid
    /// It lies before them, by so many years.
    case notYetValid(years: Double)
    /// It lies behind them, by so many years.
    case expired(years: Double)

    init(year: Double, validYears: ClosedRange<Double>) {
        if year < validYears.lowerBound {
            self = .notYetValid(years: validYears.lowerBound - year)
        } else if year > validYears.upperBound {
            self = .expired(years: year - validYears.upperBound)
        } else {
            self = .valid
        }
    }

    /// Whether the date lies inside.
    public var isValid: Bool { self == .valid }

    /// Years outside, 0 if valid.
    public var yearsOutside: Double {
        switch self {
        case .valid: 0
        case .notYetValid(let years), .expired(let years): years
        }
    }
}
