internal import Geomagnetism
internal import Geometry
internal import LocateMeModel
internal import MagnetometerCalibration
internal import SensorRecordings

import func Glibc.atan

/// Fits the magnetometer of a whole recording. Pure: the same records give the same fit.
struct RecordingCalibration {
    /// What is fitted.
    enum Method: String, CaseIterable, Sendable {
        /// What the samples allow.
        case automatic
        /// Hard and soft iron.
        case ellipsoid
        /// Hard iron.
        case sphere
        /// Hard iron in the plane of a level turn.
        case planar
    }

    /// A fit and what was asked of it.
    struct Outcome: Sendable {
        /// The fit, good or not.
        var fit: CalibrationFit
        /// Why it should not be used, nil if it is good.
        var rejection: CalibrationRejection?
        /// The raw samples it was made from, µT, device frame.
        var points: [Vector3]
        /// The model's field at the recording's fix, nil without one.
        var earthField: EarthField?
        /// The heading error that a service told; nil: it follows from the fit.
        var toldHeadingError: Double?

        /// The heading error that the hard iron's uncertainty can make, degrees, 95 %: the angle of twice its standard deviation
        /// against the horizontal field. Nil without a place.
        var headingError: Double? {
            if let toldHeadingError { return toldHeadingError }
            guard let earthField, earthField.horizontal > 0 else { return nil }
            return atan(2 * fit.hardIronSigma / earthField.horizontal) * Angle.degreesPerRadian
        }
    }

    private let method: Method
    private let model: MagneticModel?
    private let fallbackYear: Double
    private var points: CalibrationPoints
    private var startRealMicroseconds: Int64?
    /// The model's field at the last fix.
    private(set) var earthField: EarthField?
    /// Magnetometer samples seen.
    private(set) var samples = 0
    /// True if the recording says that its field is calibrated already.
    let isCalibratedAlready: Bool

    /// A run from the start of a recording; `model` nil: the one made for its date; `fallbackYear` for a recording without date.
    init(header: RecordingHeader, method: Method, model: MagneticModel?, fallbackYear: Double) {
        self.method = method
        self.model = model
        self.fallbackYear = fallbackYear
        // Planar fits live on closer points: the circle of a steep field is small.
        points = CalibrationPoints(spacing: method == .planar ? 1 : 3)
        startRealMicroseconds = header.startRealMicroseconds
        isCalibratedAlready = header.isMagneticFieldCalibrated
    }

    /// Takes the next record.
    mutating func update(_ record: Record) {
        switch record.content {
        case .sample(let sample):
            guard case .magneticField(let field) = sample.reading else { return }
            samples += 1
            points.add(field)
        case .fix(let fix): use(fix, at: record.microseconds)
        case .time(let real): startRealMicroseconds = real - record.microseconds
        default: break
        }
    }

    /// The fit of all samples so far.
    func outcome() throws(CalibrationRejection) -> Outcome {
        var parameters = CalibrationFitParameters()
        switch method {
        case .automatic: break
        case .ellipsoid:
            parameters.freeGainCoverage = 0
            parameters.flatness = 0
        case .sphere:
            parameters.freeGainCoverage = 2
            parameters.flatness = 0
        case .planar: parameters.flatness = .infinity
        }
        let fit = try CalibrationFitJob(
            points: points.points, expectedField: earthField?.total, parameters: parameters
        ).run()
        return Outcome(
            fit: fit, rejection: fit.rejection(expectedField: earthField?.total), points: points.points,
            earthField: earthField)
    }

    private mutating func use(_ fix: Fix, at microseconds: Int64) {
        guard fix.horizontalAccuracy >= 0, fix.horizontalAccuracy <= 20_000 else { return }
        let start = startRealMicroseconds.map { $0 + microseconds }
        let year = RecordingDate.year(realMicroseconds: start) ?? fallbackYear
        let used = model ?? MagneticModel.selectModel(forYear: year)
        earthField =
            (try? used.earthField(
                latitude: fix.latitude, longitude: fix.longitude, height: fix.heightForModels, year: year))
            ?? earthField
    }
}
