internal import Geometry
public import LocateMeModel

extension CompassHealth {
    /// What is known of the compass besides its samples.
    public struct Context: Sendable {
        /// The sensors in use.
        public var sensors: [SensorDescription] = []
        /// Rate that was asked for in Hz, 0 unknown.
        public var wantedHertz = 0.0
        /// The model's field at the place; nil without a place.
        public var earthField: EarthField?
        /// How well the magnetometer is calibrated.
        public var calibration = CalibrationQuality.unknown
        /// Age of the calibration in seconds, NaN unknown.
        public var calibrationAge = Double.nan
        /// How far the hard iron has moved since the calibration was made, µT; NaN unknown.
        public var hardIronMoved = Double.nan
        /// Standard deviation of that in µT.
        public var hardIronSigma = Double.nan
        /// The calibration that somebody made; nil if nobody did.
        public var made: StoredHeadingState.Magnetometer?
        /// What readings are multiplied by before they are calibrated: a power of ten where the driver's scale is off.
        public var fieldScale = 1.0

        /// Nothing known.
        public init() {}

        func sensor(_ kind: SensorKind) -> SensorDescription? { sensors.first { $0.kind == kind && $0.selected } }
        func id(_ kind: SensorKind) -> String { sensor(kind)?.id ?? "" }

        /// Dip in degrees, NaN without a place.
        var inclination: Double {
            guard let earthField, earthField.total > 1 else { return .nan }
            return 90 - Angle.degreesPerRadian * arcCosine(earthField.down / earthField.total)
        }
    }

    /// What is wrong, worst first within each sensor, each with what to do.
    public func findings(_ context: Context) -> [Finding] {
        let stuck = stuckFindings(context)
        // What does not measure has no axes.
        let axes = stuck.isEmpty ? axisFindings(context) : []
        // With the axes wrong the field cannot be right.
        let field = axes.isEmpty && stuck.isEmpty ? fieldFindings(context) : []
        // A calibration that does not fit makes any field look strange.
        let isStale = field.contains { $0.code == Self.staleCode }
        return stuck + axes + field + (isStale ? [] : calibrationFindings(context)) + timingFindings(context)
    }

    // MARK: - Sensors that do not measure

    private func stuckFindings(_ context: Context) -> [Finding] {
        var findings: [Finding] = []
        let magnetometerID = context.id(.magnetometer)
        switch magnetometer.fault {
        case .equalAxes:
            findings.append(
                Finding(
                    code: "magn-dead-until-accel-powered", severity: .error, sensor: magnetometerID,
                    text: "the three axes of the magnetometer show the same number, which is no field",
                    remedy:
                        "keep the accelerometer of the same chip switched on (MPU-9150); reload the driver if that does not help"
                ))
        case .frozen, .constant:
            findings.append(
                Finding(
                    code: "magn-dead", severity: .error, sensor: magnetometerID,
                    text: "the magnetometer's reading does not change although the device is turned",
                    remedy:
                        "reload its driver or restart the machine; see the kernel log; if it stays, the chip is dead"))
        case nil: break
        }
        if accelerometer.fault == .frozen || accelerometer.fault == .constant {
            findings.append(
                Finding(
                    code: "accel-dead", severity: .error, sensor: context.id(.accelerometer),
                    text: "the accelerometer's reading does not change although the device is turned",
                    remedy: "reload its driver or restart the machine; see the kernel log"))
        }
        if gyroscope.fault == .frozen || gyroscope.fault == .constant {
            findings.append(
                Finding(
                    code: "gyro-always-zero", severity: .warning, sensor: context.id(.gyroscope),
                    text: "the gyroscope's reading does not change although the device is turned",
                    remedy: "reload its driver; until then headings follow turns less well"))
        }
        if saturation.flips > 0 {
            findings.append(
                Finding(
                    code: "magn-axis-saturated", severity: .warning, sensor: magnetometerID,
                    text: "an axis of the magnetometer flips its sign: the field passes the chip's limit",
                    remedy: "remove the magnet that is near, or choose a wider range of the chip"))
        }
        return findings
    }

    // MARK: - Axes

