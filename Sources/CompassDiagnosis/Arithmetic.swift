import Geometry

import func Glibc.acos

/// The angle of a cosine in radians; rounding beyond ±1 is cut.
func arcCosine(_ value: Double) -> Double { acos(max(-1, min(1, value))) }

/// a·bᵀ.
func outer(_ left: Vector3, _ right: Vector3) -> Matrix3 {
    Matrix3(right * left.x, right * left.y, right * left.z)
}

/// The symmetric system `matrix`·x = `right` with a pull to 0 that only what is not determined feels.
func solve(_ matrix: Matrix3, _ right: Vector3) -> Vector3? {
    let trace = matrix[0, 0] + matrix[1, 1] + matrix[2, 2]
    guard trace > 0, trace.isFinite else { return nil }
    let pulled = matrix + Matrix3.identity * (trace * 1e-6)
    return pulled.inverse.map { $0 * right }
}
