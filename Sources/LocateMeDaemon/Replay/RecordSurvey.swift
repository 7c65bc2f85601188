internal import LocateMeModel
internal import SensorRecordings

/// Which sensors a recording holds and how fast they are, from its header and its first records.
struct RecordSurvey {
    /// What was found of one kind of sensor.
    struct Stream {
        var kind: SensorKind
        var name: String
        /// Hz, 0 if it cannot be said.
        var rateHertz: Double
    }

    /// One stream per kind of sensor that was found.
    private(set) var streams: [Stream] = []
    /// True if the magnetic field has been calibrated before it was recorded.
    private(set) var isMagneticFieldCalibrated = false
    /// What recorded, empty if unknown.
    private(set) var device = ""

    /// Enough for two seconds of three sensors at 200 Hz.
    private static let records = 1200

    init(_ reader: any RecordReader) throws {
        var counts: [SensorKind: (first: Int64, last: Int64, count: Int)] = [:]
        for _ in 0..<Self.records {
            guard let record = try reader.next() else { break }
            guard case .sample(let sample) = record.content, let kind = Self.kind(of: sample.reading) else { continue }
            let seen = counts[kind] ?? (record.microseconds, record.microseconds, 0)
            counts[kind] = (seen.first, record.microseconds, seen.count + 1)
        }
        let header = reader.header
        for kind in SensorKind.allCases {
            let stated = header.stream(Self.word(kind))
            guard let seen = counts[kind] ?? (stated == nil ? nil : (0, 0, 0)) else { continue }
            var rate = stated?.rateHertz ?? 0
            if rate == 0, seen.count > 1, seen.last > seen.first {
                rate = Double(seen.count - 1) * 1e6 / Double(seen.last - seen.first)
            }
            streams.append(Stream(kind: kind, name: stated?.name ?? "", rateHertz: rate))
        }
        isMagneticFieldCalibrated = header.isMagneticFieldCalibrated
        device = header.device ?? ""
        guard streams.contains(where: { $0.kind == .magnetometer || $0.kind == .hubHeading }) else {
            throw UsageError("it holds neither magnetometer samples nor headings")
        }
    }

    /// The recorded magnetometer by the names that the header gives; nil if it does not name the device.
    var magnetometerIdentity: DeviceIdentity? {
        guard !device.isEmpty, let stream = streams.first(where: { $0.kind == .magnetometer }) else { return nil }
        return DeviceIdentity(busPath: "replay", name: stream.name, location: device)
    }

    /// The kind of record of a sensor.
    static func word(_ kind: SensorKind) -> String {
        switch kind {
        case .magnetometer: "magn"
        case .accelerometer: "accel"
        case .gyroscope: "gyro"
        case .hubHeading: "hub"
        }
    }

    private static func kind(of reading: SensorSample.Reading) -> SensorKind? {
        switch reading {
        case .magneticField: .magnetometer
        case .acceleration: .accelerometer
        case .angularRate: .gyroscope
        case .hubHeading: .hubHeading
        case .temperature: nil
        }
    }
}
