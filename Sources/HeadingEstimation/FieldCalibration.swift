import Geometry

/// The magnetometer calibration now in force: calibrated = softIron · raw − hardIron.
struct FieldCalibration {
    /// Symmetric, near the identity.
    var softIron = Matrix3.identity
    /// µT.
    var hardIron = Vector3.zero
    /// Covariance of the hard iron in µT².
    var covariance = Matrix3.zero

    /// The calibrated field in µT.
    func calibrated(_ raw: Vector3) -> Vector3 { softIron * raw - hardIron }
}
