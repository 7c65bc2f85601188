/// How samples of one sensor come in: their rate, gaps, and whether their times make sense.
public struct SampleTiming: Sendable {
    /// Mean rate in Hz over the last 50 samples or so; NaN before the first ten.
    public var rateHertz: Double { count >= 10 && interval > 0 ? 1e6 / interval : .nan }
    /// Samples whose time was not after that of the one before.
    public private(set) var backward = 0
    /// Samples whose time was more than two seconds from that of their arrival.
    public private(set) var far = 0
    /// Samples.
    public private(set) var count = 0
    private var interval = 0.0
    private var lastArrival: Int64 = 0
    private var lastTime: Int64 = 0

    /// Nothing has come yet.
    public init() {}

    /// Takes the time of a sample and that of its arrival, CLOCK_BOOTTIME in µs.
    public mutating func update(time: Int64, arrival: Int64) {
        if count > 0 {
            if time <= lastTime { backward += 1 }
            let step = Double(arrival &- lastArrival)
            // A pause is none of the rate; several may come at once.
            if step >= 0, step < 2e6 { interval += (step - interval) / Double(min(count, 50)) }
            if step >= 2e6 { count = 0 }
        }
        if abs(Double(time) - Double(arrival)) > 2e6 { far += 1 }
        lastArrival = arrival
        lastTime = time
        count += 1
    }

    /// True if the times of the samples are not to be trusted: now and then a late one is no fault.
    public var isOdd: Bool { far >= 5 || (backward >= 5 && backward * 20 > count) }
}
