import EventLoop
import Foundation

/// A program of another user that tries to hear everything on a bus: dbus-monitor, which asks for a monitor's rights
/// and then for eavesdropping. Needs root to become that user.
public final class BusSpy {
    /// nobody
    public static let nobody: UInt32 = 65534

    private let bus: PrivateBus
    private let command: RunningCommand
    private var markers = 0

    /// Starts a spy; it listens once `mark` has returned true.
    public init(_ bus: PrivateBus, userID: UInt32 = BusSpy.nobody) throws {
        self.bus = bus
        command = try Command.start(
            "/usr/bin/setpriv",
            [
                "--reuid=\(userID)", "--regid=\(userID)", "--clear-groups", "--", "/usr/bin/dbus-monitor", "--address",
                bus.address,
            ])
    }

    deinit { command.signal(SIGKILL) }

    /// Everything it has printed so far.
    public var output: String { command.outputSoFar }

    /// Headers of the messages it has heard so far, such as
    /// `signal time=… sender=:1.0 -> destination=(null destination) serial=… path=/a; interface=b.c; member=D`.
    public var headers: [String] {
        output.split(separator: "\n").map(String.init).filter { !$0.hasPrefix(" ") && $0.contains(" sender=") }
    }

    /// Broadcasts a signal and runs the loop until the spy has heard it: everything sent before has passed it by then.
    /// False if it hears nothing.
    public func mark(_ loop: EventLoop) throws -> Bool {
        let start = Clock.bootMicroseconds()
        while Clock.bootMicroseconds() - start < 30_000_000 {
            markers += 1
            let name = "org.example.Marker.M\(markers)"
            let send = try Command.start(
                "/usr/bin/dbus-send", ["--bus=\(bus.address)", "--type=signal", "/marker", name])
            // At first the spy may not listen yet, so a marker may be missed.
            if try loop.run(until: { send.isFinished && output.contains("member=M\(markers)\n") }, seconds: 2) {
                return true
            }
        }
        return false
    }
}

extension Command {
    /// Starts a program as another user; needs root.
    public static func start(
        _ path: String, _ arguments: [String], asUser userID: UInt32, environment: [String: String] = [:]
    ) throws -> RunningCommand {
        try start(
            "/usr/bin/setpriv",
            ["--reuid=\(userID)", "--regid=\(userID)", "--clear-groups", "--", path] + arguments,
            environment: environment)
    }
}
