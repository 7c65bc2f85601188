import Geometry

/// What the inclination corrections say of the gyroscope's bias: a bias makes the accelerometer correct the tilt at a
/// steady rate. VQF's bias estimation in motion (section 3.3): −c + (R g)‾ = R̄ g with c the correction rate and R̄, (R g)‾
/// low-passed like the accelerometer.
struct InclinationBiasObserver {
    /// Two scalar measurements: row · bias = value, for the x and y axis of the levelled frame.
    struct Measurement {
        /// Low-passed rows of the attitude matrix.
        var rows: (x: Vector3, y: Vector3)
        /// rad/s.
        var values: (x: Double, y: Double)
        /// Interval averaged over, s.
        var interval: Double
        /// What the corrections were multiplied with: 2 while gravity is a running mean, whose slope on a ramp is half the
        /// ramp's, then 1.
        var gain: Double
    }

    private var elapsed = 0.0
    private var correction = (x: 0.0, y: 0.0)
    private var rowSums = (x: Vector3.zero, y: Vector3.zero)
    private var samples = 0
    private var rowX = LowPass()
    private var rowY = LowPass()
    private var biasInFrame = LowPass()
    private var step = LowPassStep()
    private var total = 0.0

    /// Takes the tilt error that an accelerometer sample has just corrected and the attitude after that; every
    /// `measurementInterval` a measurement is ready.
    mutating func update(
        tiltError up: Vector3, attitude: Matrix3, bias: Vector3, interval: Double, timeConstant: Double,
        measurementInterval: Double, isRunningMean: Bool
    ) -> Measurement? {
        let gain = isRunningMean ? 2.0 : 1
        correction.x += gain * up.y
        correction.y -= gain * up.x
        elapsed += interval
        rowSums.x += attitude.row0
        rowSums.y += attitude.row1
        samples += 1
        guard elapsed >= measurementInterval else { return nil }
        defer { beginInterval() }
        let share = 1 / Double(samples)
        let rows = (x: rowSums.x * share, y: rowSums.y * share)
        let biasNow = Vector3(rows.x.dot(bias), rows.y.dot(bias), 0)
        step.prepare(interval: elapsed, timeConstant: timeConstant, tolerance: 1e-3)
        total += elapsed
        if total < timeConstant {
            let weight = elapsed / total
            rowX.value += (rows.x - rowX.value) * weight
            rowY.value += (rows.y - rowY.value) * weight
            biasInFrame.value += (biasNow - biasInFrame.value) * weight
        } else {
            rowX.update(rows.x, step: step)
            rowY.update(rows.y, step: step)
            biasInFrame.update(biasNow, step: step)
        }
        return Measurement(
            rows: (rowX.value, rowY.value),
            values: (
                -correction.x / elapsed + biasInFrame.value.x, -correction.y / elapsed + biasInFrame.value.y
            ), interval: elapsed, gain: gain)
    }

    /// Starts over after a silence in which the device may have turned; the low-passed values stay until replaced.
    mutating func lose() {
        total = 0
        beginInterval()
    }

    private mutating func beginInterval() {
        elapsed = 0
        correction = (0, 0)
        rowSums = (.zero, .zero)
        samples = 0
    }
}
