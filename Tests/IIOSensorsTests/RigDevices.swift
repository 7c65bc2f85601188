import Foundation
import TestSupport
import Testing

/// Devices that the rig tests share.
extension IIORigDevice {
    /// A magnetometer of 0.1 µT per count; `type` nil leaves raw values only.
    static func magnetometer(
        type: String? = "le:s16/16>>0", trigger: String? = "", attributes: [String: String] = [:]
    ) -> IIORigDevice {
        .threeAxis(
            "magn", name: "chip", scale: "0.001", type: type, trigger: trigger,
            attributes: ["in_magn_x_raw": "10", "in_magn_y_raw": "200", "in_magn_z_raw": "-400"].merging(attributes) {
                $1
            })
    }

    /// An accelerometer of 0.01 m/s² per count, lying face up.
    static func accelerometer(type: String? = nil, attributes: [String: String] = [:]) -> IIORigDevice {
        .threeAxis(
            "accel", name: "accel", scale: "0.01", type: type,
            attributes: ["in_accel_z_raw": "981"].merging(attributes) { $1 })
    }

    func firing(_ triggers: String...) -> IIORigDevice {
        var device = self
        device.firingTriggers = Set(triggers)
        return device
    }
}

extension [String] {
    /// True if a finding of that code is among the lines.
    func haveFinding(_ code: String) -> Bool { contains { $0.hasPrefix("finding \(code) ") } }

    /// True if a state is among the lines.
    func haveState(_ kind: String, _ state: String) -> Bool { contains("state \(kind) \(state)") }
}

extension Probe {
    /// Waits until samples of a kind have come after now.
    func waitForMore(_ count: Int, _ kind: String = "magn", seconds: Double = 15) throws {
        let before = lines.samples(kind).count
        try wait("\(count) more samples of \(kind)", seconds: seconds) { $0.samples(kind).count >= before + count }
    }

    /// Waits until `diagnose()` tells, or no longer tells, a finding.
    func waitForFinding(_ code: String, isThere: Bool = true, seconds: Double = 15) throws {
        let limit = DispatchTime.now() + seconds
        while try ask("findings").haveFinding(code) != isThere {
            guard DispatchTime.now() < limit else {
                let lines = try ask("findings")
                Issue.record("\(code) is \(isThere ? "missing" : "still") in \(lines)")
                throw CancellationError()
            }
            usleep(20_000)
        }
    }
}
