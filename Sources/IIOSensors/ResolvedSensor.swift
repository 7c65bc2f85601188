internal import Geometry
internal import LocateMeModel

/// One sensor of a device at work: its channels and attributes found in the context, its state of conversion.
struct ResolvedSensor {
    let sensor: SensorCandidate
    let channels: [IIOChannel]
    /// Attributes of the raw values, empty if the sensor cannot be polled.
    let rawValues: [IIOAttribute]
    private var hubScale: HubHeadingScale
    var faults = ReadFaults()
    /// CLOCK_MONOTONIC in µs before which the sensor is left alone.
    var pausedUntil: Int64 = 0

    /// Nil if a channel is gone.
    init?(_ sensor: SensorCandidate, in device: IIODevice) {
        self.sensor = sensor
        channels = sensor.channels.compactMap { device.channel(id: $0) }
        guard channels.count == sensor.channels.count else { return nil }
        let attributes = device.attributes
        let raw = sensor.channels.compactMap { id in attributes.first { $0.fileName == "in_\(id)_raw" } }
        rawValues = raw.count == channels.count ? raw : []
        hubScale = HubHeadingScale(scale: sensor.transform.scale.x)
    }

    /// The sample for raw counts; nil if they are no reading. For a hub's heading the counts are in x.
    mutating func sample(_ raw: Vector3, bootMicroseconds: Int64) -> SensorSample? {
        let reading: SensorSample.Reading
        switch sensor.description.kind {
        case .hubHeading:
            guard let degrees = hubScale.degrees(raw.x + sensor.transform.offset.x) else { return nil }
            reading = .hubHeading(degrees: degrees, accuracyDegrees: .nan)
        case .magnetometer, .accelerometer, .gyroscope:
            let vector = sensor.transform.apply(raw)
            guard vector.isFinite else { return nil }
            switch sensor.description.kind {
            case .magnetometer: reading = .magneticField(vector)
            case .accelerometer: reading = .acceleration(vector)
            default: reading = .angularRate(vector)
            }
        }
        return SensorSample(bootMicroseconds: bootMicroseconds, reading: reading)
    }

    /// True once a hub's heading turned out to come in smaller units than its scale says.
    var hubScaleDiffers: Bool {
        sensor.description.kind == .hubHeading && hubScale.degreesPerCount < 1
            && hubScale.degreesPerCount != sensor.transform.scale.x
    }
}
