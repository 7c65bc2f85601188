import func Glibc.exp

/// Why a direction that was just opened is not what the filter's variance says: a device in motion may walk past a magnet whose
/// strength and dip happen to be the earth's, and for some seconds nothing tells them apart. What does is undisturbed field, which a
/// magnet shows for a metre or two only.
struct DirectionDoubt {
    /// Seconds of undisturbed field since the direction was opened: what lies between magnets does not count.
    private var cleanSeconds = 0.0
    /// Greatest activity since then, 0 at rest … 1: a device that stays where it is meets no magnet.
    private var activity = 0.0

    /// A direction that was just opened.
    init() {}

    /// Takes the time in seconds since the sample before, whether its field is undisturbed, and the activity, 0…1.
    mutating func update(isClean: Bool, activity level: Double, interval: Double) {
        if isClean { cleanSeconds += interval }
        activity = max(activity, level)
    }

    /// The 95 % bound in degrees, independent of what the filter knows.
    func bound(_ parameters: AccuracyParameters) -> Double {
        parameters.start * activity * exp(-cleanSeconds / parameters.startTime)
    }
}
