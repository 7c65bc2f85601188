import Foundation

/// A dbus-daemon of its own for one test: its socket and configuration lie in a private folder, it ends with
/// `stop()` or with this object.
public final class PrivateBus {
    /// What the bus allows.
    public enum Policy {
        /// As a session bus: everybody may do everything.
        case session
        /// As the system bus of Debian: method calls and names need a policy. `policies` are `<policy>` elements.
        case system(policies: String)
    }

    /// Server address for clients.
    public let address: String
    /// The daemon's process.
    public var processID: Int32 { process.processIdentifier }

    private let process = Process()
    private let folder: URL

    /// Starts a bus and waits until it listens. `limits` are `<limit>` elements.
    public init(_ policy: Policy = .session, limits: String = "") throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("bus-\(UUID().uuidString)")
        // Other users must reach the socket.
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let configuration = folder.appendingPathComponent("bus.conf")
        try Self.configuration(policy, limits: limits, socket: folder.appendingPathComponent("socket").path)
            .write(to: configuration, atomically: true, encoding: .utf8)

        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
        process.arguments = ["--config-file=\(configuration.path)", "--nofork", "--nopidfile", "--print-address=1"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.environment = TestRun.environment()
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var line = ""
        while !line.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw StartError(text: "dbus-daemon ended before it printed its address") }
            line += String(decoding: data, as: UTF8.self)
        }
        address = line.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Ends the bus as a crash would, and waits for its end. Idempotent.
    public func stop() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Variables by which programs find this bus, as session and as system bus.
    public var environment: [String: String] {
        ["DBUS_SESSION_BUS_ADDRESS": address, "DBUS_SYSTEM_BUS_ADDRESS": address]
    }

    /// Resident memory of the dbus-daemon in bytes.
    public func residentBytes() -> Int { residentMemory(of: processID) }

    /// Why a bus did not start.
    public struct StartError: Error {
        /// In plain words.
        public let text: String
    }

    private static func configuration(_ policy: Policy, limits: String, socket: String) -> String {
        let rules: String
        switch policy {
        case .session:
            rules = """
                <policy context="default">
                  <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
                </policy>
                """
        case .system(let policies):
            // The default policy of /usr/share/dbus-1/system.conf.
            rules = """
                <policy context="default">
                  <allow user="*"/>
                  <deny own="*"/><deny send_type="method_call"/>
                  <allow send_type="signal"/>
                  <allow send_requested_reply="true" send_type="method_return"/>
                  <allow send_requested_reply="true" send_type="error"/>
                  <allow receive_type="method_call"/><allow receive_type="method_return"/>
                  <allow receive_type="error"/><allow receive_type="signal"/>
                  <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus"/>
                  <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Introspectable"/>
                  <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus.Properties"/>
                </policy>
                \(policies)
                """
        }
        return """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <listen>unix:path=\(socket)</listen>
              <auth>EXTERNAL</auth>
              \(rules)
              \(limits)
            </busconfig>
            """
    }
}

/// Resident memory of a process in bytes, 0 if it is gone.
public func residentMemory(of processID: Int32) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/\(processID)/statm", encoding: .utf8),
        let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return 0 }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}
