import Foundation

/// A service of python-dbusmock on a private bus.
public final class MockService: @unchecked Sendable {
    // Sound: set once in `init`, then used by the test's thread alone.
    private let bus: PrivateBus
    private let process: RunningCommand

    /// Starts a template and waits until it owns its name. `system` tells the mock that it is to be on the system bus,
    /// which all its templates for system services are.
    public init(_ bus: PrivateBus, template: String, name: String) throws {
        self.bus = bus
        process = try Command.start(
            "/usr/bin/python3", ["-m", "dbusmock", "--template", template], environment: bus.environment)
        let deadline = Date(timeIntervalSinceNow: 30)
        while true {
            let answer = try Command.run(
                "/usr/bin/gdbus",
                [
                    "call", "--address", bus.address, "-d", "org.freedesktop.DBus", "-o", "/org/freedesktop/DBus", "-m",
                    "org.freedesktop.DBus.NameHasOwner", name,
                ])
            if answer.output.contains("true") { return }
            guard Date() < deadline else {
                throw PrivateBus.StartError(text: "\(template) did not come: \(process.errorsSoFar)")
            }
            usleep(50_000)
        }
    }

    deinit { stop() }

    /// Ends it. Idempotent.
    public func stop() {
        guard !process.isFinished else { return }
        process.signal(SIGKILL)
        _ = process.wait()
    }

    /// Calls a method of the mock's control interface; arguments as GVariant texts.
    public func call(_ destination: String, _ path: String, _ member: String, _ arguments: [String]) throws {
        let answer = try Command.run(
            "/usr/bin/gdbus",
            [
                "call", "--address", bus.address, "-d", destination, "-o", path, "-m",
                "org.freedesktop.DBus.Mock.\(member)",
            ] + arguments)
        guard answer.status == 0 else { throw PrivateBus.StartError(text: answer.errors) }
    }

    /// UPower: what feeds the machine, and its battery.
    public func setPower(onBattery: Bool, percent: Double) throws {
        let device = "/org/freedesktop/UPower/devices/DisplayDevice"
        try call(
            "org.freedesktop.UPower", device, "UpdateProperties",
            [
                "org.freedesktop.UPower.Device",
                "{'IsPresent': <true>, 'Percentage': <\(percent)>, 'State': <uint32 \(onBattery ? 2 : 1)>}",
            ])
        try call(
            "org.freedesktop.UPower", "/org/freedesktop/UPower", "UpdateProperties",
            ["org.freedesktop.UPower", "{'OnBattery': <\(onBattery)>}"])
    }

    /// power-profiles-daemon: the user's choice.
    public func setProfile(_ profile: String) throws {
        try call(
            "net.hadess.PowerProfiles", "/net/hadess/PowerProfiles", "UpdateProperties",
            ["net.hadess.PowerProfiles", "{'ActiveProfile': <'\(profile)'>}"])
    }
}
