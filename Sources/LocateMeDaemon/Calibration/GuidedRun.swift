internal import EventLoop
internal import MagnetometerCalibration
internal import MessageBus

/// A guided calibration and whose it is.
final class GuidedRun {
    let owner: BusCaller
    var calibration: GuidedCalibration
    /// Ends the run when the owner leaves the bus.
    var watch: NameWatch?
    /// Sends the progress, and ends the run when its time is over.
    var timer: LoopTimer?
    /// CLOCK_BOOTTIME in µs at which the run ends without a result.
    let deadline: Int64
    /// Why it failed, nil while it has not.
    var failure: String?

    init(owner: BusCaller, calibration: GuidedCalibration, deadline: Int64) {
        self.owner = owner
        self.calibration = calibration
        self.deadline = deadline
    }

    /// The result, nil while there is none.
    var fit: CalibrationFit? {
        guard case .ready(let fit) = calibration.state else { return nil }
        return fit
    }

    func end() {
        watch?.cancel()
        timer?.disarm()
    }
}
