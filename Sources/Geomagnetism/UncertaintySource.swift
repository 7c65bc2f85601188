/// Where the uncertainty of a model comes from.
enum UncertaintySource: Equatable, Sendable {
    /// The same at all dates within the model's years.
    case constant(ErrorModel)
    /// That of the IGRF, which depends on the date.
    case igrf

    /// The source for a model by the name in its file: a WMM of a later year gets the constants of WMM2025.
    init(displayName: String) {
        let name = displayName.uppercased()
        if name.hasPrefix("WMMHR") {
            self = .constant(.wmmhr2025)
        } else if name.hasPrefix("WMM-2010") || name.hasPrefix("WMM-2015") {
            self = .constant(.wmm2015)
        } else if name.hasPrefix("WMM-2020") {
            self = .constant(.wmm2020)
        } else if name.hasPrefix("WMM") {
            self = .constant(.wmm2025)
        } else {
            self = .igrf
        }
    }

    func errorModel(year: Double) -> ErrorModel {
        switch self {
        case .constant(let model): model
        case .igrf: .igrf(year: year)
        }
    }
}
