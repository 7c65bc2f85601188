internal import CLinux
internal import Glibc

/// The clocks of the package. Pure modules never read them: time is their argument.
public enum Clock {
    /// CLOCK_BOOTTIME in microseconds: counts suspend, never jumps.
    public static func bootMicroseconds() -> Int64 { read(CLOCK_BOOTTIME) }

    /// CLOCK_REALTIME in microseconds since the Unix epoch, UTC.
    public static func realMicroseconds() -> Int64 { read(CLOCK_REALTIME) }

    /// How long the machine has slept since it was started, in microseconds: CLOCK_BOOTTIME less CLOCK_MONOTONIC, which
    /// stands still meanwhile (clock_gettime(2)). Grows by less than a millisecond while the machine is awake.
    public static func sleptMicroseconds() -> Int64 { read(CLOCK_BOOTTIME) - read(CLOCK_MONOTONIC) }

    /// True if the kernel says that CLOCK_REALTIME is kept right, by NTP or the like (adjtimex(2), STA_UNSYNC).
    public static func isRealTimeSynchronized() -> Bool {
        var state = timex()
        let answer = adjtimex(&state)
        return answer >= 0 && answer != LOCATEME_TIME_ERROR && state.status & LOCATEME_STA_UNSYNC == 0
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // Fails only for an unknown clock id.
        _ = clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
