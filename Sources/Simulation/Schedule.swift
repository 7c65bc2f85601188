/// Which stream of a simulation is due next. The n-th record of a stream is due at n / rate, rounded to a microsecond, so
/// that rates hold over any time.
struct Schedule: Sendable {
    /// The streams; at the same time they come in this order.
    enum Stream: Int, CaseIterable, Sendable {
        case gyroscope
        case accelerometer
        case magnetometer
        case receiver
        case truth
    }

    /// Hz by stream, 0 for none.
    private let rates: [Double]
    private var counts: [Int64]
    private var dues: [Int64]

    init(_ phone: SimulatedPhone) {
        func valid(_ rate: Double?) -> Double {
            guard let rate, rate.isFinite, rate > 0 else { return 0 }
            return rate
        }
        rates = [
            valid(phone.gyroscope?.rateHertz), valid(phone.accelerometer?.rateHertz),
            valid(phone.magnetometer?.rateHertz), valid(phone.receiver.map { 1 / $0.interval }),
            valid(phone.truthRateHertz),
        ]
        counts = Array(repeating: 0, count: rates.count)
        dues = rates.map { $0 > 0 ? 0 : .max }
    }

    /// The stream that is due first, and when in microseconds; nil if there is none.
    var earliest: (stream: Stream, time: Int64)? {
        var best: (stream: Stream, time: Int64)?
        for stream in Stream.allCases where dues[stream.rawValue] < best?.time ?? .max {
            best = (stream, dues[stream.rawValue])
        }
        return best
    }

    /// Makes the stream's next record due.
    mutating func advance(_ stream: Stream) {
        let index = stream.rawValue
        counts[index] += 1
        dues[index] = Int64((Double(counts[index]) * 1e6 / rates[index]).rounded())
    }
}
