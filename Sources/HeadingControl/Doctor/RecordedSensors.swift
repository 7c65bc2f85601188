internal import LocateMeModel
internal import SensorRecordings

/// The sensors of a recording as descriptions: what was delivered is in the device frame already.
enum RecordedSensors {
    /// One per stream that a compass uses.
    static func descriptions(_ header: RecordingHeader) -> [SensorDescription] {
        let kinds: [(word: String, kind: SensorKind)] = [
            ("magn", .magnetometer), ("accel", .accelerometer), ("gyro", .gyroscope), ("hub", .hubHeading),
        ]
        return kinds.map { word, kind in
            let name = header.stream(word)?.name ?? ""
            var sensor = SensorDescription(id: word, kind: kind, name: name.isEmpty ? word : name)
            sensor.selected = true
            return sensor
        }
    }
}
