public import LocateMeModel

/// A spherical harmonic model of the earth's magnetic field: the World Magnetic Model (WMM), its high-resolution
/// edition (WMMHR) or the International Geomagnetic Reference Field (IGRF).
///
///     let model = try MagneticModel.named("wmm2025")
///     let field = try model.field(latitude: 52.4, longitude: 13.1, height: 80, year: 2026.1)
///     field.elements.declination        // degrees, east positive
///     field.declinationAccuracy         // 95 %
///
/// Built-in models: `named(_:)`, `selectModel(forYear:)`; a newer coefficient file: `init(coefficientFile:)`.
/// A value; evaluation allocates nothing.
public struct MagneticModel: Sendable {
    /// Short name: "wmm2025"; of a coefficient file: its own name in lower case without separators.
    public let name: String
    /// Name as the field writes it: "WMM-2025".
    public let displayName: String
    /// Day of release as the coefficient file has it, or nil.
    public let releaseDate: String?
    /// Decimal years for which the model is meant. Others are answered, flagged and with a larger uncertainty.
    public let validYears: ClosedRange<Double>
    /// Metres above the WGS 84 ellipsoid for which the model answers: −1 km … 850 km (IGRF 600 km).
    public let heights: ClosedRange<Double>
    /// Highest degree of the harmonics.
    public let degree: Int

    let uncertaintySource: UncertaintySource
    let segments: [ModelSegment]
    let recurrence: RecurrenceFactors

    /// Reference radius of all these models in metres.
    static let referenceRadius = 6_371_200.0
    /// Dates further outside `validYears` than this, in years, get an error instead of an answer.
    public static let maximumYearsOutside = 100.0

    init(name: String, table: CoefficientTable) {
        self.name = name
        displayName = table.displayName
        releaseDate = table.releaseDate
        validYears = table.validYears
        degree = table.degree
        uncertaintySource = UncertaintySource(displayName: table.displayName)
        heights = uncertaintySource == .igrf ? -1000...600_000 : -1000...850_000
        let segments = table.segments()
        self.segments = segments
        recurrence = RecurrenceFactors(degree: segments.reduce(1) { max($0, $1.main.degree) })
    }

    /// Everything that the model says of a place at a date.
    ///
    /// - Parameters:
    ///   - latitude: degrees north, −90 … 90, geodetic
    ///   - longitude: degrees east, any finite number
    ///   - height: metres above the WGS 84 ellipsoid, within `heights`
    ///   - year: decimal year, see `DecimalYear`
    /// - Throws: `GeomagnetismError` for NaN and values out of range.
    public func field(
        latitude: Double, longitude: Double, height: Double, year: Double
    ) throws(GeomagnetismError) -> MagneticField {
        let components = try components(latitude: latitude, longitude: longitude, height: height, year: year)
        let elements = components.elements
        let validity = validity(year: year)
        return MagneticField(
            elements: elements, rates: components.rates,
            uncertainty: uncertaintySource.errorModel(year: year).deviations(
                elements, yearsOutside: validity.yearsOutside),
            zone: CompassZone(horizontal: elements.horizontal), validity: validity)
    }

    /// The field and 95 % accuracy in the form that the heading estimator and the daemon use. Parameters and errors as
    /// of `field`. Without a known height, 0 serves: the declination changes by about 0.01° a kilometre.
    public func earthField(
        latitude: Double, longitude: Double, height: Double, year: Double
    ) throws(GeomagnetismError) -> EarthField {
        try field(latitude: latitude, longitude: longitude, height: height, year: year).earthField
    }

    /// Whether a date lies in the model's years.
    public func validity(year: Double) -> ModelValidity { ModelValidity(year: year, validYears: validYears) }

    /// Only X, Y, Z and their rates, the fastest answer. Parameters and errors as of `field`.
    public func components(
        latitude: Double, longitude: Double, height: Double, year: Double
    ) throws(GeomagnetismError) -> MagneticComponents {
        try check(latitude: latitude, longitude: longitude, height: height, year: year)
        let turned = abs(longitude) <= 360 ? longitude : longitude.remainder(dividingBy: 360)
        let (sinLatitude, cosLatitude) = sineCosine(degrees: latitude)
        let (sinLongitude, cosLongitude) = sineCosine(degrees: turned)

        let vertical =
            Ellipsoid.equatorialRadius / (1 - Ellipsoid.eccentricitySquared * sinLatitude * sinLatitude).squareRoot()
        let axisDistance = (vertical + height) * cosLatitude
        let z = (vertical * (1 - Ellipsoid.eccentricitySquared) + height) * sinLatitude
        let scale = Self.referenceRadius / (axisDistance * axisDistance + z * z)
        let segment = segment(year: year)
        let field = segment.evaluate(
            invertedX: scale * axisDistance * cosLongitude, invertedY: scale * axisDistance * sinLongitude,
            invertedZ: scale * z, ratio: (scale * Self.referenceRadius).squareRoot(), recurrence: recurrence)

        let years = year - segment.start
        func local(_ x: Double, _ y: Double, _ z: Double) -> (north: Double, east: Double, down: Double) {
            let outward = x * cosLongitude + y * sinLongitude
            return (
                z * cosLatitude - outward * sinLatitude, y * cosLongitude - x * sinLongitude,
                -z * sinLatitude - outward * cosLatitude
            )
        }
        let now = local(
            field.x + years * field.xRate, field.y + years * field.yRate, field.z + years * field.zRate)
        let rate = local(field.xRate, field.yRate, field.zRate)
        return MagneticComponents(
            north: now.north, east: now.east, down: now.down, northRate: rate.north, eastRate: rate.east,
            downRate: rate.down)
    }

    /// The last segment that has begun, or the first.
    private func segment(year: Double) -> ModelSegment {
        var index = segments.count - 1
        while index > 0, segments[index].start > year { index -= 1 }
        return segments[index]
    }

    private func check(
        latitude: Double, longitude: Double, height: Double, year: Double
    ) throws(GeomagnetismError) {
        guard abs(latitude) <= 90 else {
            throw GeomagnetismError(
                .latitudeOutOfRange, "latitude \(latitude) is not within -90 and 90 degrees; give degrees north")
        }
        guard longitude.isFinite else {
            throw GeomagnetismError(.longitudeNotFinite, "longitude \(longitude) is not a number of degrees east")
        }
        guard heights.contains(height) else {
            throw GeomagnetismError(
                .heightOutOfRange,
                "height \(height) m is outside what \(displayName) covers, \(heights.lowerBound) to "
                    + "\(heights.upperBound) m; give metres above the WGS 84 ellipsoid")
        }
        let margin = Self.maximumYearsOutside
        guard year >= validYears.lowerBound - margin, year <= validYears.upperBound + margin else {
            throw GeomagnetismError(
                .yearOutOfRange,
                "year \(year) is more than \(Int(margin)) years outside \(displayName), which is meant for "
                    + "\(validYears.lowerBound) to \(validYears.upperBound); give a decimal year, or take another model"
            )
        }
    }
}
