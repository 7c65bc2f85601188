extension MagneticModel {
    /// World Magnetic Model 2025, degree 12, for 2025–2030: the default.
    public static let wmm2025 = MagneticModel(embedded: .wmm2025)
    /// World Magnetic Model High Resolution 2025, degree 133 (with the field of the larger crustal structures).
    public static let wmmhr2025 = MagneticModel(embedded: .wmmhr2025)
    /// World Magnetic Model 2020, for 2020–2025.
    public static let wmm2020 = MagneticModel(embedded: .wmm2020)
    /// World Magnetic Model 2015 version 2, for 2015–2020.
    public static let wmm2015v2 = MagneticModel(embedded: .wmm2015v2)
    /// World Magnetic Model 2010, for 2010–2015.
    public static let wmm2010 = MagneticModel(embedded: .wmm2010)
    /// International Geomagnetic Reference Field, 14th generation, for 1900–2030.
    public static let igrf14 = MagneticModel(embedded: .igrf14)

    private init(embedded: EmbeddedModel) {
        self.init(name: embedded.name, table: embedded.table())
    }

    /// Short names of the built-in models, the default first.
    public static let builtInNames = ["wmm2025", "wmmhr2025", "wmm2020", "wmm2015v2", "wmm2010", "igrf14"]

    /// A built-in model by its short name, whatever the case and with or without hyphens: "wmm2025", "WMM-2025",
    /// "wmm2015" for wmm2015v2, "igrf" for igrf14. Read at its first use.
    /// - Throws: `.unknownModel`, naming those that exist.
    public static func named(_ name: String) throws(GeomagnetismError) -> MagneticModel {
        switch name.lowercased().filter({ $0 != "-" }) {
        case "wmm2025": return wmm2025
        case "wmmhr2025": return wmmhr2025
        case "wmm2020": return wmm2020
        case "wmm2015v2", "wmm2015": return wmm2015v2
        case "wmm2010": return wmm2010
        case "igrf14", "igrf": return igrf14
        default:
            throw GeomagnetismError(
                .unknownModel,
                "there is no magnetic model '\(printable(Array(name.utf8)[...]))'; built in are "
                    + builtInNames.joined(separator: ", ")
                    + ". A coefficient file of a newer one can be loaded as a file")
        }
    }

    /// The built-in model made for a decimal year: the WMM of its five years from 2010 on, WMM2025 also after 2030
    /// (then expired), the IGRF before 2010.
    public static func selectModel(forYear year: Double) -> MagneticModel {
        switch year {
        case ..<2010: igrf14
        case ..<2015: wmm2010
        case ..<2020: wmm2015v2
        case ..<2025: wmm2020
        default: wmm2025
        }
    }
}
