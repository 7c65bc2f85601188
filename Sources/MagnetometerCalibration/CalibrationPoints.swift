public import Geometry

/// Raw field samples for a calibration, thinned so that a device at rest adds nothing: a sample is kept if it lies
/// far enough from the last one kept. The storage is reserved once; when it is full, every second point goes and the
/// spacing grows, so that long use keeps early and late samples alike.
public struct CalibrationPoints: Hashable, Sendable {
    /// Points kept, in time order, µT in the device frame.
    public private(set) var points: [Vector3] = []
    /// Least distance of a new point from the last one in µT.
    public private(set) var spacing: Double
    /// Most points kept.
    public let capacity: Int
    /// Number of points ever kept: a fit is worth repeating only when it has grown.
    public private(set) var added = 0
    private var last: Vector3?

    /// An empty collection. Default spacing 3 µT: twice a good sensor's noise, 4° of a 45 µT field.
    public init(spacing: Double = 3, capacity: Int = 3000) {
        self.spacing = spacing
        self.capacity = max(capacity, 2)
        points.reserveCapacity(self.capacity)
    }

    /// Number of points.
    public var count: Int { points.count }

    /// Keeps a sample if it is finite and far enough from the last one kept; returns whether it was kept.
    @discardableResult
    public mutating func add(_ field: Vector3) -> Bool {
        guard field.isFinite else { return false }
        if let last, (field - last).length < spacing { return false }
        last = field
        if points.count == capacity { thin() }
        points.append(field)
        added += 1
        return true
    }

    /// Forgets all points; the storage stays reserved.
    public mutating func removeAll() {
        points.removeAll(keepingCapacity: true)
        last = nil
        added = 0
    }

    /// At most `limit` of the points, evenly chosen in time, as a value of its own for a fit elsewhere.
    public func sampled(atMost limit: Int) -> [Vector3] {
        let stride = Self.stride(of: points.count, atMost: limit)
        var sampled: [Vector3] = []
        sampled.reserveCapacity(points.count / stride + 1)
        for index in Swift.stride(from: 0, to: points.count, by: stride) { sampled.append(points[index]) }
        return sampled
    }

    /// The step through `count` points that visits at most `limit` of them.
    static func stride(of count: Int, atMost limit: Int) -> Int { max(1, (count + limit - 1) / max(1, limit)) }

    private mutating func thin() {
        var kept = 0
        for index in Swift.stride(from: 0, to: points.count, by: 2) {
            points[kept] = points[index]
            kept += 1
        }
        points.removeLast(points.count - kept)
    }
}
