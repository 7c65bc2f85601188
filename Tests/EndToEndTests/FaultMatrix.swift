import Glibc

/// What can go wrong with a call on a sensor's file, where, and what is to become of it: the table of docs/sensors.md.
enum FaultMatrix {
    /// What the service was doing when it went wrong.
    enum Access: String, CaseIterable, Sendable {
        case attributeRead = "reading a value"
        case rateWrite = "setting the rate"
        case bufferEnable = "starting the buffer"
        case bufferRead = "reading the buffer"
    }

    /// A sensor, by its place in the rig.
    enum Kind: Int, CaseIterable, Sendable {
        case magnetometer, accelerometer, gyroscope

        /// The word in its files.
        var word: String { ["magn", "accel", "anglvel"][rawValue] }
        /// The kind in `Manager1.Sources`.
        var source: String { ["iio-magn", "iio-accel", "iio-gyro"][rawValue] }
    }

    /// What goes wrong, in the words of Tests/Rigs/faultfs.c.
    struct Fault: Sendable {
        var name: String
        var text: String

        static let all =
            [
                ("EIO", EIO), ("ENODEV", ENODEV), ("EBUSY", EBUSY), ("EACCES", EACCES), ("EINVAL", EINVAL),
                ("ERANGE", ERANGE),
            ]
            .map { Fault(name: $0.0, text: "errno \($0.1)") } + [
                Fault(name: "300 ms", text: "delay 300"), Fault(name: "10 s", text: "delay 10000"),
                Fault(name: "hangs", text: "hang"), Fault(name: "empty", text: "short 0"),
                Fault(name: "garbage", text: "text banana"), Fault(name: "NaN", text: "text nan"),
                Fault(name: "in pieces", text: "short 3"),
            ]
    }

    /// What is to become of it.
    enum Outcome: Equatable, Sendable {
        /// Its values go on, with a finding of that code if one is named.
        case goesOn(String?)
        /// Its values end, with a finding of that code. The gyroscope's are not needed for headings.
        case lost(String)
        /// The field is out of range: headings are invalid and disturbed, not lost, with a finding of that code.
        case disturbed(String)
        /// There is no such fault there.
        case none
    }

    static func outcome(_ access: Access, _ fault: String, _ kind: Kind) -> Outcome {
        switch (access, fault) {
        case (.bufferEnable, "empty"), (.bufferEnable, "garbage"), (.bufferEnable, "NaN"), (.bufferEnable, "in pieces"),
            (.bufferRead, "garbage"), (.bufferRead, "NaN"):
            return .none
        case (_, "300 ms"): return .goesOn(nil)
        case (_, "10 s"), (_, "hangs"): return .lost("device-hangs")
        case (_, "in pieces"): return .goesOn(nil)
        case (.rateWrite, "garbage"), (.rateWrite, "NaN"): return .goesOn(nil)
        case (.rateWrite, _): return .goesOn("rate-not-set")
        case (.attributeRead, "EINVAL") where kind == .magnetometer,
            (.attributeRead, "ERANGE") where kind == .magnetometer:
            return .disturbed("magn-overflow")
        case (.attributeRead, "EBUSY"): return .lost("device-busy")
        case (.attributeRead, "EACCES"): return .lost("no-permission")
        case (.attributeRead, _): return .lost("sensor-lost")
        case (_, "ENODEV"): return .lost("sensor-lost")
        case (_, "EBUSY"): return .goesOn("device-busy")
        case (_, "EACCES"): return .goesOn("no-permission")
        default: return .goesOn("buffer-silent")
        }
    }

    /// The table as docs/sensors.md shows it.
    static var markdown: String {
        var lines = [
            "| | " + Access.allCases.map(\.rawValue).joined(separator: " | ") + " |",
            "|" + String(repeating: " --- |", count: Access.allCases.count + 1),
        ]
        for fault in Fault.all {
            let cells = Access.allCases.map { access in
                let magnetometer = text(outcome(access, fault.name, .magnetometer))
                let others = text(outcome(access, fault.name, .accelerometer))
                return magnetometer == others ? magnetometer : "magnetometer: \(magnetometer); others: \(others)"
            }
            lines.append("| \(fault.name) | " + cells.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n")
    }

    private static func text(_ outcome: Outcome) -> String {
        switch outcome {
        case .goesOn(nil): "goes on"
        case .goesOn(let code?) where ["rate-not-set"].contains(code): "goes on, `\(code)`"
        case .goesOn(let code?): "values are polled, `\(code)`"
        case .lost(let code): "lost, `\(code)`"
        case .disturbed(let code): "disturbed, `\(code)`"
        case .none: "–"
        }
    }
}
