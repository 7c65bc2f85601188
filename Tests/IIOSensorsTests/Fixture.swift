import Foundation
import Geometry
import TestSupport
import Testing

/// A device of Tests/Rigs/devices or a driver of Tests/Rigs/drivers as a rig, in a known pose.
struct Fixture: Sendable, CustomTestStringConvertible {
    /// One IIO device of it, as its file says.
    struct Entry: Sendable {
        var name: String
        var attributes: [String: String]
        var scan: [(id: String, type: String, index: Int)]
        var channels: [String]
        var parent: String
        var udev: [String: String]
        /// IIO units per count that the chip really counts in, where the driver says something else.
        var trueScale: Double?
        /// How the magnetometer is mounted, where its matrix says something else.
        var trueMatrix: String?
    }

    let id: String
    let entries: [Entry]
    let triggers: [String]
    /// The reason with which its magnetometer or hub heading must be refused, nil if it need not.
    let refused: String?
    /// Entries of the machine's devicetree `compatible`.
    let machine: [String]
    /// What a hub's heading must be, nil if there is none.
    let hubHeading: Double?

    var testDescription: String { id }

    /// Every fixture, by id.
    static let all: [Fixture] = {
        var objects: [[String: Any]] = []
        let folder = Repository.file("Tests/Rigs/devices")
        for name in ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        where name.hasSuffix(".json") {
            if let data = try? Data(contentsOf: folder.appendingPathComponent(name)),
                let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
            {
                objects.append(object)
            }
        }
        if let data = try? Data(contentsOf: Repository.file("Tests/Rigs/drivers/drivers.json")),
            let drivers = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]]
        {
            objects += drivers
        }
        return objects.map(Fixture.init)
    }()

    init(_ object: [String: Any]) {
        id = object["id"] as? String ?? ""
        triggers = object["triggers"] as? [String] ?? []
        let expected = object["expected"] as? [String: Any]
        let intended = (expected?["magnetometer"] as? [String: Any])?["intended_matrix"] as? String
        // Only the machine tells that the device is turned although its matrix does not say so.
        machine = id == "droid4-mapphone" ? ["motorola,droid4", "ti,omap4430"] : []
        refused = object["refused"] as? String
        // The ThinkPad Twist has no accelerometer and counts tenths of a degree.
        hubHeading = id == "thinkpad-twist" ? 271.6 : (object["hub_heading_deg"] as? NSNumber)?.doubleValue
        entries = (object["iio"] as? [[String: Any]] ?? []).enumerated().map { [id] number, entry in
            var entry = Self.entry(entry, number: number)
            entry.trueMatrix = intended
            if id == "thinkpad-twist" {
                entry.attributes["in_rot_from_north_magnetic_tilt_comp_raw"] = "2716"
            }
            return entry
        }
    }

    /// Scales where a file has none: those of HID hubs that have been seen (hp-envy-x360-13-ag0xxx), and 12 bits of
    /// ±16 g or ±2000°/s for other chips, whose scale does not matter for a heading.
    private static let usualScales = [
        "magn_3d": "0.001000000", "accel_3d": "0.009806650", "gyro_3d": "0.017453292", "accel": "0.009577",
        "anglvel": "0.001064724",
    ]

    private static func entry(_ object: [String: Any], number: Int) -> Entry {
        var attributes = (object["nominal_attributes"] as? [String: String] ?? [:])
            .merging(object["attributes"] as? [String: String] ?? [:]) { _, shown in shown }
        let name = object["name"] as? String ?? attributes["name"] ?? ""
        attributes["name"] = nil
        attributes["dev"] = nil
        attributes["uevent"] = nil
        let role = object["role"] as? String ?? ""
        let scan = (object["scan_elements"] as? [String: Any] ?? [:]).compactMap { key, value in
            (value as? [String: Any]).flatMap { element -> (id: String, type: String, index: Int)? in
                guard key.hasPrefix("in_"), let type = element["type"] as? String else { return nil }
                return (String(key.dropFirst(3)), type, (element["index"] as? NSNumber)?.intValue ?? 0)
            }
        }
        var channels = Set(scan.map(\.id))
        let names = Set(attributes.keys).union(object["attribute_names"] as? [String] ?? [])
        for file in names where file.hasPrefix("in_") && file.hasSuffix("_raw") {
            channels.insert(String(file.dropFirst(3).dropLast(4)))
        }
        for (word, type) in [("magnetometer", "magn"), ("accelerometer", "accel"), ("gyroscope", "anglvel")]
        where role.contains(word) {
            channels.formUnion("xyz".map { "\(type)_\($0)" })
        }
        if role.contains("hub heading") { channels.insert("rot_from_north_magnetic_tilt_comp") }
        channels.remove("timestamp")
        for type in ["magn", "accel", "anglvel"] where channels.contains(type + "_x") {
            let shown = ["in_\(type)_scale", "in_\(type)_x_scale"].contains { attributes[$0] != nil }
            if !shown, let usual = usualScales[name] ?? usualScales[type] { attributes["in_\(type)_scale"] = usual }
        }
        let truth = object["true_gauss_per_count"] ?? object["true_unit_per_count"]
        return Entry(
            name: name, attributes: attributes, scan: scan.sorted { $0.index < $1.index }, channels: channels.sorted(),
            parent: object["sysfs_parent"] as? String ?? "platform/\(number)-\(name)",
            udev: object["udev"] as? [String: String] ?? [:],
            trueScale: (truth as? String).flatMap { Double($0) })
    }
}
