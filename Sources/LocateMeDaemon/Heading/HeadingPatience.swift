/// When somebody who needs headings must hear of the next one: not before a time, and then not before a turn.
struct HeadingPatience {
    /// Each heading at once.
    static let none = HeadingPatience()

    /// CLOCK_BOOTTIME in µs before which headings say nothing new.
    var untilBootMicroseconds: Int64 = .min
    /// How many degrees the heading may turn from the newest one; 0: not at all.
    var turnDegrees = 0.0
}
