import EventLoop
import LocateMeModel
import MessageBus
import SystemServices
import TestSupport
import Testing

/// Against another program's ModemManager (its D-Bus interface reference), with what modems of all kinds say.
@Suite(.needs(.program("dbus-daemon")), .needs(.pythonModule("gi")))
struct ModemManagerTests {
    private final class Listener: PlaceSourceListener {
        var fixes: [Fix] = []
        var lost = 0
        var states: [SourceState] = []
        func placeSource(_ source: any PlaceSource, delivered fix: Fix) { fixes.append(fix) }
        func placeSourceHasNoFix(_ source: any PlaceSource) { lost += 1 }
        func placeSourceChanged(_ source: any PlaceSource) {
            if states.last != source.placeState.state { states.append(source.placeState.state) }
        }
    }

    private struct Bench {
        let bus: PrivateBus
        let loop: EventLoop
        let connection: BusConnection
        let source: ModemManagerPlaceSource
        let listener = Listener()

        init() throws {
            bus = try PrivateBus()
            loop = try EventLoop()
            connection = try BusConnection(.address(bus.address), loop: loop)
            source = ModemManagerPlaceSource(connection: connection, period: 50_000, firstPause: 50_000)
            source.placeListener = listener
        }

        func wait(sourceLocation: SourceLocation = #_sourceLocation, until condition: () -> Bool) throws {
            #expect(try loop.run(until: condition, seconds: 40), "it did not come", sourceLocation: sourceLocation)
        }

        func manager() throws -> BusHelper { try BusHelper("modem_manager.py", bus) }
    }

    private static func second(_ second: Int) -> String {
        func line(_ body: String) -> String {
            let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
            return "$\(body)*\(sum.utf8.count < 2 ? "0" : "")\(sum)|"
        }
        let time = "12000\(second).00"
        return "nmea " + line("GPGGA,\(time),5147.946,N,01036.936,E,1,08,0.9,812.4,M,47.2,M,,")
            + line("GPRMC,\(time),A,5147.946,N,01036.936,E,16.0,54.7,120626,,,A")
    }

    @Test("Sentences of a modem are one fix a moment; the receiver is put back as it was")
    func sentences() throws {
        let bench = try Bench()
        let manager = try bench.manager()
        manager.send(Self.second(1))
        manager.send("modem 6")
        bench.source.start()
        try bench.wait { bench.listener.fixes.count == 1 }
        let asked = manager.said.count { $0 == "asked" }
        // The same sentences again are no new fix.
        try bench.wait { manager.said.count { $0 == "asked" } > asked + 2 }
        #expect(bench.listener.fixes.count == 1)
        manager.send(Self.second(2))
        try bench.wait { bench.listener.fixes.count == 2 }
        let fix = try #require(bench.listener.fixes.last)
        #expect(fix.source == "modemmanager" && fix.altitude == 812.4 && abs(fix.speed - 8.231) < 0.01)
        #expect(UTCDate(realMicroseconds: fix.realMicroseconds).iso8601 == "2026-06-12T12:00:02.000000Z")
        // NMEA besides what was enabled before, and no signals that everybody could read.
        #expect(manager.said.first { $0.hasPrefix("setup") } == "setup 5 false")
        bench.source.stop()
        #expect(bench.connection.flush())
        #expect(manager.wait { $0.last { $0.hasPrefix("setup") } == "setup 1 false" })
        #expect(bench.listener.states == [.starting, .ok, .off])
        bench.connection.close()
    }

    @Test("A modem without sentences gives its raw places")
    func raw() throws {
        let bench = try Bench()
        let manager = try bench.manager()
        manager.send("raw 120001.00 47.5 8.5 408")
        manager.send("modem 2")
        bench.source.start()
        try bench.wait { bench.listener.fixes.count == 1 }
        manager.send("raw 120002.00 47.6 8.5 408")
        try bench.wait { bench.listener.fixes.count == 2 }
        #expect(bench.listener.fixes.map(\.latitude) == [47.5, 47.6] && bench.listener.fixes.first?.altitude == 408)
        bench.source.stop()
        bench.connection.close()
    }

    @Test("No ModemManager, no modem, and one that is plugged in later")
    func comesLater() throws {
        let bench = try Bench()
        bench.source.start()
        try bench.wait { bench.source.problem == "ModemManager is not installed" }
        #expect(bench.source.placeState.state == .failed)
        let manager = try bench.manager()
        try bench.wait { bench.source.problem == "no modem with a satellite receiver is plugged in" }
        manager.send(Self.second(1))
        manager.send("modem 4")
        try bench.wait { bench.listener.fixes.count == 1 }
        #expect(bench.source.problem == nil)
        manager.send("unplug")
        try bench.wait { bench.source.placeState.state == .lost }
        #expect(bench.listener.lost == 1)
        manager.send(Self.second(2))
        manager.send("modem 4")
        try bench.wait { bench.listener.fixes.count == 2 }
        bench.source.stop()
        bench.connection.close()
    }

    @Test("A refusal is a state with its reason")
    func refused() throws {
        let bench = try Bench()
        let manager = try bench.manager()
        manager.send("refuse")
        manager.send("modem 6")
        bench.source.start()
        try bench.wait { bench.source.problem?.hasPrefix("ModemManager refuses") == true }
        #expect(bench.source.placeState.state == .failed && bench.listener.fixes.isEmpty)
        bench.source.stop()
        #expect(bench.source.problem == nil)
        bench.connection.close()
    }
}
