internal import Geometry
public import LocateMeModel
public import MessageBus

/// The dictionary of `Calibration1.Get`, `Apply` and `Import`.
public enum CalibrationValues {
    /// The dictionary of what is known; unknown keys are left out. `headingError` in degrees, NaN unknown; `age` in seconds.
    public static func dictionary(
        of state: StoredHeadingState, headingError: Double = .nan, ageSeconds: UInt32? = nil
    ) -> [String: BusValue] {
        guard let magnetometer = state.magnetometer else { return [:] }
        let hard = magnetometer.hardIron
        var values: [String: BusValue] = [
            "HardIron": .structure([.double(hard.x), .double(hard.y), .double(hard.z)]),
            "SoftIron": .doubles(magnetometer.softIron.rowMajor),
            "HardIronSigma": .double(magnetometer.hardIronSigma),
        ]
        if magnetometer.fieldMicrotesla > 0 { values["Field"] = .double(magnetometer.fieldMicrotesla) }
        if magnetometer.residualMicrotesla.isFinite { values["Residual"] = .double(magnetometer.residualMicrotesla) }
        if magnetometer.coverage.isFinite { values["Coverage"] = .double(magnetometer.coverage) }
        if magnetometer.samples > 0 { values["Samples"] = .uint32(UInt32(clamping: magnetometer.samples)) }
        if headingError.isFinite { values["HeadingError"] = .double(headingError) }
        if state.createdRealMicroseconds > 0 { values["CreatedAt"] = .int64(state.createdRealMicroseconds) }
        if let ageSeconds { values["AgeSeconds"] = .uint32(ageSeconds) }
        if state.temperature.isFinite { values["Temperature"] = .double(state.temperature) }
        if !state.source.isEmpty { values["Source"] = .string(state.source) }
        return values
    }

    /// The calibration that a caller imports. Throws `.invalidArgs` with what is wrong: missing or non-finite numbers, a soft iron
    /// that is not symmetric and near the identity, a field that is not the earth's.
    public static func magnetometer(
        importing options: OptionDictionary
    ) throws(BusError) -> StoredHeadingState.Magnetometer {
        guard let hard = try options.tripleOfDoubles("HardIron") else {
            throw BusError(.invalidArgs, "HardIron (ddd), three numbers in µT, is missing")
        }
        guard let soft = try options.doubles("SoftIron"), let matrix = Matrix3(rowMajor: soft) else {
            throw BusError(.invalidArgs, "SoftIron (ad), nine numbers row by row, is missing or has another length")
        }
        var magnetometer = StoredHeadingState.Magnetometer(
            softIron: matrix, hardIron: Vector3(hard[0], hard[1], hard[2]),
            hardIronSigma: try options.double("HardIronSigma") ?? 2)
        magnetometer.fieldMicrotesla = try options.double("Field") ?? 0
        magnetometer.residualMicrotesla = try options.double("Residual") ?? .nan
        magnetometer.coverage = try options.double("Coverage") ?? .nan
        magnetometer.samples = Int(try options.uint32("Samples") ?? 0)
        if let defect = magnetometer.defect { throw BusError(.invalidArgs, "not imported: \(defect)") }
        return magnetometer
    }
}

/// `Calibration1.State`.
public enum CalibrationState: UInt32, Hashable, Sendable {
    /// Nothing is going on.
    case none = 0
    /// The user should turn the device.
    case needed = 1
    /// A guided run collects samples.
    case collecting = 2
    /// The guided run can be applied.
    case ready = 3
    /// A guided or imported calibration was put in force.
    case applied = 4
    /// The guided run has ended without a result.
    case failed = 5
}
