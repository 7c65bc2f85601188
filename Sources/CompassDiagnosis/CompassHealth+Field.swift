internal import Geometry
internal import LocateMeModel

/// What is wrong with the field, or with the calibration that is to make it right.
extension CompassHealth {
    static let staleCode = "calibration-stale"

    /// Least change of the device's own field in µT that makes a calibration stale: it turns headings by 10° where the
    /// earth's field has 20 µT across.
    private static let leastMove = 4.0

    func fieldFindings(_ context: Context) -> [Finding] {
        if let survey = axes.survey {
            let strength = survey.strength * context.fieldScale
            guard
                FieldCheck.isEarths(
                    strength: strength, inclination: survey.inclination, expected: context.earthField)
            else { return [magnet(strength, survey.inclination, context)] }
            if let stale = staleFinding(survey, context) { return [stale] }
        } else if let finding = unturnedFinding(context) {
            return [finding]
        }
        guard estimates >= 50 else { return [] }
        let verdict = field.verdict(expected: context.earthField)
        if verdict == .verticalTooSmall {
            return [
                Finding(
                    code: "magn-vertical-too-small", severity: .warning, sensor: context.id(.magnetometer),
                    text:
                        "the field's horizontal part is right and its vertical part too small: an axis counts too little or is saturated",
                    remedy: "turn the device to other attitudes: if the fault follows an axis, its scale is wrong")
            ]
        }
        let isAbsurd = context.earthField == nil && !FieldCheck.plausible.contains(field.strength)
        guard verdict == .disturbed || isAbsurd || disturbedShare > 0.6 else { return [] }
        return [magnet(field.strength, field.inclination, context)]
    }

    func calibrationFindings(_ context: Context) -> [Finding] {
        let days = context.calibrationAge / 86_400
        if context.hardIronMoved > max(Self.leastMove, 4 * context.hardIronSigma) {
            return [stale(by: context.hardIronMoved, context)]
        }
        if days > 365 {
            return [
                Finding(
                    code: "calibration-old", severity: .info, sensor: context.id(.magnetometer),
                    text: "the calibration is \(Self.whole(days)) days old",
                    remedy: "calibrate anew with headingctl calibrate if headings are off")
            ]
        }
        guard context.calibration == .uncalibrated, magnetometerTiming.count > 500 else { return [] }
        return [
            Finding(
                code: "calibration-missing", severity: .warning, sensor: context.id(.magnetometer),
                text: "the magnetometer is not calibrated, and everyday use has not calibrated it yet",
                remedy: "turn the device in all directions, or use headingctl calibrate")
        ]
    }

    /// The device's own field is not the one that was calibrated away.
    private func staleFinding(_ survey: FieldSurvey, _ context: Context) -> Finding? {
        guard let made = context.made else { return nil }
        let moved = (made.softIron * (survey.centre * context.fieldScale) - made.hardIron).length
        let sigma = (survey.centreSigma * context.fieldScale, made.hardIronSigma)
        let limit = max(Self.leastMove, 4 * (sigma.0 * sigma.0 + sigma.1 * sigma.1).squareRoot())
        return moved > limit ? stale(by: moved, context) : nil
    }

    private func stale(by moved: Double, _ context: Context) -> Finding {
        Finding(
            code: Self.staleCode, severity: .warning, sensor: context.id(.magnetometer),
            text:
                "the calibration does not fit any more: the device's own field has changed by \(Self.whole(moved)) µT since it was made",
            remedy:
                "take off what was added to the device, such as a cover with a magnet, or calibrate anew with headingctl calibrate"
        )
    }

    /// A device that has not been turned and is not calibrated, in a field that is far from the earth's.
    private func unturnedFinding(_ context: Context) -> Finding? {
        guard context.calibration == .uncalibrated || context.calibration == .unknown, rawCount >= 50 else {
            return nil
        }
        let strength = rawStrength * context.fieldScale
        // Uncalibrated, a field that is somewhat off says nothing.
        let most = max(FieldCheck.plausible.upperBound, 1.5 * (context.earthField?.total ?? 0))
        guard strength > most else { return nil }
        return Finding(
            code: Self.magnetCode, severity: .warning, sensor: context.id(.magnetometer),
            text:
                "the field is \(Self.whole(strength)) µT\(expectation(context)): a magnet is near, or it is the device's own field, which is not calibrated yet",
            remedy:
                "move away from magnets, loudspeakers and steel, take magnetic covers off, and turn the device in all directions: then it shows which of the two it is"
        )
    }

    private static let magnetCode = "magnet-nearby"

    private func magnet(_ strength: Double, _ inclination: Double, _ context: Context) -> Finding {
        Finding(
            code: Self.magnetCode, severity: .warning, sensor: context.id(.magnetometer),
            text:
                "the field is not the earth's: \(Self.whole(strength)) µT, dip \(Self.whole(inclination))°\(expectation(context))",
            remedy:
                "move away from magnets, loudspeakers, steel furniture and cars; take magnetic covers off; if it is so everywhere, calibrate anew"
        )
    }

    private func expectation(_ context: Context) -> String {
        guard let expected = context.earthField else { return "" }
        return " where \(Self.whole(expected.total)) µT and \(Self.whole(context.inclination))° are expected"
    }
}
