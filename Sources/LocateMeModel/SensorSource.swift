/// A thing that delivers sensor samples: IIO devices, a recording, a simulated phone. It lives on the event loop;
/// its listener is called on the loop only.
public protocol SensorSource: AnyObject {
    /// Who hears of samples and changes. Held weakly by convention.
    var sensorListener: (any SensorSourceListener)? { get set }
    /// All sensors found, chosen or not. Reading this wakes nothing.
    var sensors: [SensorDescription] { get }
    /// True while it is not known yet which sensors there are. Default false.
    var isDiscovering: Bool { get }
    /// Rows for `Manager1.Sources`.
    var sensorStates: [SourceDescription] { get }
    /// The magnetometer's rate in Hz now in force; 0 when off.
    var rateHertz: Double { get }
    /// True if the magnetic field that is delivered has been calibrated before (a recording may say so).
    var deliversCalibratedField: Bool { get }
    /// Whose calibration applies to the delivered field; nil while no magnetometer is chosen, and for sources whose
    /// field belongs to no device of this machine.
    var magnetometerIdentity: DeviceIdentity? { get }
    /// True if the samples' times are those of CLOCK_BOOTTIME, so that ages can be told from them. A recording that
    /// is played at another speed keeps its own intervals instead. Default true.
    var samplesFollowBootClock: Bool { get }
    /// True if no device is in use. After `stop()` it becomes true, and `sensorSourceChanged` tells so, when the last
    /// device has let go. Default true.
    var isOff: Bool { get }
    /// What a `hubHeading` of this source was made from. Default `hub`.
    var hubHeadingSource: HeadingSource { get }
    /// True if headings come that are of no use without the declination. Default false.
    var needsDeclination: Bool { get }
    /// Why nothing is delivered although it is on, in a sentence; nil if there is nothing to say. Default nil.
    var silenceReason: String? { get }
    /// Tells the declination at the present place in degrees, east positive; NaN unknown. Default: ignored.
    func setDeclination(_ degreesEast: Double)
    /// Switches the chosen sensors on, or changes their rate if they run. Failures arrive at the listener.
    func start(rateHertz: Double)
    /// Switches off what `start` has switched on and restores what was changed in the devices. Idempotent.
    func stop()
    /// True if there is an accelerometer that tells how the screen is held, whether or not it feeds the heading. Default:
    /// one feeds the heading.
    var hasOrientationSensor: Bool { get }
    /// Switches that accelerometer on, and no other sensor, at a rate in Hz; nil switches it off. Its samples arrive as all
    /// others do. Where an accelerometer feeds the heading it is that one. Default: nothing, it delivers with the heading
    /// only.
    func setOrientation(rateHertz: Double?)
    /// Says that samples measured before that CLOCK_BOOTTIME in µs are not needed at once: a source may keep them until the
    /// first one after it comes, and then delivers all. Holds for what comes next, once. Default: nothing, each comes
    /// at once.
    func letWait(untilBootMicroseconds time: Int64)
    /// What is wrong with the sensors and what to do.
    func diagnose() -> [Finding]
}

extension SensorSource {
    /// False, as it is for recordings.
    public var isDiscovering: Bool { false }
    /// A hub's, as it is for devices.
    public var hubHeadingSource: HeadingSource { .hub }
    /// False, as it is for devices.
    public var needsDeclination: Bool { false }
    /// Nothing to say.
    public var silenceReason: String? { nil }
    /// Ignored.
    public func setDeclination(_ degreesEast: Double) {}
    /// True, as it is for sources that have no device.
    public var isOff: Bool { true }
    /// True, as it is for devices.
    public var samplesFollowBootClock: Bool { true }
    /// True if an accelerometer feeds the heading.
    public var hasOrientationSensor: Bool { sensors.contains { $0.kind == .accelerometer && $0.selected } }
    /// Nothing.
    public func setOrientation(rateHertz: Double?) {}
    /// Nothing.
    public func letWait(untilBootMicroseconds time: Int64) {}
}

/// Hears a `SensorSource`.
public protocol SensorSourceListener: AnyObject {
    /// One sample; samples of one sensor come in time order.
    func sensorSource(_ source: any SensorSource, delivered sample: SensorSample)
    /// All samples that were there have been delivered. Default: nothing.
    func sensorSourceDelivered(_ source: any SensorSource)
    /// Sensors appeared, vanished, or changed state; read `sensors` and `sensorStates` again.
    func sensorSourceChanged(_ source: any SensorSource)
    /// Headings stop: unplugged, silent, failed to start. Delivery may resume by itself.
    func sensorSource(_ source: any SensorSource, lost reason: String)
    /// Time made a jump or samples are missing (suspend, rewind of a looped replay): state from before is stale.
    func sensorSourceRestarted(_ source: any SensorSource)
    /// The field is out of the magnetometer's range at a CLOCK_BOOTTIME in µs, so that there is no sample: a magnet, not a
    /// fault. Default: nothing.
    func sensorSource(_ source: any SensorSource, overflowedAt bootMicroseconds: Int64)
}

extension SensorSourceListener {
    /// Nothing.
    public func sensorSourceDelivered(_ source: any SensorSource) {}
    /// Nothing.
    public func sensorSource(_ source: any SensorSource, overflowedAt bootMicroseconds: Int64) {}
}
