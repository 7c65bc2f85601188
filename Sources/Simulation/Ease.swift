/// A smooth change from 0 to 1 within a duration: the quintic 10τ³ − 15τ⁴ + 6τ⁵, whose first and second derivatives are 0
/// at both ends, with its derivatives with respect to time.
struct Ease {
    /// Between 0 and 1.
    let value: Double
    /// 1/s.
    let rate: Double
    /// 1/s².
    let acceleration: Double

    /// At a time in seconds, clamped to the duration, which must be > 0.
    init(at time: Double, of duration: Double) {
        let share = min(max(time / duration, 0), 1)
        let rest = 1 - share
        value = share * share * share * (10 + share * (6 * share - 15))
        rate = 30 * share * share * rest * rest / duration
        acceleration = 60 * share * rest * (1 - 2 * share) / (duration * duration)
    }
}
