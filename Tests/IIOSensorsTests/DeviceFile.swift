import Foundation
import TestSupport
import Testing

@testable import IIOSensors

/// A real device of Tests/Rigs/devices, as discovery would describe it.
struct DeviceFile: CustomTestStringConvertible, Sendable {
    /// The file's `id`.
    let id: String
    /// Its IIO devices.
    let devices: [DeviceDescription]
    /// What is known to be right.
    private let expectedData: Data

    var testDescription: String { id }

    /// Every file.
    static let all: [DeviceFile] = {
        let folder = Repository.file("Tests/Rigs/devices")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().compactMap { name in
            try? DeviceFile(folder.appendingPathComponent(name))
        }
    }()

    /// A member of `expected`.
    func expected<T>(_ path: String...) -> T? {
        var value: Any? = try? JSONSerialization.jsonObject(with: expectedData)
        for key in path { value = (value as? [String: Any])?[key] }
        return value as? T
    }

    init(_ file: URL) throws {
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
        id = object["id"] as? String ?? file.lastPathComponent
        let entries = object["iio"] as? [[String: Any]] ?? []
        devices = entries.enumerated().map { Self.describe($1, number: $0) }
        expectedData = try JSONSerialization.data(withJSONObject: object["expected"] ?? [:])
    }

    private static func describe(_ entry: [String: Any], number: Int) -> DeviceDescription {
        var device = DeviceDescription(uri: "local:", id: "iio:device\(number)", name: entry["name"] as? String ?? "")
        device.path =
            "/sys/devices/" + (entry["sysfs_parent"] as? String ?? "unknown/\(number)") + "/iio:device\(number)"
        let role = entry["role"] as? String ?? ""
        let shown = entry["attributes"] as? [String: String] ?? [:]
        let nominal = entry["nominal_attributes"] as? [String: String] ?? [:]
        for (name, text) in shown.merging(nominal, uniquingKeysWith: { first, _ in first }) {
            device.attributeNames.insert(name)
            if DeviceDescription.isWorthReading(name) { device.attributes[name] = text }
        }
        for name in entry["attribute_names"] as? [String] ?? [] { device.attributeNames.insert(name) }
        let scan = entry["scan_elements"] as? [String: Any] ?? [:]
        let listed = (entry["scan_channels"] as? [String] ?? []) + scan.keys
        var channels = Set(listed.map { String($0.dropFirst("in_".count)) })
        let raw = device.attributeNames.filter { $0.hasPrefix("in_") && $0.hasSuffix("_raw") }
        channels.formUnion(raw.map { String($0.dropFirst(3).dropLast(4)) })
        // Where the source shows neither, the driver's channels follow from what the device is.
        for (word, type) in [("magnetometer", "magn"), ("accelerometer", "accel"), ("gyroscope", "anglvel")]
        where role.contains(word) && !channels.contains(where: { $0.hasPrefix(type) }) {
            channels.formUnion("xyz".map { "\(type)_\($0)" })
        }
        if role.contains("hub heading"), !channels.contains(where: { $0.hasPrefix("rot_") }) {
            channels.insert("rot_from_north_magnetic_tilt_comp")
        }
        for channel in channels where channel != "timestamp" { device.attributeNames.insert("in_\(channel)_raw") }
        device.channels = channels.sorted().map { id in
            DeviceDescription.Channel(id: id, isScanElement: listed.contains("in_\(id)"))
        }
        return device
    }
}
