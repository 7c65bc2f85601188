internal import Geometry
internal import LocateMeModel

/// One sensor of a device at work: its channels and attributes found in the context, its state of conversion.
struct ResolvedSensor {
    let sensor: SensorCandidate
    /// Channels of the buffer, empty if it cannot capture the sensor.
    let channels: [IIOChannel]
    /// Attributes of the raw values, empty if the sensor cannot be polled.
    let rawValues: [IIOAttribute]
    /// True for a hub that gives an attitude instead of a heading: one channel of four values.
    let isAttitude: Bool
    private var hubScale: HubHeadingScale
    private var check: RawFieldCheck
    /// What was made of the last reading.
    private(set) var verdict = RawFieldCheck.Verdict.good
    var faults: ReadFaults
    /// CLOCK_BOOTTIME in µs when an overflow was told last.
    var lastOverflow = Int64.min / 2
    /// CLOCK_MONOTONIC in µs before which the sensor is left alone.
    var pausedUntil: Int64 = 0
    /// The last read of its values gave some.
    var isWell = false

    /// Nil if a channel is gone.
    init?(_ sensor: SensorCandidate, in device: IIODevice) {
        self.sensor = sensor
        let count = sensor.channels.count
        let found = sensor.channels.compactMap { device.channel(id: $0) }
        let attributes = device.attributes
        let raw = sensor.rawFiles.compactMap { file in attributes.first { $0.fileName == file } }
        guard found.count == count || raw.count == count else { return nil }
        channels = found.count == count ? found : []
        rawValues = raw.count == count ? raw : []
        isAttitude = sensor.channels == SensorType.attitude.axes
        faults = ReadFaults(overflows: sensor.description.kind == .magnetometer)
        hubScale = HubHeadingScale(scale: sensor.transform.scale.x)
        check = RawFieldCheck(
            overflowCount: sensor.quirks.overflowCount, doubtsBytes: sensor.quirks.doubtsBytes,
            scale: sensor.transform.scale)
    }

    /// What became of a reading.
    struct Made {
        /// Nil if it is no reading, `verdict` then says why.
        var sample: SensorSample?
        var before = RawFieldCheck.Verdict.good
        var verdict = RawFieldCheck.Verdict.good
        /// It has just turned out that a hub's heading comes in smaller units than its scale says.
        var hubScaleDiffersNow = false
    }

    /// Makes a sample of raw counts and says what changed. In one call, since a copy of all this for each question costs
    /// more than the sample.
    mutating func make(_ raw: Vector3, bootMicroseconds: Int64, isPolled: Bool) -> Made {
        let before = verdict
        let isHub = sensor.description.kind == .hubHeading
        let differed = isHub && hubScaleDiffers
        let sample = sample(raw, bootMicroseconds: bootMicroseconds, isPolled: isPolled)
        return Made(
            sample: sample, before: before, verdict: verdict,
            hubScaleDiffersNow: isHub && !differed && hubScaleDiffers)
    }

    /// The sample for raw counts; nil if they are no reading, `verdict` then says why. For a hub's heading the counts are
    /// in x.
    mutating func sample(_ raw: Vector3, bootMicroseconds: Int64, isPolled: Bool) -> SensorSample? {
        let reading: SensorSample.Reading
        switch sensor.description.kind {
        case .hubHeading:
            guard let degrees = hubScale.degrees(raw.x + sensor.transform.offset.x) else { return nil }
            reading = .hubHeading(degrees: degrees, accuracyDegrees: .nan)
        case .magnetometer, .accelerometer, .gyroscope:
            let vector = sensor.transform.apply(raw)
            guard vector.isFinite else { return nil }
            switch sensor.description.kind {
            case .magnetometer:
                verdict = check.judge(raw, at: bootMicroseconds, isPolled: isPolled)
                guard verdict == .good else { return nil }
                reading = .magneticField(vector)
            case .accelerometer: reading = .acceleration(vector)
            default: reading = .angularRate(vector)
            }
        }
        return SensorSample(bootMicroseconds: bootMicroseconds, reading: reading)
    }

    /// The sample for an attitude; nil if it is none.
    mutating func sample(attitude: SIMD4<Double>, bootMicroseconds: Int64) -> SensorSample? {
        let degrees = QuaternionHeading.degrees(x: attitude.x, y: attitude.y, z: attitude.z, w: attitude.w)
        verdict = degrees == nil ? .zero : .good
        guard let degrees else { return nil }
        return SensorSample(
            bootMicroseconds: bootMicroseconds, reading: .hubHeading(degrees: degrees, accuracyDegrees: .nan))
    }

    /// True once a hub's heading turned out to come in smaller units than its scale says.
    var hubScaleDiffers: Bool {
        sensor.description.kind == .hubHeading && !isAttitude && hubScale.degreesPerCount < 1
            && hubScale.degreesPerCount != sensor.transform.scale.x
    }
}