    private func axisFindings(_ context: Context) -> [Finding] {
        guard let judgement = axes.judgement(inclination: context.inclination), !judgement.agrees else { return [] }
        let turn = judgement.matrix
        let isSignKnown = context.inclination.isFinite
        let byGyroscope = (accelerometer: accelerometerTurns.turn, magnetometer: magnetometerTurns.turn)
        let isAccelerometer =
            byGyroscope.magnetometer == .identity && byGyroscope.accelerometer.map { $0 != .identity } ?? false
        if turn == Matrix3.identity * -1 {
            return [
                Finding(
                    code: "accel-sign-down", severity: .error, sensor: context.id(.accelerometer),
                    text:
                        "the field points \(judgement.vertical < 0 ? "down" : "up") only if the accelerometer counts gravity's pull instead of what holds the device up",
                    remedy: matrixRemedy(turn, of: .accelerometer, context))
            ]
        }
        if isAccelerometer {
            return [
                Finding(
                    code: "accel-axes-disagree", severity: .error, sensor: context.id(.accelerometer),
                    text:
                        "the accelerometer's axes fit neither the magnetometer's nor the gyroscope's, which fit each other: its matrix is wrong",
                    remedy: matrixRemedy(turn.transposed, of: .accelerometer, context))
            ]
        }
        let blame =
            byGyroscope.accelerometer == .identity && byGyroscope.magnetometer.map { $0 != .identity } ?? false
            ? "accelerometer and gyroscope fit each other, so the magnetometer's matrix is wrong"
            : "the magnetometer's matrix is wrong, or the accelerometer's"
        let code: String
        let what: String
        if turn == Matrix3(diagonal: Vector3(1, 1, -1)) {
            code = "magn-z-inverted"
            what = "the magnetometer's z axis points the wrong way"
        } else if turn.determinant < 0 {
            code = "magn-axes-left-handed"
            what = "the magnetometer's axes are left-handed"
        } else if turn.row2 == Vector3(0, 0, 1) {
            code = "accel-and-magn-frames-differ"
            what = "magnetometer and accelerometer are turned against each other about the screen's normal"
        } else {
            code = "magn-axes-disagree"
            what = "the magnetometer's axes do not fit the accelerometer's"
        }
        let mirror = isSignKnown ? "" : " (or its negative, if the field points up here or an axis is inverted)"
        return [
            Finding(
                code: code, severity: .error, sensor: context.id(.magnetometer),
                text:
                    "\(what): over \(judgement.pairs) attitudes the field keeps its angle to the vertical only if it is turned by \(AxisTurn.text(turn))\(mirror); \(blame)",
                remedy: matrixRemedy(turn, of: .magnetometer, context))
        ]
    }

    private func matrixRemedy(_ turn: Matrix3, of kind: SensorKind, _ context: Context) -> String {
        let present = context.sensor(kind)?.mountMatrix ?? .identity
        return
            "check with headingctl mount; the \(kind.rawValue)'s mount matrix would be \(AxisTurn.text(turn * present))"
    }

    // MARK: - Time

    private func timingFindings(_ context: Context) -> [Finding] {
        var findings: [Finding] = []
        let rate = magnetometerTiming.rateHertz
        if rate < 8, rate < 0.5 * context.wantedHertz {
            findings.append(
                Finding(
                    code: "rate-too-low", severity: .warning, sensor: context.id(.magnetometer),
                    text:
                        "the magnetometer gives \(Self.tenths(rate)) readings a second where \(Self.whole(context.wantedHertz)) are wanted: headings lag behind turns",
                    remedy:
                        "see the rates it offers with headingctl sensors; without an interrupt line an hrtimer trigger may be faster"
                ))
        }
        for (timing, kind) in [
            (magnetometerTiming, SensorKind.magnetometer), (accelerometerTiming, .accelerometer),
            (gyroscopeTiming, .gyroscope),
        ] where timing.isOdd {
            findings.append(
                Finding(
                    code: "timestamps-odd", severity: .warning, sensor: context.id(kind),
                    text:
                        "the \(kind.rawValue)'s times are not those of its readings: \(timing.far) were more than 2 s off, \(timing.backward) ran backward",
                    remedy: "report the driver; headings lag or jump in turns"))
        }
        return findings
    }

    static func whole(_ value: Double) -> String { value.isFinite ? String(Int(value.rounded())) : "?" }
    private static func tenths(_ value: Double) -> String {
        guard value.isFinite else { return "?" }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }
}
