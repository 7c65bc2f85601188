import Foundation
import TestSupport
import Testing

@Suite("Bus policy")
struct BusPolicyTests {
    /// A user that every Debian has stands for the service's, since a bus lets only known users in: games.
    static let serviceUser = 5

    /// The `<policy>` elements of the file, for that user.
    static func policies() throws -> String {
        let text = try String(contentsOf: Repository.file("dbus/org.locateme.conf"), encoding: .utf8)
        let start = try #require(text.range(of: "<busconfig>"))
        let end = try #require(text.range(of: "</busconfig>"))
        return text[start.upperBound..<end.lowerBound]
            .replacingOccurrences(of: "user=\"locateme\"", with: "user=\"games\"")
    }

    /// Interfaces that the service shows, by the files that describe them.
    static func interfaces() throws -> Set<String> {
        let folder = Repository.file("dbus")
        var names: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".xml") {
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            for match in text.matches(of: /<interface name="([^"]+)"/) { names.insert(String(match.1)) }
        }
        return names
    }

    @Test("Anyone may call exactly the interfaces that are described, and those every object has")
    func complete() throws {
        let allowed = try Self.policies().matches(of: /send_destination="org.locateme" send_interface="([^"]+)"/)
            .map { String($0.1) }
        let standard = ["Introspectable", "ObjectManager", "Peer", "Properties"].map { "org.freedesktop.DBus.\($0)" }
        // net.hadess.SensorProxy has a policy of its own, which is installed on request only.
        let described = try Self.interfaces().filter { $0.hasPrefix("org.locateme.") }
        try #require(described.contains("org.locateme.Manager1"))
        #expect(Set(allowed) == described.union(standard))
        #expect(allowed.count == Set(allowed).count)
    }

    @Test("No rule opens more than the service's own name, calls to it, and pings from it")
    func narrow() throws {
        let policies = try Self.policies()
        let ping = "send_type=\"method_call\" send_interface=\"org.freedesktop.DBus.Peer\" send_member=\"Ping\""
        for policy in policies.matches(of: /<policy ([^>]*)>([^§]*?)<\/policy>/) {
            for match in String(policy.2).matches(of: /<(allow|deny) ([^>]*)\/>/) {
                let rule = String(match.2)
                let isCall = rule.hasPrefix("send_destination=\"org.locateme\" send_interface=")
                let isService = rule == "own=\"org.locateme\"" || rule == ping
                #expect(policy.1.hasPrefix("user=") ? isService : isCall, "\(policy.1): \(rule)")
            }
        }
    }

    @Test(
        "Only the service's user and root may own the name", .needs(.root),
        arguments: [
            (5, "org.locateme", true), (0, "org.locateme", true), (65_534, "org.locateme", false),
            (5, "org.locateme.Other", false), (5, "net.hadess.SensorProxy", false),
        ] as [(Int, String, Bool)])
    func owning(user: Int, name: String, allowed: Bool) throws {
        let bus = try PrivateBus(.system(policies: try Self.policies()))
        let request = try call(
            bus, as: user, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            "su", name, "4")
        #expect((request.status == 0) == allowed, "\(request.errors)")
        if !allowed {
            #expect(request.errors.contains("Access denied") || request.errors.contains("not allowed to own"))
        }
    }

    @Test("A stranger reaches the service on its interfaces and on no other", .needs(.root))
    func reaching() throws {
        let bus = try PrivateBus(.system(policies: try Self.policies()))
        let service = try Service(on: bus, user: Self.serviceUser)
        defer { service.stop() }
        try service.waitForName()
        for interface in try Self.interfaces().sorted() + ["org.freedesktop.DBus.Peer"] {
            let answer = try call(bus, as: 65_534, "org.locateme", "/org/locateme", interface, "NoSuchMember")
            #expect(answer.status != 0)
            #expect(!answer.errors.contains("Rejected send message"), "\(interface): \(answer.errors)")
        }
        let version = try call(
            bus, as: 65_534, "org.locateme", "/org/locateme", "org.freedesktop.DBus.Properties", "Get", "ss",
            "org.locateme.Manager1", "Version")
        #expect(version.output.hasPrefix("v s \""), "\(version.errors)")
        for interface in ["org.locateme.Agent1", "org.freedesktop.DBus.Debug.Stats", "org.example.Any"] {
            let answer = try call(bus, as: 65_534, "org.locateme", "/org/locateme", interface, "NoSuchMember")
            #expect(answer.errors.contains("Rejected send message") || answer.errors.contains("Access denied"))
        }
    }

    @Test(
        "The service may ping its clients and call nothing else of theirs, strangers neither", .needs(.root),
        arguments: [
            (5, "org.freedesktop.DBus.Peer", "Ping", true), (5, "org.freedesktop.DBus.Peer", "GetMachineId", false),
            (5, "org.locateme.Any", "Ping", false), (65_534, "org.freedesktop.DBus.Peer", "Ping", false),
        ] as [(Int, String, String, Bool)])
    func pinging(user: Int, interface: String, member: String, allowed: Bool) throws {
        let bus = try PrivateBus(.system(policies: try Self.policies()))
        let gdbus = try #require(Requirement.path(of: "gdbus"))
        let client = try Command.start(
            gdbus, ["monitor", "--address", bus.address, "--dest", "org.freedesktop.DBus"])
        defer {
            client.signal(SIGKILL)
            _ = client.wait()
        }
        let busctl = try #require(Requirement.path(of: "busctl"))
        let deadline = Date(timeIntervalSinceNow: 20)
        var name: String?
        while name == nil, Date() < deadline {
            let list = try Command.run(busctl, ["--address=\(bus.address)", "--unique", "--no-legend", "list"])
            name = list.output.split(separator: "\n").first { $0.contains(" \(client.processID) ") }
                .flatMap { $0.split(separator: " ").first.map(String.init) }
        }
        let ping = try call(bus, as: user, try #require(name), "/", interface, member)
        #expect((ping.status == 0) == allowed, "\(ping.errors)")
        if !allowed { #expect(ping.errors.contains("Access denied") || ping.errors.contains("Rejected send message")) }
    }

    private func call(_ bus: PrivateBus, as user: Int, _ arguments: String...) throws -> Command {
        let setpriv = try #require(Requirement.path(of: "setpriv"))
        let busctl = try #require(Requirement.path(of: "busctl"))
        return try Command.run(
            setpriv,
            ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", busctl, "--address=\(bus.address)", "call"]
                + arguments)
    }
}

/// The daemon with a simulated phone, under a user of its own.
private final class Service {
    private let running: RunningCommand
    private let folder: TemporaryFolder
    private let bus: PrivateBus

    init(on bus: PrivateBus, user: Int) throws {
        self.bus = bus
        folder = try TemporaryFolder()
        // The build folder may lie where that user cannot look.
        try FileManager.default.copyItem(
            atPath: BuiltProducts.executable("locatemed"), toPath: folder.path + "/locatemed")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/state", withIntermediateDirectories: false,
            attributes: [.ownerAccountID: user, .posixPermissions: 0o700])
        running = try Command.start(
            try #require(Requirement.path(of: "setpriv")),
            [
                "--reuid=\(user)", "--regid=\(user)", "--clear-groups", folder.path + "/locatemed", "--bus",
                bus.address, "--simulate", "--no-gpsd", "--state-dir", folder.path + "/state",
            ])
    }

    deinit { stop() }

    func stop() {
        guard !running.isFinished else { return }
        running.signal(SIGTERM)
        _ = running.wait()
    }

    /// Waits until the name is owned; throws if the daemon ends before.
    func waitForName() throws {
        let busctl = try #require(Requirement.path(of: "busctl"))
        let deadline = Date(timeIntervalSinceNow: 20)
        while Date() < deadline {
            let owner = try Command.run(
                busctl,
                [
                    "--address=\(bus.address)", "call", "org.freedesktop.DBus", "/org/freedesktop/DBus",
                    "org.freedesktop.DBus", "GetNameOwner", "s", "org.locateme",
                ])
            if owner.status == 0 { return }
            try #require(!running.isFinished, "locatemed ended: \(running.errorsSoFar)")
        }
        Issue.record("locatemed does not own its name: \(running.errorsSoFar)")
    }
}
