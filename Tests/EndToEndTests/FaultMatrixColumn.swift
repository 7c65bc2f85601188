import EventLoop
import Foundation
import LocateMeModel
import TestSupport
import Testing

/// One access of one sensor, in a rig, bus and service of its own, in which faults come and go.
final class FaultMatrixColumn {
    /// What was seen of one cell.
    struct Seen {
        /// What is not as documented.
        var wrong: [String] = []
        /// Seconds from the fault's end until all was as before.
        var recovery = 0.0
        /// Seconds from the fault's begin until it was told, if it is to be.
        var toldAfter = 0.0
        /// Processor time by time while the fault lasted on; NaN if that was not looked at.
        var processorShare = Double.nan
        /// Seconds that the whole cell took.
        var seconds = 0.0
    }

    private let kind: FaultMatrix.Kind
    private let access: FaultMatrix.Access
    /// Seconds for which a fault lasts on after all was as documented.
    private let holdSeconds: Double
    private let rig: IIORig
    private let faulty: FaultyFiles
    private let feed: IIORigFeed?
    private let state: URL
    private let bus: PrivateBus
    private let daemon: DaemonProcess
    private let client: HeadingFollower
    private let begin = Date()

    /// For a busy machine; what is measured is compared with limits of its own.
    private static let patience = 60.0

    init(_ kind: FaultMatrix.Kind, _ access: FaultMatrix.Access, holdSeconds: Double) throws {
        self.kind = kind
        self.access = access
        self.holdSeconds = holdSeconds
        let isBuffered = access == .bufferEnable || access == .bufferRead
        func type(_ of: FaultMatrix.Kind) -> String? { isBuffered && of == kind ? "le:s16/16>>0" : nil }
        // A rate that nobody wants, so that each start sets another.
        let common = ["sampling_frequency": "200"]
        rig = try IIORig(devices: [
            .threeAxis(
                "magn", name: "chip", scale: "0.001", type: type(.magnetometer),
                attributes: common.merging(["in_magn_y_raw": "200", "in_magn_z_raw": "-440"]) { $1 }),
            .threeAxis(
                "accel", name: "tilt", scale: "0.01", type: type(.accelerometer),
                attributes: common.merging(["in_accel_z_raw": "981"]) { $1 }),
            .threeAxis(
                "anglvel", name: "gyro", scale: "0.0001", type: type(.gyroscope),
                attributes: common.merging(["in_anglvel_x_raw": "1", "in_anglvel_y_raw": "2"]) { $1 }),
        ])
        faulty = try FaultyFiles(rig)
        let scan: [String: Int64] =
            switch kind {
            case .magnetometer: ["magn_x": 0, "magn_y": 200, "magn_z": -440]
            case .accelerometer: ["accel_x": 0, "accel_y": 0, "accel_z": 981]
            case .gyroscope: ["anglvel_x": 1, "anglvel_y": 2, "anglvel_z": 0]
            }
        feed = isBuffered ? try rig.feed(kind.rawValue, hertz: 25) { _ in scan } : nil
        state = try calibratedState("chip")
        bus = try PrivateBus()
        daemon = try DaemonProcess(bus, ["--state-dir", state.path, "--no-gpsd"], rig: rig, view: faulty.view)
        client = try HeadingFollower(bus, service: daemon.process.processIdentifier)
    }

    /// Ends all of it, since the order matters.
    func end() {
        client.close()
        feed?.stop()
        daemon.process.stop()
        try? FileManager.default.removeItem(at: state)
    }

    /// True while the service runs.
    var isRunning: Bool { daemon.process.isRunning }

    /// How long the service took to answer, each time.
    var answers: [HeadingFollower.Answer] { client.answers }

    /// Processor time of the service by the time that it has run.
    var processorShare: Double { daemon.cpuSeconds / Date().timeIntervalSince(begin) }

