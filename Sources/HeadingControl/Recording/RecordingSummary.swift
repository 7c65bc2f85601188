internal import LocateMeModel

/// What a recording holds.
struct RecordingSummary {
    /// The file.
    var path: String
    /// Time of the last record in seconds.
    var seconds: Double
    /// Records by kind.
    var counts: [String: Int]
    /// Samples that came too late to be put in order.
    var dropped: Int

    /// For the end.
    var text: String {
        "\(path): \(TimeText.span(seconds: seconds)), \(kinds)"
            + (dropped > 0 ? ", \(dropped) came too late and were left out" : "")
    }

    /// While recording.
    var progress: String { "recording \(TimeText.span(seconds: seconds)): \(kinds)   Enter sets a mark, Ctrl-C ends" }

    /// For programs.
    var json: JSONValue {
        .object([
            ("file", .string(path)), ("seconds", .number(seconds, decimals: 6)),
            ("records", .object(counts.sorted { $0.key < $1.key }.map { ($0.key, .integer(Int64($0.value))) })),
            ("dropped", .integer(Int64(dropped))),
        ])
    }

    private var kinds: String {
        counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }

    /// The kind of record of a reading.
    static func kind(_ reading: SensorSample.Reading) -> String {
        switch reading {
        case .magneticField: "magn"
        case .acceleration: "accel"
        case .angularRate: "gyro"
        case .hubHeading: "hub"
        case .temperature: "temp"
        }
    }

    /// The kind of record of a sensor.
    static func kind(_ kind: SensorKind) -> String {
        switch kind {
        case .magnetometer: "magn"
        case .accelerometer: "accel"
        case .gyroscope: "gyro"
        case .hubHeading: "hub"
        }
    }
}
