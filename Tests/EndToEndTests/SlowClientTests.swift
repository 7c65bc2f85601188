import Foundation
import TestSupport
import Testing

extension EndToEnd {
    struct SlowClientTests {
        @Test func `A client that is stopped costs the daemon no memory and the others no update`() throws {
            // Seconds for which the client stands still; LOCATEME_STOPPED_SECONDS=60 is the long run.
            let seconds = ProcessInfo.processInfo.environment["LOCATEME_STOPPED_SECONDS"].flatMap(Double.init) ?? 6
            let bus = try PrivateBus()
            let recording = try TurningPhone(seconds: 10, hertz: 100, heading: { 36 * $0 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop"])
            let stopped = try OutsideClient(bus)
            let awake = try OutsideClient(bus)
            for client in [stopped, awake] {
                let session = try client.openSession()
                try client.set(session, "org.locateme.Heading1", "HeadingFilter", "-1.0")
                try client.call(session, "org.locateme.Heading1", "Start")
            }
            func received() throws -> Int { try awake.signals("HeadingUpdated").count }
            // Warm: buffers of both sides have their size.
            _ = try awake.wait("first 200") { $0.filter { $0.member == "HeadingUpdated" }.count >= 200 ? true : nil }

            stopped.process.signal(SIGSTOP)
            let memory = (daemon: daemon.residentKilobytes, bus: bus.residentBytes() / 1024)
            let before = try received()
            let wanted = before + Int(100 * seconds)
            _ = try awake.wait("\(seconds) s of headings", seconds: 2 * seconds + 20) {
                $0.filter { $0.member == "HeadingUpdated" }.count >= wanted ? true : nil
            }
            let grown = (
                daemon: daemon.residentKilobytes - memory.daemon, bus: bus.residentBytes() / 1024 - memory.bus
            )
            #expect(grown.daemon < 300, "the daemon has grown by \(grown.daemon) kB")
            #expect(grown.bus < 1000, "the bus has grown by \(grown.bus) kB")

            // The awake client has gone on: a heading for each magnetometer sample, 10 ms apart, but for moments in which the
            // machine was too busy to let it read.
            let times = try awake.signals("HeadingUpdated").map {
                try HeadingValue($0.arguments.first).bootMicroseconds
            }
            let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
            #expect(gaps.allSatisfy { $0 < 1_000_000 }, "longest gap \(gaps.max() ?? 0) µs")
            #expect(gaps.filter { $0 < 11_000 }.count > gaps.count * 9 / 10)

            // The stopped one wakes up to the present, not to a minute of the past.
            stopped.process.signal(SIGCONT)
            let resumed = try awake.signals("HeadingUpdated").last.map { try HeadingValue($0.arguments.first) }
            let now = try #require(resumed).bootMicroseconds
            _ = try stopped.wait("a heading of now") { signals in
                try signals.last { $0.member == "HeadingUpdated" }.flatMap {
                    try HeadingValue($0.arguments.first).bootMicroseconds >= now ? true : nil
                }
            }
            let stale = try stopped.signals("HeadingUpdated").count
            #expect(stale < wanted)
            #expect(daemon.process.isRunning)
        }
    }
}
