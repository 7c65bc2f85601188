import Foundation
import Geometry
import TestSupport

/// Counts that a fixture's chips would give in a known pose, reckoned without the code under test.
struct FixturePose {
    /// Degrees of the top edge.
    let heading: Double
    /// µT in the device frame.
    let field: Vector3
    /// The direction away from the ground in the device frame.
    let up: Vector3

    /// A device tilted by 20° about its right edge and 15° about its top edge, in the field that the devices' files use:
    /// 0.21 G horizontal, 0.42 G down.
    init(heading: Double) {
        let angle = heading * .pi / 180
        let pitch = 20 * Double.pi / 180
        let roll = 15 * Double.pi / 180
        // Earth (east, north, up) to the level device: seen from a device that has turned clockwise, the earth has turned
        // the other way.
        let turn = Matrix3(
            Vector3(cos(angle), -sin(angle), 0), Vector3(sin(angle), cos(angle), 0), Vector3(0, 0, 1))
        let lift = Matrix3(
            Vector3(1, 0, 0), Vector3(0, cos(pitch), sin(pitch)), Vector3(0, -sin(pitch), cos(pitch)))
        let lean = Matrix3(
            Vector3(cos(roll), 0, -sin(roll)), Vector3(0, 1, 0), Vector3(sin(roll), 0, cos(roll)))
        let toDevice = lean * (lift * turn)
        self.heading = heading
        field = toDevice * Vector3(0, 21, -42)
        up = toDevice * Vector3(0, 0, 1)
    }

    /// Degrees of the top edge's horizontal part from a measured field and "up": a cross product gives east.
    static func heading(field: Vector3, up: Vector3) -> Double {
        let east = field.cross(up)
        guard let east = east.normalized, let up = up.normalized else { return .nan }
        let north = up.cross(east)
        return atan2(east.y, north.y) * 180 / .pi
    }

    /// Raw counts by channel for one device.
    func counts(_ entry: Fixture.Entry) -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for (type, vector, unit) in [
            ("magn", field, 100.0), ("accel", up * 9.80665, 1), ("anglvel", Vector3(0, 0, 0), 1),
        ] where entry.channels.contains(type + "_x") {
            let chip = Self.matrix(entry, type).inverse.map { $0 * vector } ?? vector
            let sign = entry.name == "accel_3d" ? -1.0 : 1
            for (axis, letter) in "xyz".enumerated() {
                func number(_ what: String) -> Double? {
                    (entry.attributes["in_\(type)_\(letter)_\(what)"] ?? entry.attributes["in_\(type)_\(what)"])
                        .flatMap { Double($0) }
                }
                let scale = entry.trueScale ?? number("scale") ?? 1
                let count = sign * chip[axis] / (scale * unit) - (number("offset") ?? 0)
                counts["\(type)_\(letter)"] = Int64(count.rounded())
            }
        }
        return counts
    }

    /// The attribute that applies, by the order that Tests/Rigs/drivers/README.md states.
    private static func matrix(_ entry: Fixture.Entry, _ type: String) -> Matrix3 {
        let own = "in_\(type)_mount_matrix"
        let order =
            type == "accel" ? ["mount_matrix", own, "in_mount_matrix"] : [own, "mount_matrix", "in_mount_matrix"]
        let shown = order.lazy.compactMap({ entry.attributes[$0] }).first
        guard let text = type == "magn" ? entry.trueMatrix ?? shown : shown else { return .identity }
        let numbers = text.split { ",; ".contains($0) }.compactMap { Double($0) }
        return Matrix3(rowMajor: numbers) ?? .identity
    }
}
