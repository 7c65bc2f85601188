internal import MagnetometerCalibration

extension CalibrationRejection {
    /// Why a fit is not used, in a sentence that says what to do.
    var sentence: String {
        switch self {
        case .samples: "the device was hardly turned: record while turning it slowly through all directions"
        case .coverage: "the device was not turned through enough directions"
        case .residual: "the field was uneven: iron, magnets or electronics were near; try again elsewhere"
        case .saturated: "an axis was at the end of its range: a magnet is near, or the sensor's range is too small"
        case .implausibleField: "the field strength is none that the earth's field has"
        case .unexpectedField: "the field strength is far from what the magnetic model says at this place"
        }
    }
}
