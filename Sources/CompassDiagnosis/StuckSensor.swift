public import Geometry

/// Notices a sensor that answers and yet does not measure.
public struct StuckSensor: Sendable {
    /// What is wrong.
    public enum Fault: Hashable, Sendable {
        /// Exactly the same reading again and again, while the device moves.
        case frozen
        /// It varies, but no more than noise, while the device is turned.
        case constant
        /// The three axes show the same number.
        case equalAxes
    }

    /// One count of the sensor in the unit of its readings, per axis; 0 unknown.
    public var resolution = 0.0
    private var last: Vector3?
    private var repeats = 0
    private var equal = 0
    private var low = Vector3(.infinity, .infinity, .infinity)
    private var high = Vector3(-.infinity, -.infinity, -.infinity)
    private var count = 0
    private var motion = 0.0
    private var motionOfRepeats = 0.0

    /// Radians that the device must have been turned by before a constant reading is a fault.
    private static let leastMotion = 1.5
    private static let leastRepeats = 40
    private static let leastEqual = 8

    /// A watch that has seen nothing.
    public init() {}

    /// Takes a reading.
    public mutating func update(_ reading: Vector3) {
        guard reading.isFinite else { return }
        if reading == last {
            repeats += 1
        } else {
            repeats = 0
            motionOfRepeats = 0
        }
        last = reading
        let isEqual =
            reading.x != 0 && abs(reading.x - reading.y) <= resolution && abs(reading.x - reading.z) <= resolution
        equal = isEqual ? equal + 1 : 0
        low = Vector3(min(low.x, reading.x), min(low.y, reading.y), min(low.z, reading.z))
        high = Vector3(max(high.x, reading.x), max(high.y, reading.y), max(high.z, reading.z))
        count += 1
    }

    /// Another sensor says that the device was turned by so many radians.
    public mutating func turned(by angle: Double) {
        motion += angle
        motionOfRepeats += angle
    }

    /// What is wrong; nil: nothing, or it is not known yet.
    public var fault: Fault? {
        if equal >= Self.leastEqual { return .equalAxes }
        if repeats >= Self.leastRepeats, motionOfRepeats > Self.leastMotion { return .frozen }
        guard motion > 2 * Self.leastMotion, count >= Self.leastRepeats else { return nil }
        let extent = high - low
        let largest = max(extent.x, extent.y, extent.z)
        let size = max(high.length, low.length)
        return largest <= max(4 * resolution, 0.004 * size) ? .constant : nil
    }
}
