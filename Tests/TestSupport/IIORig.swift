import Foundation

/// A fake IIO tree in a private folder that programs see as /sys and /dev, see Tests/Rigs/iio-namespace.sh.
///
///     let rig = try IIORig(devices: [.threeAxis("magn", name: "lis3mdl", scale: "0.000146")])
///     rig.command(for: ["/path/to/locatemed", "--bus", "session"])  // what to start instead
///     try rig.set(0, "in_magn_x_raw", "123")
///     let feed = try rig.feed(0, hertz: 100) { _ in ["magn_x": 123, "magn_y": 0, "magn_z": -5] }
///
/// The tree goes when the rig does. All methods may be called from any thread.
public final class IIORig: Sendable {
    /// What breaks an attribute or node without any help from the kernel.
    public enum Fault: Sendable {
        /// A read or open never returns.
        case hang
        /// Reads fail with EIO.
        case inputOutputError
        /// The file is empty, which libiio reports as EIO.
        case empty
        /// The file is not there.
        case missing
        /// The file holds this text.
        case text(String)
    }

    /// The folder that holds `sys` and `dev`.
    public let root: URL
    private let numbers: Numbers

    /// The numbers under which devices show now.
    private final class Numbers: @unchecked Sendable {
        // Sound: touched with the lock held.
        private let lock = NSLock()
        private var changed: [Int: Int] = [:]
        subscript(device: Int) -> Int {
            get { lock.withLock { changed[device] ?? device } }
            set { lock.withLock { changed[device] = newValue } }
        }
    }
    /// The devices, by number.
    public let devices: [IIORigDevice]

