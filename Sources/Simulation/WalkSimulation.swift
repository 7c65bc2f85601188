internal import Geometry
public import LocateMeModel
public import SensorRecordings

/// The records of a simulated phone on a walk, in the order of time: samples, fixes and the true attitude.
///
/// The earth's field, gravity (9.80665 m/s², the standard one) and their directions are those of the origin all along
/// the walk. The earth's rotation (7e-5 rad/s) is left out: it is far below the noise of a phone's gyroscope.
public struct WalkSimulation: Sequence, IteratorProtocol, Sendable {
    /// m/s².
    public static let gravity = 9.80665

    /// What the records' recording says about itself.
    public let header: RecordingHeader
    /// The motion itself, in seconds.
    public let trajectory: Trajectory

    private let repeats: Bool
    private var schedule: Schedule
    private var sensors: SensorModel
    private var receiver: ReceiverModel

    /// A simulation at its beginning.
    ///
    /// - Parameters:
    ///   - walk: what the walker does.
    ///   - phone: the sensors.
    ///   - field: the earth's field at the walk's origin.
    ///   - magnets: what disturbs the field.
    ///   - seed: the same seed gives the same noise.
    ///   - startRealMicroseconds: UTC of the start in microseconds since the Unix epoch; nil: fixes have no date.
    ///   - repeats: whether the walk begins again without end; the way back to its start is then added where needed.
    public init(
        walk: Walk, phone: SimulatedPhone = SimulatedPhone(), field: EarthField, magnets: [Magnet] = [],
        seed: UInt64 = 1, startRealMicroseconds: Int64? = nil, repeats: Bool = false
    ) {
        let trajectory = Trajectory(repeats ? walk.closed : walk)
        self.trajectory = trajectory
        self.repeats = repeats && trajectory.duration > 0
        schedule = Schedule(phone)
        sensors = SensorModel(phone: phone, field: field, magnets: magnets, seed: seed)
        receiver = ReceiverModel(
            phone.receiver ?? SimulatedPhone.Receiver(), walk: walk, seed: seed,
            startRealMicroseconds: startRealMicroseconds)
        header = Self.header(phone, seed: seed, startRealMicroseconds: startRealMicroseconds)
    }

    /// The time of the next record in microseconds, for delivery at the pace of a clock; nil at the end.
    public var nextMicroseconds: Int64? {
        guard let (_, time) = schedule.earliest else { return nil }
        return repeats || Double(time) * 1e-6 <= trajectory.duration ? time : nil
    }

    /// The next record; nil at the end.
    public mutating func next() -> Record? {
        guard let (stream, time) = schedule.earliest, nextMicroseconds != nil else { return nil }
        schedule.advance(stream)
        let seconds = Double(time) * 1e-6
        switch stream {
        case .gyroscope:
            return sample(time, .angularRate(sensors.angularRate(state(at: seconds))))
        case .accelerometer:
            return sample(time, .acceleration(sensors.specificForce(state(at: seconds))))
        case .magnetometer:
            return sample(time, .magneticField(sensors.magneticField(state(at: seconds - sensors.latency), seconds)))
        case .truth:
            return Record(microseconds: time, content: .truth(sensors.magneticAttitude(state(at: seconds))))
        case .receiver:
            return Record(receiver.fix(state(at: seconds), microseconds: time))
        }
    }

    // MARK: - Private

    private func sample(_ time: Int64, _ reading: SensorSample.Reading) -> Record {
        Record(SensorSample(bootMicroseconds: time, reading: reading))
    }

    private func state(at seconds: Double) -> MotionState {
        guard repeats, seconds > 0 else { return trajectory.state(at: seconds) }
        return trajectory.state(at: seconds.truncatingRemainder(dividingBy: trajectory.duration))
    }

    private static func header(
        _ phone: SimulatedPhone, seed: UInt64, startRealMicroseconds: Int64?
    ) -> RecordingHeader {
        func stream(_ kind: String, _ rateHertz: Double) -> RecordingHeader.Stream {
            RecordingHeader.Stream(kind: kind, name: "simulated", facts: [.init(key: "rate", value: text(rateHertz))])
        }
        func text(_ number: Double) -> String {
            let text = number.description
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
        var header = RecordingHeader()
        header.startRealMicroseconds = startRealMicroseconds
        header.device = "simulated phone"
        if let magnetometer = phone.magnetometer {
            var magn = stream("magn", magnetometer.rateHertz)
            if magnetometer.resolution > 0 {
                magn.facts.append(.init(key: "resolution", value: text(magnetometer.resolution)))
            }
            header.streams.append(magn)
        }
        if let accelerometer = phone.accelerometer { header.streams.append(stream("accel", accelerometer.rateHertz)) }
        if let gyroscope = phone.gyroscope { header.streams.append(stream("gyro", gyroscope.rateHertz)) }
        header.notes = ["simulated, seed \(seed)"]
        return header
    }
}
