/// How a phone in the hand moves with the steps. Amplitudes may be 0.
public struct Gait: Hashable, Sendable {
    /// Length of a step in metres, > 0; adjusted a little so that a stretch without stop has whole double steps.
    public var stepLength = 0.7
    /// Half of the height of the bounce in metres, one bounce a step.
    public var bounce = 0.02
    /// Radians of pitch, once a step.
    public var pitch = 0.05
    /// Radians of roll, once every two steps.
    public var roll = 0.07

    /// A calm walk.
    public init() {}

    /// A phone on wheels.
    public static var none: Gait {
        var gait = Gait()
        gait.bounce = 0
        gait.pitch = 0
        gait.roll = 0
        return gait
    }
}
