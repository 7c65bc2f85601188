import EventLoop
import LocateMeModel
import MessageBus
import SystemServices
import TestSupport
import Testing

/// Against another program's login1, with pipes as locks (org.freedesktop.login1(5)).
@Suite(.needs(.program("dbus-daemon")), .needs(.pythonModule("gi")))
struct LoginManagerTests {
    private final class Sleeper: SleepListener {
        var events: [String] = []
        /// Answered at once if true.
        var isQuick = false

        func machineWillSleep(_ monitor: any SleepMonitor) {
            events.append("sleep")
            if isQuick { monitor.readyForSleep() }
        }
        func machineWoke(_ monitor: any SleepMonitor) { events.append("wake") }
        func screenWasUnlocked(_ monitor: any SleepMonitor) { events.append("unlocked") }
    }

    private struct Bench {
        let bus: PrivateBus
        let loop: EventLoop
        let connection: BusConnection
        let sleeper = Sleeper()

        init() throws {
            bus = try PrivateBus()
            loop = try EventLoop()
            connection = try BusConnection(.address(bus.address), loop: loop)
        }

        /// Runs the loop until the condition holds.
        func wait(sourceLocation: SourceLocation = #_sourceLocation, until condition: () -> Bool) throws {
            let held = try loop.run(until: condition)
            #expect(held, "it did not come", sourceLocation: sourceLocation)
        }

        func manager(_ report: @escaping (String) -> Void = { _ in }) -> LoginManager {
            let manager = LoginManager(
                connection: connection, who: "locateme", why: "The sensors are switched off.", report: report)
            manager.sleepListener = sleeper
            return manager
        }
    }

    @Test func `T37: a delay lock for sleep is held while there is something to prepare, and only then`() throws {
        let bench = try Bench()
        let login = try FakeLoginManager(bench.bus)
        let manager = bench.manager()
        try bench.wait { manager.isPresent == true }
        #expect(login.locksTaken == 0, "nothing is to be prepared yet")
        manager.delaysSleep = true
        try bench.wait { manager.holdsLock }
        #expect(login.waitForLocks(1))
        #expect(login.said.contains("inhibit sleep locateme delay"))
        manager.delaysSleep = false
        #expect(login.waitForLocks(0), "the lock is not given back")
        bench.connection.close()
    }

    @Test func `Sleep waits until the listener is ready, and a new lock is taken after it`() throws {
        let bench = try Bench()
        let login = try FakeLoginManager(bench.bus)
        let manager = bench.manager()
        manager.delaysSleep = true
        try bench.wait { manager.holdsLock }
        for cycle in 1...3 {
            login.send("sleep")
            try bench.wait { bench.sleeper.events.last == "sleep" }
            #expect(manager.holdsLock && login.waitForLocks(1), "cycle \(cycle): the lock is given back too early")
            manager.readyForSleep()
            #expect(login.waitForLocks(0))
            login.send("wake")
            try bench.wait { bench.sleeper.events.last == "wake" && manager.holdsLock }
            #expect(login.waitForLocks(1))
        }
        #expect(bench.sleeper.events == ["sleep", "wake", "sleep", "wake", "sleep", "wake"])
        #expect(login.locksTaken == 4)
        bench.connection.close()
    }

    @Test func `A11: an unlocked screen is told to who wants to know, and locking is not`() throws {
        let bench = try Bench()
        let login = try FakeLoginManager(bench.bus)
        let manager = bench.manager()
        try bench.wait { manager.isPresent == true }
        manager.watchesUnlocking = true
        // Answered after the bus has taken the rule.
        manager.delaysSleep = true
        try bench.wait { manager.holdsLock }
        login.send("lock")
        login.send("unlock")
        try bench.wait { !bench.sleeper.events.isEmpty }
        manager.watchesUnlocking = false
        login.send("unlock")
        login.send("sleep")
        try bench.wait { bench.sleeper.events.last == "sleep" }
        #expect(bench.sleeper.events == ["unlocked", "sleep"])
        bench.connection.close()
    }

    @Test func `Without a login manager it says so once, and takes a lock when one comes`() throws {
        let bench = try Bench()
        var reports: [String] = []
        let manager = bench.manager { reports.append($0) }
        manager.delaysSleep = true
        try bench.wait { manager.isPresent == false }
        #expect(reports.count == 1 && reports[0].contains("org.freedesktop.login1"))
        let login = try FakeLoginManager(bench.bus)
        try bench.wait { manager.holdsLock }
        login.send("leave")
        try bench.wait { manager.isPresent == false }
        #expect(!manager.holdsLock)
        #expect(reports.count == 1, "\(reports)")
        bench.connection.close()
    }

    @Test func `A refused lock is reported, and sleep is heard of all the same`() throws {
        let bench = try Bench()
        let login = try FakeLoginManager(bench.bus)
        login.send("refuse")
        var reports: [String] = []
        bench.sleeper.isQuick = true
        let manager = bench.manager { reports.append($0) }
        manager.delaysSleep = true
        try bench.wait { !reports.isEmpty }
        #expect(reports[0].contains("Permission denied"))
        login.send("sleep")
        login.send("wake")
        try bench.wait { bench.sleeper.events == ["sleep", "wake"] }
        #expect(!manager.holdsLock)
        bench.connection.close()
    }

    @Test func `A login manager that vanishes between the two signals leaves the machine awake`() throws {
        let bench = try Bench()
        let login = try FakeLoginManager(bench.bus)
        let manager = bench.manager()
        manager.delaysSleep = true
        try bench.wait { manager.holdsLock }
        login.send("sleep")
        try bench.wait { bench.sleeper.events == ["sleep"] }
        login.send("leave")
        try bench.wait { bench.sleeper.events == ["sleep", "wake"] }
        login.send("return")
        try bench.wait { manager.holdsLock }
        bench.connection.close()
    }

    @Test func `Nobody but the login manager can announce sleep`() throws {
        let bench = try Bench()
        let login = try FakeLoginManager(bench.bus)
        let manager = bench.manager()
        try bench.wait { manager.isPresent == true }
        let stranger = try BusConnection(.address(bench.bus.address), loop: bench.loop)
        let signal = try BusMessage.signal(
            path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager", member: "PrepareForSleep",
            destination: bench.connection.uniqueName)
        try signal.append(.bool(true))
        stranger.send(signal)
        stranger.flush()
        // What the login manager says afterwards arrives afterwards.
        bench.sleeper.isQuick = true
        login.send("wake")
        try bench.wait { !bench.sleeper.events.isEmpty }
        #expect(bench.sleeper.events == ["wake"])
        stranger.close()
        bench.connection.close()
    }
}