    /// Why rigs cannot run here, nil if they can. As root always, else only with user namespaces.
    public static let obstacle: String? = {
        guard let empty = try? IIORig(devices: []) else { return "no IIO rig: cannot write to the temporary folder" }
        let process = Process()
        let command = empty.command(for: ["/bin/true"])
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return "no IIO rig: \(command[0]) is missing" }
        process.waitUntilExit()
        if process.terminationStatus == 0 { return nil }
        return geteuid() == 0
            ? "no IIO rig: needs mount namespaces (unshare -m), which chroots and containers may lack"
            : "no IIO rig: needs root or user namespaces (unshare -Urm)"
    }()

    /// Builds the tree.
    ///
    /// - Parameter triggers: names of triggers; a `@` at the end makes one with a rate of its own, as hrtimer has.
    /// - Parameter machine: what the machine's devicetree is compatible with.
    public init(devices: [IIORigDevice], triggers: [String] = [], machine: [String] = []) throws {
        self.devices = devices
        numbers = Numbers()
        root = FileManager.default.temporaryDirectory.appendingPathComponent("iio-rig-\(UUID().uuidString)")
        for folder in ["sys/bus/iio/devices", "sys/devices", "sys/class", "dev", "spare", "run/udev/data"] {
            try FileManager.default.createDirectory(
                at: root.appendingPathComponent(folder), withIntermediateDirectories: true)
        }
        if !machine.isEmpty {
            try write("sys/firmware/devicetree/base/compatible", machine.joined(separator: "\0") + "\0")
        }
        // libudev takes this for a udev that runs.
        try Data().write(to: root.appendingPathComponent("run/udev/control"))
        for (number, device) in devices.enumerated() { try build(number, device) }
        for (number, name) in triggers.enumerated() {
            let folder = "sys/devices/trigger\(number)"
            try write("\(folder)/name", name.hasSuffix("@") ? String(name.dropLast()) : name)
            if name.hasSuffix("@") { try write("\(folder)/sampling_frequency", "100.000") }
            try link("trigger\(number)", folder)
        }
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    /// The command line that runs a command inside.
    ///
    /// - Parameters:
    ///   - failing: makes calls fail, by strace(1); nil for none.
    ///   - view: the folder that shows the tree's root, if it is not to be seen as it is, see `FaultyFiles`.
    public func command(
        for command: [String], failing injection: IIORigInjection? = nil, view: String? = nil
    ) -> [String] {
        let script = Repository.file("Tests/Rigs/iio-namespace.sh").path
        return ["/bin/sh", script, view ?? root.path] + (injection?.strace(self) ?? []) + command
    }

    /// Where an attribute of a device is, seen from outside.
    public func path(_ device: Int, _ attribute: String) -> String {
        root.appendingPathComponent("sys/\(folder(device))/\(attribute)").path
    }

    /// Where an attribute of a device is, seen from inside.
    public func insidePath(_ device: Int, _ attribute: String) -> String { "/sys/\(folder(device))/\(attribute)" }

    /// Where a device's node is, seen from outside.
    public func node(_ device: Int) -> String { root.appendingPathComponent("dev/iio:device\(numbers[device])").path }

    /// Sets an attribute. A reader sees the old or the new text, never an empty file.
    public func set(_ device: Int, _ attribute: String, _ value: String) throws {
        try replace(path(device, attribute)) { spare in
            try Data((value.hasSuffix("\n") ? value : value + "\n").utf8).write(to: URL(fileURLWithPath: spare))
        }
    }

    /// What an attribute holds, without white space and the NUL that libiio writes; nil if it is not there.
    public func get(_ device: Int, _ attribute: String) -> String? {
        Self.text(path(device, attribute))
    }

    /// What the rate of a trigger holds.
    public func triggerRate(_ trigger: Int) -> String? {
        Self.text(root.appendingPathComponent("sys/devices/trigger\(trigger)/sampling_frequency").path)
    }

    /// Breaks an attribute. `set` mends it.
    public func breakAttribute(_ device: Int, _ attribute: String, _ fault: Fault) throws {
        let path = path(device, attribute)
        switch fault {
        case .missing: try FileManager.default.removeItem(atPath: path)
        case .text(let text): try set(device, attribute, text)
        case .empty: try replace(path) { try Data().write(to: URL(fileURLWithPath: $0)) }
        case .inputOutputError:
            // libiio counts regular files only, through links too; this one fails every read at its start.
            try replace(path) {
                try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "/proc/self/mem")
            }
        case .hang: try replace(path) { mkfifo($0, 0o600) }
        }
    }

    /// Takes a device away: gone from the bus, its folder and node gone.
    public func unplug(_ device: Int) throws {
        try FileManager.default.removeItem(
            at: root.appendingPathComponent("sys/bus/iio/devices/iio:device\(numbers[device])"))
        let folder = root.appendingPathComponent("sys/\(folder(device))").path
        try FileManager.default.moveItem(
            atPath: folder, toPath: root.appendingPathComponent("spare/device\(device)").path)
        try? FileManager.default.moveItem(
            atPath: node(device), toPath: root.appendingPathComponent("spare/node\(device)").path)
    }

    /// Brings an unplugged device back, under another number if one is given.
    public func plug(_ device: Int, as number: Int? = nil) throws {
        if let number { numbers[device] = number }
        let spare = root.appendingPathComponent("spare/device\(device)").path
        try FileManager.default.moveItem(
            atPath: spare, toPath: root.appendingPathComponent("sys/\(folder(device))").path)
        try? FileManager.default.moveItem(
            atPath: root.appendingPathComponent("spare/node\(device)").path, toPath: node(device))
        try link("iio:device\(numbers[device])", "sys/\(folder(device))")
    }

    /// Puts scans into the device's buffer before anybody reads it, of the channels that are named. The buffer keeps them
    /// until the returned descriptor is closed.
    public func prefill(_ device: Int, _ values: [String: Int64], count: Int, channels: Set<String>) throws
        -> FileHandle
    {
        let descriptor = open(node(device), O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let scan = devices[device].pack(values, time: 0) { channels.contains($0) || $0 == "timestamp" }
        for _ in 0..<count { try handle.write(contentsOf: Data(scan)) }
        return handle
    }

    /// Feeds the device's buffer from a thread while it is enabled.
    ///
    /// - Parameter values: raw values by channel for the nth scan; nil sends nothing this time.
    public func feed(
        _ device: Int, hertz: Double, values: @escaping @Sendable (Int) -> [String: Int64]?
    ) throws -> IIORigFeed {
        try IIORigFeed(rig: self, device: device, hertz: hertz, values: values)
    }

    // MARK: - Private

    private func folder(_ device: Int) -> String { "devices/\(devices[device].parent)/iio:device\(numbers[device])" }

    private func build(_ number: Int, _ device: IIORigDevice) throws {
        let folder = "sys/\(folder(number))"
        try write("\(folder)/name", device.name)
        try write("\(folder)/dev", "247:\(number)")
        try write("\(folder)/uevent", "MAJOR=247\nMINOR=\(number)\nDEVNAME=iio:device\(number)\nDEVTYPE=iio_device")
        try FileManager.default.createSymbolicLink(
            atPath: root.appendingPathComponent("\(folder)/subsystem").path, withDestinationPath: "/sys/bus/iio")
        if !device.udev.isEmpty {
            let lines = device.udev.map { "E:\($0.key)=\($0.value)" }.sorted()
            try write("run/udev/data/c247:\(number)", lines.joined(separator: "\n"))
        }
        for (name, text) in device.attributes { try write("\(folder)/\(name)", text) }
        if !device.channels.isEmpty {
            for channel in device.channels {
                try write("\(folder)/scan_elements/in_\(channel.id)_en", "0")
                try write("\(folder)/scan_elements/in_\(channel.id)_index", "\(channel.index)")
                try write("\(folder)/scan_elements/in_\(channel.id)_type", channel.type)
            }
            try write("\(folder)/buffer/enable", "0")
            try write("\(folder)/buffer/length", "2")
            try write("\(folder)/buffer/watermark", "1")
            if let trigger = device.trigger { try write("\(folder)/trigger/current_trigger", trigger) }
            guard mkfifo(node(number), 0o600) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        }
        try link("iio:device\(number)", folder)
    }

    private func link(_ name: String, _ folder: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: root.appendingPathComponent("sys/bus/iio/devices/\(name)").path,
            withDestinationPath: "../../../" + folder.dropFirst("sys/".count))
    }

    private func write(_ path: String, _ text: String) throws {
        let url = root.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data((text.hasSuffix("\n") ? text : text + "\n").utf8).write(to: url)
    }

    private func replace(_ path: String, make: (String) throws -> Void) throws {
        let spare = root.appendingPathComponent("spare/\(UUID().uuidString)").path
        try make(spare)
        guard rename(spare, path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// Read by hand: a feed does this for every scan, and Foundation's way costs ten times as much.
    private static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { return nil }
        return String(decoding: bytes[..<count].filter { $0 != 0 }, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
