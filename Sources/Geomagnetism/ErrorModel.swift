internal import Geometry

/// Global standard deviations (1 sigma, 68 %) of what a model gives against what is measured on the ground: error of
/// the model, forecast of its change within its years, and the field of the crust that no model of the core has.
struct ErrorModel: Equatable, Sendable {
    /// nT.
    var north, east, down, horizontal, total: Double
    /// Degrees.
    var inclination: Double
    /// Part of the declination's deviation that is the same everywhere, in degrees.
    var declination: Double
    /// Part that grows where the horizontal field is weak, in degrees · nT.
    var declinationHorizontal: Double

    /// The deviations of the elements at a place.
    ///
    /// Outside the model's years each component's deviation grows with the years, in quadrature: see `growth…`.
    func deviations(_ elements: MagneticElements, yearsOutside: Double) -> MagneticElements {
        func grown(_ deviation: Double, _ perYear: Double) -> Double {
            (deviation * deviation + perYear * perYear * yearsOutside * yearsOutside).squareRoot()
        }
        let across = grown(declinationHorizontal, Self.growthHorizontal * Angle.degreesPerRadian)
        let h = elements.horizontal
        let spread = h > 0 ? across / h : .infinity
        let dip = Self.growthDown * Angle.degreesPerRadian / max(elements.total, 1)
        return MagneticElements(
            declination: min(180, (declination * declination + spread * spread).squareRoot()),
            inclination: min(180, grown(inclination, dip)),
            horizontal: grown(horizontal, Self.growthHorizontal), north: grown(north, Self.growthHorizontal),
            east: grown(east, Self.growthHorizontal), down: grown(down, Self.growthDown),
            total: grown(total, Self.growthDown))
    }

    /// nT for each year outside the model's years, for the horizontal components.
    ///
    /// Found by measurement, no publication at hand: WMM2010, WMM2015v2, WMM2020 and WMM2025 carried forward or back
    /// into each other's years differ, 5 to 15 years outside, by at most 26 nT (horizontal) and 43 nT (vertical) a year
    /// (global root mean square); IGRF-14 epochs since 1950 carried on with the change of the five years before differ
    /// from what followed, 5 to 50 years later, by at most 67 nT a year as a vector. 30, 30 and 45 nT make 62 nT.
    static let growthHorizontal = 30.0
    /// The same for the vertical component and for the total strength.
    static let growthDown = 45.0
}

extension ErrorModel {
    /// WMM2025 (constants of the NOAA/CIRES software, 1 sigma).
    static let wmm2025 = ErrorModel(
        north: 137, east: 89, down: 141, horizontal: 133, total: 138, inclination: 0.20, declination: 0.26,
        declinationHorizontal: 5417)
    /// WMMHR2025 (the same source).
    static let wmmhr2025 = ErrorModel(
        north: 135, east: 85, down: 134, horizontal: 130, total: 134, inclination: 0.19, declination: 0.25,
        declinationHorizontal: 5205)
    /// WMM2020 (the same source; of the two published values of F, 145 and 148 nT, the larger).
    static let wmm2020 = ErrorModel(
        north: 131, east: 94, down: 157, horizontal: 128, total: 148, inclination: 0.21, declination: 0.26,
        declinationHorizontal: 5625)
    /// WMM2015 and its second version (the same source; of the published pairs for D, 0.24/5432 and 0.23/5430, the
    /// larger). Also taken for WMM2010, of which no table was at hand: same makers, kind of data and degree.
    static let wmm2015 = ErrorModel(
        north: 138, east: 89, down: 165, horizontal: 133, total: 152, inclination: 0.22, declination: 0.24,
        declinationHorizontal: 5432)
    /// IGRF and models of unknown making. X, Y, Z: standard deviations against repeat stations and observatories of
    /// 1980–2021, 144, 136 and 293 nT (Beggan 2022, "Evidence-based uncertainty estimates for the IGRF", EPS 74:17,
    /// doi 10.1186/s40623-022-01572-y). Derived from them here: H as X, the larger of the horizontal two; F as the mean
    /// over all dips, √(144²/3 + 2·293²/3); D as 136 nT across H, with the constant part of the WMM; I as the WMM's
    /// 0.20° times the ratio of the deviations in the plane of H and Z.
    static let igrf = ErrorModel(
        north: 144, east: 136, down: 293, horizontal: 144, total: 253, inclination: 0.34, declination: 0.26,
        declinationHorizontal: 136 * Angle.degreesPerRadian)

    /// The IGRF's deviations at a date: before 1980, which the study of them does not reach, an error of up to 100 nT
    /// in each component is added in quadrature, all of it before 1945 (an assumption, within the "few hundred nT" of
    /// vector error that Lowes 2000, EPS 52:1207, gives for the poorest epochs).
    static func igrf(year: Double) -> ErrorModel {
        let extra = 100 * min(1, max(0, (1980 - year) / 35))
        func widened(_ deviation: Double) -> Double { (deviation * deviation + extra * extra).squareRoot() }
        var result = igrf
        result.north = widened(result.north)
        result.east = widened(result.east)
        result.down = widened(result.down)
        result.horizontal = widened(result.horizontal)
        result.total = widened(result.total)
        result.inclination *= widened(293) / 293
        result.declinationHorizontal = widened(136) * Angle.degreesPerRadian
        return result
    }
}
