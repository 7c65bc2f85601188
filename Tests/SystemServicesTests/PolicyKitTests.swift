import EventLoop
import Foundation
import LocateMeModel
import MessageBus
import SystemServices
import TestSupport
import Testing

/// Against the real polkitd with the policy file of this package, and without any.
@Suite(.needs(.program("dbus-daemon")))
struct PolicyKitTests {
    private struct Bench {
        let bus: PrivateBus
        let loop: EventLoop
        let connection: BusConnection
        let authority: PolicyKit

        init() throws {
            // Other users must be able to connect, which a session bus does not let them.
            bus = try PrivateBus(
                .system(
                    policies: "<policy context=\"default\"><allow own=\"*\"/><allow send_destination=\"*\"/></policy>"))
            loop = try EventLoop()
            connection = try BusConnection(.address(bus.address), loop: loop)
            authority = PolicyKit(connection: connection)
        }

        func ask(_ name: String, _ action: String, mayAsk: Bool = false, milliseconds: Int32 = 20_000) throws
            -> AuthorityAnswer?
        {
            var answer: AuthorityAnswer?
            authority.check(name, action: action, mayAsk: mayAsk, timeoutMilliseconds: milliseconds) { answer = $0 }
            _ = try loop.run { answer != nil }
            return answer
        }
    }

    @Test func `Without polkit the answer is that there is none, at once`() throws {
        let bench = try Bench()
        #expect(try bench.ask(bench.connection.uniqueName, "org.locateme.manage") == .absent)
        var user: UInt32?? = .none
        bench.authority.activeUser { user = .some($0) }
        _ = try bench.loop.run { user != nil }
        #expect(user == .some(nil))
    }

    @Test func `A polkit that never answers ends with the time-out`() throws {
        let bench = try Bench()
        let silent = try BusConnection(.address(bench.bus.address), loop: bench.loop)
        try silent.requestName(ServiceName.policyKit)
        silent.handle(pathPrefix: "/") { _ in }
        let answer = try bench.ask(bench.connection.uniqueName, "org.locateme.manage", milliseconds: 300)
        guard case .failed = answer else {
            Issue.record("\(String(describing: answer))")
            return
        }
    }

    @Test(.needs(.root), .needs(.program("setpriv")), .needs(.program("pkaction")))
    func `The real polkitd says yes to root, no to nobody, and yes to nobody after a rule says so`() throws {
        let bench = try Bench()
        let policy = try RealPolicyKit(bench.bus)
        #expect(try bench.ask(bench.connection.uniqueName, "org.locateme.location.precise") == .yes)
        let nobody = try policy.connectAs("nobody")
        #expect(try bench.ask(nobody.name, "org.locateme.location.precise") == .no)
        #expect(try bench.ask(nobody.name, "org.locateme.calibrate") == .challenge)
        #expect(try bench.ask(nobody.name, "org.locateme.manage", mayAsk: true) == .challenge, "no agent runs")
        var changes = 0
        bench.authority.authorityChanged = { changes += 1 }
        try policy.permit("org.locateme.location.reduced", to: "nobody")
        _ = try bench.loop.run { changes > 0 }
        #expect(try bench.ask(nobody.name, "org.locateme.location.reduced") == .yes)
        #expect(try bench.ask(nobody.name, "org.locateme.location.precise") == .no)
    }

    @Test(.needs(.root), .needs(.program("setpriv")), .needs(.program("pkaction")))
    func `The service's own user may ask about others, as the policy file says`() throws {
        let bench = try Bench()
        let policy = try RealPolicyKit(bench.bus, owner: "daemon")
        let nobody = try policy.connectAs("nobody")
        func ask(as user: String) throws -> Command {
            try Command.run(
                "/usr/bin/setpriv",
                [
                    "--reuid", user, "--regid", "nogroup", "--clear-groups", "/usr/bin/gdbus", "call", "--address",
                    bench.bus.address, "-d", "org.freedesktop.PolicyKit1", "-o",
                    "/org/freedesktop/PolicyKit1/Authority", "-m",
                    "org.freedesktop.PolicyKit1.Authority.CheckAuthorization",
                    "('system-bus-name', {'name': <'\(nobody.name)'>})", "org.locateme.location.precise", "{}", "0", "",
                ])
        }
        let service = try ask(as: "daemon")
        #expect(service.output.contains("(false, false"), "\(service.output)\(service.errors)")
        let stranger = try ask(as: "games")
        #expect(stranger.status != 0)
        #expect(stranger.errors.contains("NotAuthorized"))
    }
}
