/// How far the screen is tilted, in the words of net.hadess.SensorProxy's `AccelerometerTilt`.
public enum ScreenTilt: String, Hashable, Sendable, CaseIterable {
    /// Not known yet.
    case undefined
    /// The screen lies on its back.
    case faceUp = "face-up"
    /// The screen leans back.
    case tiltedUp = "tilted-up"
    /// The screen stands upright.
    case vertical
    /// The screen leans forward.
    case tiltedDown = "tilted-down"
    /// The screen lies on its face.
    case faceDown = "face-down"
}