    /// Lets a fault come and go.
    func run(_ fault: FaultMatrix.Fault, _ expected: FaultMatrix.Outcome) throws -> Seen {
        var seen = Seen()
        let cellBegin = Clock.bootMicroseconds()
        let (file, call) = place(fault)
        let isFromStart = access == .rateWrite || access == .bufferEnable
        if !isFromStart {
            try client.start()
            try isAllWell(since: Clock.realMicroseconds(), "before it")
        }
        let losses = client.losses.count
        let faultBegin = Clock.realMicroseconds()
        try faulty.set(file, call, fault.text)
        do {
            defer { try? faulty.clear(file, call) }
            if isFromStart { try client.start() }
            try observe(expected, faultBegin, losses, hadHeadings: !isFromStart, &seen)
            if holdSeconds > 0 {
                let (spent, begin) = (daemon.cpuSeconds, Clock.bootMicroseconds())
                _ = try client.wait(seconds: holdSeconds) { false }
                seen.processorShare =
                    (daemon.cpuSeconds - spent) / (Double(Clock.bootMicroseconds() - begin) * 1e-6)
            }
        }
        let cleared = Clock.realMicroseconds()
        let code: String? =
            switch expected {
            case .goesOn(let code): code
            case .lost(let code), .disturbed(let code): code
            case .none: nil
            }
        let recovery = try client.wait(seconds: Self.patience) {
            try client.status().time > cleared && client.delivers(kind.source)
                && code.map { try !client.findings(of: device).contains($0) } ?? true
        }
        if let recovery {
            seen.recovery = recovery
        } else {
            seen.wrong.append(try "does not recover: \(client.findings(of: device))")
        }
        let degrees = try client.status().degrees
        if apart(degrees, 0) > 1 { seen.wrong.append("a heading of \(degrees)° where it is 0°") }
        try client.stop()
        // What could not be read cannot be put back.
        let isUnknown = access == .rateWrite && call == "read" && expected == .goesOn(nil) && fault.text != "short 3"
        let isOff = try client.wait(seconds: Self.patience) {
            FaultMatrix.Kind.allCases.allSatisfy {
                isUnknown && $0 == kind || rig.get($0.rawValue, "sampling_frequency") == "200"
            } && rig.get(kind.rawValue, "buffer/enable") != "1"
        }
        if isUnknown { try rig.set(kind.rawValue, "sampling_frequency", "200") }
        if isOff == nil { seen.wrong.append("is not put back when it is switched off") }
        if !isRunning { seen.wrong.append("the service has ended: \(daemon.process.errorText)") }
        seen.seconds = Double(Clock.bootMicroseconds() - cellBegin) * 1e-6
        return seen
    }

    // MARK: - Private

    private var device: String { "iio:device\(kind.rawValue)" }

    private func place(_ fault: FaultMatrix.Fault) -> (file: String, call: String) {
        let number = kind.rawValue
        switch access {
        case .attributeRead: return (rig.insidePath(number, "in_\(kind.word)_y_raw"), "read")
        case .rateWrite:
            // What a driver makes of a rate is read back.
            let isText = fault.text.hasPrefix("text") || fault.text.hasPrefix("short")
            return (rig.insidePath(number, "sampling_frequency"), isText ? "read" : "write")
        case .bufferEnable: return (rig.insidePath(number, "buffer/enable"), "write")
        case .bufferRead: return ("/dev/iio:device\(number)", "read")
        }
    }

    private func isAllWell(since time: Int64, _ when: String) throws {
        let all = try client.wait(seconds: Self.patience) {
            try client.status().time > time
                && FaultMatrix.Kind.allCases.allSatisfy { try client.delivers($0.source) }
        }
        if all == nil {
            throw WaitFailure(
                description: try
                    "no headings \(when): \(client.findings(of: device)) \(daemon.process.errorText.suffix(500))")
        }
    }

    private func observe(
        _ expected: FaultMatrix.Outcome, _ faultBegin: Int64, _ losses: Int, hadHeadings: Bool, _ seen: inout Seen
    ) throws {
        func isTold(_ code: String) throws -> Bool {
            guard
                let after = try client.wait(
                    seconds: Self.patience, until: { try client.findings(of: device).contains(code) })
            else {
                seen.wrong.append(try "no \(code) but \(client.findings(of: device))")
                return false
            }
            seen.toldAfter = after
            return true
        }
        func headingsGoOn() throws {
            for _ in 0..<2 {
                let now = Clock.realMicroseconds()
                if try client.wait(seconds: Self.patience, until: { try client.status().time > now }) == nil {
                    seen.wrong.append("no headings any more")
                }
            }
            if client.losses.count > losses { seen.wrong.append("lost: \(client.losses.last ?? "")") }
        }
        let isNeeded = kind != .gyroscope
        switch expected {
        case .goesOn(let code):
            if let code, try !isTold(code) { return }
            try headingsGoOn()
            if try client.wait(seconds: Self.patience, until: { try client.delivers(kind.source) }) == nil {
                seen.wrong.append("delivers nothing")
            }
        case .lost(let code):
            guard try isTold(code) else { return }
            if try client.wait(seconds: Self.patience, until: { try !client.delivers(kind.source) }) == nil {
                seen.wrong.append("delivers still")
            }
            if !isNeeded { return try headingsGoOn() }
            if hadHeadings,
                try client.wait(seconds: Self.patience, until: { client.losses.count > losses }) == nil
            {
                seen.wrong.append("HeadingLost is not sent")
            }
            if try client.wait(seconds: Self.patience, until: { try client.status().time == 0 }) == nil {
                seen.wrong.append("there is a heading still")
            }
        case .disturbed(let code):
            guard try isTold(code) else { return }
            // It may have come before the finding was asked for.
            let isInvalid = { self.client.newest.map { $0.accuracy < 0 && $0.disturbed } ?? false }
            if try client.wait(seconds: Self.patience, until: isInvalid) == nil {
                seen.wrong.append(
                    "no invalid heading in disturbed surroundings but \(String(describing: client.newest))")
            }
            if client.losses.count > losses { seen.wrong.append("lost: \(client.losses.last ?? "")") }
        case .none: break
        }
    }
}
