import EventLoop
import Foundation

/// A fake phone with magnetometer, accelerometer and gyroscope as IIO devices: real files and FIFOs that a program
/// sees as /sys and /dev, see Tests/Rigs/iio-namespace.sh. It lies level and turns clockwise at a steady rate.
final class SensorRig {
    /// Degrees a second.
    static let turnRate = 50.0

    private struct Device {
        let kind: String
        let scale: Double
        let descriptor: Int32
    }

    let root: URL
    private let hertz: Double
    private let loop: EventLoop
    private var devices: [Device] = []
    private var timer: LoopTimer?
    private let start = Clock.bootMicroseconds()
    /// Scans that a full FIFO has refused.
    private(set) var lost = 0

    init(loop: EventLoop, hertz: Double) throws {
        self.loop = loop
        self.hertz = hertz
        // In memory where that can be had: reading a device's node notes no time of access on a disk.
        let memory = URL(fileURLWithPath: "/dev/shm")
        let folder = access(memory.path, W_OK) == 0 ? memory : FileManager.default.temporaryDirectory
        root = folder.appendingPathComponent("rig-\(UUID().uuidString)")
        for folder in ["sys/bus/iio/devices", "sys/devices", "dev", "run/udev/data"] {
            try FileManager.default.createDirectory(
                at: root.appendingPathComponent(folder), withIntermediateDirectories: true)
        }
        // Scales as drivers tell them: gauss, m/s², rad/s a count.
        for (number, (kind, scale)) in [("accel", 0.000598), ("anglvel", 0.000153), ("magn", 0.000146)].enumerated() {
            devices.append(try build(number, kind, scale))
        }
    }

    deinit {
        timer?.disarm()
        for device in devices { close(device.descriptor) }
        try? FileManager.default.removeItem(at: root)
    }

    /// The command line that runs a command inside.
    func command(_ command: [String]) -> [String] {
        ["/bin/sh", Repository.file("Tests/Rigs/iio-namespace.sh"), root.path] + command
    }

    /// True if a program has switched a sensor's buffer on.
    var isOn: Bool {
        (0..<3).contains { text("sys/devices/iio:device\($0)/buffer/enable").hasPrefix("1") }
    }

    /// Begins to deliver, from the loop.
    func run() {
        let timer = loop.makeTimer { [weak self] in self?.tick() }
        timer.arm(afterMicroseconds: 0, everyMicroseconds: Int64(1e6 / hertz))
        self.timer = timer
    }

    func stop() { timer?.disarm() }

    // MARK: - Private

    private func build(_ number: Int, _ kind: String, _ scale: Double) throws -> Device {
        let folder = "sys/devices/iio:device\(number)"
        let rate = "\(Int(hertz))"
        var files = [
            "name": "bench-\(kind)", "dev": "247:\(number)", "in_\(kind)_scale": "\(scale)",
            "sampling_frequency": rate, "sampling_frequency_available": rate, "current_timestamp_clock": "realtime",
            "buffer/enable": "0", "buffer/length": "2", "buffer/watermark": "1", "trigger/current_trigger": "",
        ]
        for (index, name) in ["\(kind)_x", "\(kind)_y", "\(kind)_z", "timestamp"].enumerated() {
            files["scan_elements/in_\(name)_en"] = "0"
            files["scan_elements/in_\(name)_index"] = "\(index)"
            files["scan_elements/in_\(name)_type"] = index < 3 ? "le:s16/16>>0" : "le:s64/64>>0"
            if index < 3 { files["in_\(name)_raw"] = "0" }
        }
        for (name, text) in files {
            let url = root.appendingPathComponent("\(folder)/\(name)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data((text + "\n").utf8).write(to: url)
        }
        try FileManager.default.createSymbolicLink(
            atPath: root.appendingPathComponent("sys/bus/iio/devices/iio:device\(number)").path,
            withDestinationPath: "../../../devices/iio:device\(number)")
        let node = root.appendingPathComponent("dev/iio:device\(number)").path
        guard mkfifo(node, 0o600) == 0 else { throw Errno.current }
        let descriptor = open(node, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Errno.current }
        return Device(kind: kind, scale: scale, descriptor: descriptor)
    }

    private func text(_ path: String) -> String {
        (try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)) ?? ""
    }

    /// One scan of each device, the magnetometer's last: with it the heading of this moment can be made.
    private func tick() {
        let seconds = Double(Clock.bootMicroseconds() - start) * 1e-6
        let heading = Self.turnRate * seconds * .pi / 180
        for device in devices {
            let values: (Double, Double, Double) =
                switch device.kind {
                // 20 µT north, 44 µT down, in gauss.
                case "magn": (-0.2 * sin(heading), 0.2 * cos(heading), -0.44)
                case "accel": (0, 0, 9.80665)
                // Clockwise seen from above is negative about z.
                default: (0, 0, -Self.turnRate * .pi / 180)
                }
            var scan = [UInt8](repeating: 0, count: 16)
            for (axis, value) in [values.0, values.1, values.2].enumerated() {
                // A count or two of noise: values that never change are those of a sensor that hangs.
                let count = Int16(clamping: Int((value / device.scale).rounded()) + Int.random(in: -2...2))
                withUnsafeBytes(of: count.littleEndian) { scan.replaceSubrange(2 * axis..<2 * axis + 2, with: $0) }
            }
            let stamp = Clock.bootMicroseconds() * 1000
            withUnsafeBytes(of: stamp.littleEndian) { scan.replaceSubrange(8..<16, with: $0) }
            if write(device.descriptor, scan, 16) != 16 {
                lost += 1
                drain(device.descriptor)
            }
        }
    }

    /// As a driver does whose buffer is off: nobody reads, so nothing old is kept.
    private func drain(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }
}

/// Where the checkout is.
enum Repository {
    static func file(_ path: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent(path).path
    }
}
