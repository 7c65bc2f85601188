internal import EventLoop
internal import Geometry
internal import LocateMeModel

/// What a device worker tells the loop besides samples.
enum WorkerEvent: Sendable {
    /// The thread has come back from whatever it was doing.
    case alive
    /// Samples come through the buffer, driven by that trigger; nil where none is needed.
    case buffering(trigger: String?)
    /// Raw values are read one by one; with the reason if there is a buffer that does not work.
    case polling(because: String?)
    /// The rate in force for a sensor, in Hz.
    case rate(sensor: String, hertz: Double)
    /// Something is wrong from now on.
    case problem(Finding)
    /// The problem of that code at that sensor is over.
    case solved(code: String, sensor: String)
    /// A reading was left out because the field is out of the chip's range, with what it would be in µT (NaN unknown) and
    /// its time. At most five in a second.
    case overflow(field: Vector3, bootMicroseconds: Int64)
    /// One sensor of the device fails while others go on.
    case sensorFailed(sensor: String, reason: String)
    /// All of the device fails; the worker waits for it.
    case failed(WorkerFailure)
    /// It waits still.
    case waits
    /// The worker has left the device; nil if it was asked to.
    case ended(WorkerFailure?)
}

/// Why a worker gave its device up.
struct WorkerFailure: Error, Hashable, Sendable {
    /// The error behind it.
    var code: Errno
    /// What happened, in a sentence without the sensor's name.
    var text: String
}
