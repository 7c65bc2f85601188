import Foundation
import Geometry
import TestSupport
import Testing

/// What headingctl and the source make of every fixture: real libiio on real files, all in one namespace.
struct FixtureSurvey: Sendable {
    /// One line of `headingctl sensors --json`.
    struct Sensor: Sendable {
        var kind: String
        var name: String
        var isSelected: Bool
        var reason: String
        var row: String
    }

    /// What came of one fixture.
    struct Result: Sendable {
        var sensors: [Sensor] = []
        var findings: [String] = []
        /// The newest sample by kind: magn, accel, gyro, hub.
        var samples: [String: [Double]] = [:]
        /// Discovery as one block of text.
        var table: String {
            (sensors.map(\.row) + ["  findings " + findings.sorted().joined(separator: " ")]).joined(separator: "\n")
        }
    }

    /// The heading in which a fixture lies: coarse chips get one at which their counts happen to be exact enough.
    static func pose(of fixture: Fixture) -> FixturePose {
        let candidates = stride(from: 37.0, to: 397, by: 5).map { FixturePose(heading: $0) }
        let errors = candidates.map { pose -> Double in
            var worst = 0.0
            for entry in fixture.entries where entry.channels.contains("magn_x") {
                let scale =
                    entry.trueScale
                    ?? Double(entry.attributes["in_magn_x_scale"] ?? entry.attributes["in_magn_scale"] ?? "")
                guard let scale, scale > 0.003 else { continue }
                // How far rounding turns the field, whichever way the chip is turned by quarters.
                let rounded = Vector3(
                    (pose.field.x / scale / 100).rounded() * scale * 100,
                    (pose.field.y / scale / 100).rounded() * scale * 100,
                    (pose.field.z / scale / 100).rounded() * scale * 100)
                let turned = FixturePose.heading(field: rounded, up: pose.up) - pose.heading
                worst = max(worst, abs(remainder(turned, 360)))
            }
            return worst
        }
        let best = errors.indices.min { errors[$0] < errors[$1] } ?? 0
        return candidates[best]
    }

    /// Results by fixture id; made once.
    static let results: [String: Result] = (try? run()) ?? [:]

    private static func run() throws -> [String: Result] {
        var rigs: [(fixture: Fixture, rig: IIORig)] = []
        var nodes: [FileHandle] = []
        for fixture in Fixture.all {
            let pose = pose(of: fixture)
            var devices: [IIORigDevice] = []
            for entry in fixture.entries {
                var device = IIORigDevice(
                    name: entry.name, attributes: entry.attributes,
                    channels: entry.scan.map { .init($0.id, $0.type, index: $0.index) },
                    trigger: fixture.triggers.isEmpty ? nil : "", parent: entry.parent)
                device.udev = entry.udev
                let counts = pose.counts(entry)
                for channel in entry.channels
                where device.attributes["in_\(channel)_raw"] == nil || counts[channel] != nil {
                    device.attributes["in_\(channel)_raw"] = "\(counts[channel] ?? 1)"
                }
                devices.append(device)
            }
            let rig = try IIORig(devices: devices, triggers: fixture.triggers, machine: fixture.machine)
            for (number, entry) in fixture.entries.enumerated() where !entry.scan.isEmpty {
                let vectors = entry.scan.map(\.id).filter { id in
                    ["magn", "accel", "anglvel"].contains { id.hasPrefix($0) }
                }
                nodes.append(
                    try rig.prefill(number, pose.counts(entry), count: 12, channels: Set(vectors)))
            }
            rigs.append((fixture, rig))
        }
        let script = Repository.file("Tests/Rigs/iio-survey.sh").path
        let output = try Command.run(
            "/bin/sh",
            [script, BuiltProducts.executable("iio-probe"), BuiltProducts.executable("headingctl")]
                + rigs.map(\.rig.root.path))
        var results: [String: Result] = [:]
        var id = ""
        for line in output.output.split(separator: "\n") {
            if line.hasPrefix("root ") {
                id = rigs.first { line.hasSuffix($0.rig.root.path) }?.fixture.id ?? ""
                results[id] = Result()
            } else if line.hasPrefix("{") {
                results[id]?.take(String(line))
            } else if let sample = ProbeSample(String(line)) {
                results[id]?.samples[String(sample.kind)] = sample.values
            }
        }
        withExtendedLifetime(nodes) {}
        return results
    }
}

extension FixtureSurvey.Result {
    fileprivate mutating func take(_ line: String) {
        guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else { return }
        if let finding = object["finding"] as? [String: Any] {
            findings.append(finding["code"] as? String ?? "?")
            return
        }
        let isSelected = object["selected"] as? Bool ?? false
        let name = object["name"] as? String ?? ""
        let kind = object["kind"] as? String ?? ""
        let reason = object["reason"] as? String ?? ""
        func numbers(_ key: String) -> String {
            (object[key] as? [NSNumber] ?? []).map { "\(Float($0.doubleValue))" }.joined(separator: ",")
        }
        let id = (object["id"] as? String ?? "").replacingOccurrences(of: "local:/iio:", with: "")
        let triggers = (object["triggers"] as? [String] ?? []).joined(separator: ",")
        sensors.append(
            FixtureSurvey.Sensor(
                kind: kind, name: name, isSelected: isSelected, reason: reason,
                row: "  \(id) \(name) \(isSelected ? "used" : "unused") "
                    + "\(object["matrix_source"] as? String ?? "")[\(numbers("mount_matrix"))] scale \(numbers("scale")) "
                    + "rates \(numbers("rates_hz")) \(object["buffered"] as? Bool == true ? "buffer" : "polled") [\(triggers)] \(reason)"
            ))
    }
}
