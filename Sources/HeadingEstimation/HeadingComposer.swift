import Geometry
public import LocateMeModel

/// Makes the published heading of an estimate.
public enum HeadingComposer {
    /// The heading of an estimate for one session.
    ///
    /// - Parameters:
    ///   - reference: the session's; it has hysteresis.
    ///   - orientation: the edge that counts as top.
    ///   - earthField: the model's field here, nil if no place is known or the receiver may not know of it. True heading =
    ///     magnetic + declination; its accuracy is the root of the sum of the squares of both 95 % bounds.
    ///   - model: name of the magnetic model, told only with a field.
    ///   - realMicroseconds: UTC of the estimate in microseconds since the Unix epoch.
    public static func heading(
        of estimate: HeadingEstimate, reference: inout HeadingReference, orientation: HeadingOrientation,
        earthField: EarthField?, model: String, realMicroseconds: Int64
    ) -> Heading {
        var magnetic = -1.0
        if estimate.isValid {
            let value = reference.heading(of: estimate.attitude, orientation: orientation)
            magnetic = value.isFinite ? value : -1
        }
        var heading = Heading(
            realMicroseconds: realMicroseconds, bootMicroseconds: estimate.bootMicroseconds, magnetic: magnetic,
            trueHeading: -1, accuracy: magnetic >= 0 ? estimate.accuracyDegrees : -1, field: estimate.field,
            orientation: orientation, calibration: estimate.calibration, source: estimate.source)
        heading.fieldStrength = estimate.fieldStrength
        heading.inclination = estimate.inclination
        heading.disturbed = estimate.isDisturbed
        heading.turnRate = estimate.turnRate
        if estimate.hasTilt {
            (heading.pitch, heading.roll) = HeadingReference.tilt(of: estimate.attitude, orientation: orientation)
        }
        if let earthField { add(earthField, model: model, to: &heading) }
        return heading
    }

    private static func add(_ field: EarthField, model: String, to heading: inout Heading) {
        heading.declination = field.declination
        heading.declinationAccuracy = field.declinationAccuracy
        heading.model = model
        heading.expectedField = field.total
        heading.expectedInclination = field.inclination
        guard heading.magnetic >= 0, field.declination.isFinite else { return }
        heading.trueHeading = Angle.wrap360(heading.magnetic + field.declination)
        if field.declinationAccuracy > 0 {
            let squares =
                heading.accuracy * heading.accuracy + field.declinationAccuracy * field.declinationAccuracy
            heading.accuracy = squares.squareRoot()
        }
    }
}
