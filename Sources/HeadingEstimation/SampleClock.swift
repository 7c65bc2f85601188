import LocateMeModel

/// Judges the times of samples: each sensor's must increase, and no sensor may lag far behind the newest.
struct SampleClock {
    /// What to do with a sample.
    enum Verdict {
        /// Use it, at this time in seconds since the first sample.
        case use(Double)
        /// Drop it: twice the same time, or older than the last.
        case drop
        /// Time itself has gone back, or ran ahead for a moment: start anew and offer the sample again.
        case restart
    }
    /// Sensors told apart.
    enum Sensor: Int {
        case magnetometer
        case accelerometer
        case gyroscope
        case hub
    }

    /// Samples in a row far in the past before time counts as gone back.
    private static let patience = 10
    /// Seconds behind the newest sample that count as far.
    private static let far = 1.0

    /// Samples dropped for their time.
    private(set) var dropped = 0
    private var origin: Int64?
    private var last = InlineArray<4, Double>(repeating: -.infinity)
    private var newest = -Double.infinity
    private var late = 0

    /// Time of a sensor's last sample in seconds, nil before the first.
    func lastTime(of sensor: Sensor) -> Double? {
        let time = last[sensor.rawValue]
        return time.isFinite ? time : nil
    }

    /// Judges a sample's time.
    mutating func judge(_ microseconds: Int64, of sensor: Sensor) -> Verdict {
        let start = origin ?? microseconds
        origin = start
        let (difference, overflow) = microseconds.subtractingReportingOverflow(start)
        guard !overflow else { return .restart }
        let time = Double(difference) * 1e-6
        if time < newest - Self.far {
            late += 1
            dropped += 1
            return late > Self.patience ? .restart : .drop
        }
        guard time > last[sensor.rawValue] else {
            dropped += 1
            return .drop
        }
        late = 0
        last[sensor.rawValue] = time
        newest = max(newest, time)
        return .use(time)
    }

    /// A new start that keeps the count of dropped samples.
    func restarted() -> SampleClock {
        var clock = SampleClock()
        clock.dropped = dropped
        return clock
    }
}
