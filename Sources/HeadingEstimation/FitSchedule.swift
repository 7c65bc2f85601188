import MagnetometerCalibration

/// When batch fits are due, and the one that waits to be run elsewhere.
struct FitSchedule {
    /// A fit that waits for somebody to run it.
    var pending: CalibrationFitJob?
    /// Points ever kept when the last fit was made: without new ones there is nothing new to learn.
    var pointsFitted = 0
    private var next: Double?

    /// True now and then: at `time` in seconds, first after `delay`, then every `interval`.
    mutating func isDue(at time: Double, delay: Double, interval: Double) -> Bool {
        guard time >= next ?? delay else { return false }
        next = time + interval
        return true
    }

    /// Times start anew.
    mutating func restart() { next = nil }
}
