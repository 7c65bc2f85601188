public import Geometry

import func Glibc.floor

/// Raw field samples for a calibration, thinned so that no direction outweighs the others: a sample is kept if it lies far
/// enough from the last one kept and if its neighbourhood, a cube of 10 µT, is not full. A device at rest on an iron table
/// would else drown the rest in samples of a disturbed field. The storage is reserved once; when it is full, every second
/// point goes.
public struct CalibrationPoints: Hashable, Sendable {
    /// Edge of a neighbourhood in µT.
    public static let neighbourhood = 10.0
    /// Most points kept in one neighbourhood: a sphere of 47 µT passes through some four hundred of them.
    public static let neighbourhoodCapacity = 6

    /// Points kept, in time order, µT in the device frame.
    public private(set) var points: [Vector3] = []
    /// Least distance of a new point from the last one in µT.
    public let spacing: Double
    /// Most points kept.
    public let capacity: Int
    /// Number of points ever kept: a fit is worth repeating only when it has grown.
    public private(set) var added = 0
    private var last: Vector3?
    /// Points per neighbourhood, by hash.
    private var occupancy: [UInt8]

    /// An empty collection. Default spacing 3 µT: twice a good sensor's noise, 4° of a 45 µT field.
    public init(spacing: Double = 3, capacity: Int = 3000) {
        self.spacing = spacing
        self.capacity = max(capacity, 2)
        points.reserveCapacity(self.capacity)
        occupancy = [UInt8](repeating: 0, count: 8192)
    }

    /// Number of points.
    public var count: Int { points.count }

    /// Keeps a sample if it is finite, within a tesla, and says something new; returns whether it was kept.
    @discardableResult
    public mutating func add(_ field: Vector3) -> Bool {
        guard field.isFinite, field.length < 1e6 else { return false }
        if let last, (field - last).length < spacing { return false }
        let cell = cell(of: field)
        guard occupancy[cell] < UInt8(Self.neighbourhoodCapacity) else { return false }
        if points.count == capacity { thin() }
        occupancy[cell] += 1
        last = field
        points.append(field)
        added += 1
        return true
    }

    /// Forgets all points; the storage stays reserved.
    public mutating func removeAll() {
        points.removeAll(keepingCapacity: true)
        for index in occupancy.indices { occupancy[index] = 0 }
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

    /// Where a neighbourhood is counted; two that share a place only thin a little more.
    private func cell(of field: Vector3) -> Int {
        let x = Int(floor(field.x / Self.neighbourhood))
        let y = Int(floor(field.y / Self.neighbourhood))
        let z = Int(floor(field.z / Self.neighbourhood))
        let hash = UInt(bitPattern: x &* 73_856_093 ^ y &* 19_349_663 ^ z &* 83_492_791)
        return Int(hash % UInt(occupancy.count))
    }

    private mutating func thin() {
        var kept = 0
        for index in points.indices {
            if index.isMultiple(of: 2) {
                points[kept] = points[index]
                kept += 1
            } else {
                let cell = cell(of: points[index])
                if occupancy[cell] > 0 { occupancy[cell] -= 1 }
            }
        }
        points.removeLast(points.count - kept)
    }
}
