public import Geometry

extension StoredHeadingState {
    /// The same knowledge in the frame of another mount matrix of the magnetometer, as a new kernel, a hardware database or
    /// a configuration brings it; nil if the two frames do not differ by a turn or a mirror, so that it cannot be told.
    ///
    /// With f = M·c for the chip's reading c, the new frame's readings are T·f with T = M′·M⁻¹. What is calibrated is to turn
    /// likewise, T·(S·f − h) = (T·S·Tᵀ)·(T·f) − T·h, and so does the covariance of h. The gyroscope's bias is of its own
    /// matrix, which may have changed as well, and is learned in seconds: it is forgotten.
    public func turned(to matrix: Matrix3) -> StoredHeadingState? {
        guard let mountMatrix else { return self }
        guard let back = mountMatrix.inverse else { return nil }
        let turn = matrix * back
        let square = turn * turn.transposed + Matrix3.identity * -1
        // A matrix in text has some six digits; a scale of a percent is no turn.
        guard square.isFinite, square.rowMajor.allSatisfy({ abs($0) < 0.005 }) else { return nil }
        var state = self
        state.mountMatrix = matrix
        state.gyroscope = nil
        if var magnetometer {
            magnetometer.softIron = Self.symmetric(turn * magnetometer.softIron * turn.transposed)
            magnetometer.hardIron = turn * magnetometer.hardIron
            magnetometer.hardIronCovariance = magnetometer.hardIronCovariance.map {
                Self.symmetric(turn * $0 * turn.transposed)
            }
            state.magnetometer = magnetometer
        }
        return state
    }

    private static func symmetric(_ matrix: Matrix3) -> Matrix3 { (matrix + matrix.transposed) * 0.5 }
}
