public import Geometry
internal import MagnetometerCalibration

import func Glibc.asin

/// What readings at many attitudes say about the field by themselves, whatever calibration is in force: what the device adds
/// turns with it and is the middle of their sphere; what comes from outside is its radius. So a magnet in the room, which
/// makes the radius wrong, is told from one on the device, which moves the middle.
public struct FieldSurvey: Hashable, Sendable {
    /// The middle in the unit of the readings, before any soft iron: the device's own field.
    public var centre: Vector3
    /// Standard deviation of its worst component.
    public var centreSigma: Double
    /// Strength of the field outside, in the unit of the readings.
    public var strength: Double
    /// Its dip in degrees, down positive.
    public var inclination: Double

    /// Greatest remainder of the sphere, and of the vertical part, relative to the strength. A field that differs from one
    /// attitude to the next, as close to a magnet, has more, and then says nothing about the device.
    private static let agreement = 0.12
    /// Least share of the sphere: what ten seconds of turning in the hand come to.
    private static let leastCoverage = 0.2
    /// Largest standard deviation of the middle, relative to the strength.
    private static let certainty = 0.08

    /// Nil if the attitudes are too few or too much alike, or if the readings lie on no sphere.
    ///
    /// - Parameter pairs: direction up and reading in the device frame, at attitudes far apart.
    init?(_ pairs: some Sequence<(up: Vector3, field: Vector3)>) {
        let pairs = Array(pairs)
        var parameters = CalibrationFitParameters()
        parameters.leastSamples = 40
        // They are far apart already.
        parameters.correlatedSamples = 2
        guard
            let fit = try? CalibrationFitJob.fit(pairs.map(\.field), expectedField: nil, parameters: parameters),
            fit.model != .planar, fit.coverage > Self.leastCoverage, fit.field > parameters.leastTurnedField,
            fit.residual < Self.agreement * fit.field, fit.hardIronSigma < Self.certainty * fit.field
        else { return nil }
        let verticals = pairs.map { $0.up.dot(fit.softIron * ($0.field - fit.center)) }
        let mean = verticals.reduce(0, +) / Double(verticals.count)
        let square = verticals.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(verticals.count)
        guard square.squareRoot() < Self.agreement * fit.field else { return nil }
        centre = fit.center
        centreSigma = fit.hardIronSigma
        strength = fit.field
        inclination = Angle.degreesPerRadian * asin(max(-1, min(1, -mean / fit.field)))
    }
}
