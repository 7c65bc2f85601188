import Foundation
import TestSupport
import Testing

extension EndToEnd {
    struct HeadingTests {
        /// The rule of the interface, written anew: a heading is told if none was since the start, if it became valid
        /// or invalid, or if it is at least the filter away from the last one told.
        private func predicted(_ all: [HeadingValue], filter: Double) -> [HeadingValue] {
            var told: [HeadingValue] = []
            for heading in all {
                guard let last = told.last else {
                    told.append(heading)
                    continue
                }
                let changed = (last.accuracy >= 0) != (heading.accuracy >= 0)
                let turned = heading.accuracy >= 0 && apart(heading.magnetic, last.magnetic) >= filter
                if changed || turned { told.append(heading) }
            }
            return told
        }

        private func headings(_ client: OutsideClient) throws -> [HeadingValue] {
            try client.signals("HeadingUpdated").map { try HeadingValue($0.arguments.first) }
        }

        @Test func `P18, P19: filters give exactly the predicted updates and do not influence each other`() throws {
            let bus = try PrivateBus()
            // A turn that speeds up, stops, goes back through north, and trembles by less than a degree.
            let recording = try TurningPhone(seconds: 8) { time in
                time < 4 ? 350 + 6 * time * time : 446 - 30 * (time - 4) + 0.4 * sin(40 * time)
            }.write()
            defer { unlink(recording) }
            // The first fix is there before the first heading, so that true north changes nothing on the way.
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--place", "47.377,8.542,408"])
            let filters: [Double] = [-1, 5, 1, 20]
            let clients = try filters.map { _ in try OutsideClient(bus) }
            let sessions = try clients.map { try $0.openSession() }
            for (index, client) in clients.enumerated() {
                try client.set(sessions[index], "org.locateme.Heading1", "HeadingFilter", "\(filters[index])")
            }
            // All have begun before the first estimate: the accelerometer needs a fifth of a second.
            let starts = try clients.indices.map { index in
                try clients[index].send(sessions[index], "org.locateme.Heading1", "Start")
            }
            for (index, start) in starts.enumerated() { _ = try clients[index].answer(to: start) }
            for client in clients { _ = try client.wait("end") { $0.first { $0.member == "HeadingLost" } } }

            let received = try clients.map(headings)
            let all = received[0]
            try #require(all.count > 300)
            let first = try received.map { try #require($0.first?.bootMicroseconds) }
            let begin = try #require(first.max())
            // On a busy machine the unfiltered client reads too slowly and gets the newest instead of all: what only
            // another client was told belongs to the stream as well.
            let told = Dictionary(received.joined().map { ($0.bootMicroseconds, $0) }) { one, _ in one }
            let everything = told.values.sorted { $0.bootMicroseconds < $1.bootMicroseconds }
            for index in 1..<clients.count {
                // Sessions that began a few samples later are compared from their own first update on.
                let own = received[index]
                let stream = everything.filter { $0.bootMicroseconds >= first[index] }
                #expect(own == predicted(stream, filter: filters[index]), "filter \(filters[index])")
                #expect(own.count < all.count)
            }
            #expect(received[3].count < received[1].count)
            #expect(begin - (first.min() ?? 0) < 500_000)
            #expect(daemon.process.isRunning)
        }

        @Test func `GetHeading answers with the next valid heading and lets the sensors go again`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone(heading: { _ in 123.4 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop"])
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            let reply = try client.call(session, "org.locateme.Heading1", "GetHeading", "(u)", "(0,)")
            let heading = try HeadingValue(reply.first)
            #expect(apart(heading.magnetic, 123.4) < 0.5)
            #expect(heading.trueHeading == -1)
            #expect(heading.accuracy >= 0)
            let rate = try client.property("/org/locateme/compass", "org.locateme.Compass1", "Rate") as? Double
            #expect(rate == 0)
            #expect(daemon.process.isRunning)
        }

        @Test(arguments: [(1, 70.0), (2, 250), (3, 160), (4, 340)])
        func `P18: the heading is that of the edge that the session calls top`(orientation: Int, expected: Double)
            throws
        {
            // Landscape left has the right edge (+x) on top, 90° clockwise of the top edge.
            let bus = try PrivateBus()
            let recording = try TurningPhone(heading: { _ in 70 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop"])
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            try client.set(session, "org.locateme.Heading1", "HeadingOrientation", "uint32 \(orientation)")
            let reply = try client.call(session, "org.locateme.Heading1", "GetHeading", "(u)", "(0,)")
            let heading = try HeadingValue(reply.first)
            #expect(apart(heading.magnetic, expected) < 0.5)
            #expect(heading.orientation == orientation)
            #expect(daemon.process.isRunning)
        }

        @Test func `P19: a sensor that is unplugged is told once, and headings come back by themselves`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone(
                seconds: 4, extra: [(1.5, "event unplug magn"), (2.5, "event plug magn")]
            ).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording])
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            try client.call(session, "org.locateme.Heading1", "Start")
            let lost = try client.wait("HeadingLost") { $0.first { $0.member == "HeadingLost" } }
            #expect((lost.arguments.first as? String)?.contains("unplugged") == true)
            #expect(try client.property("/org/locateme", "org.locateme.Status1", "MagneticHeading") as? Double == -1)
            _ = try client.wait("heading after the loss") { signals in
                signals.last.flatMap {
                    $0.member == "HeadingUpdated" && $0.bootMicroseconds > lost.bootMicroseconds ? $0 : nil
                }
            }
            _ = try client.wait("end of the recording") { signals in
                signals.filter { $0.member == "HeadingLost" }.count == 2 ? true : nil
            }
            #expect(daemon.process.isRunning)
        }

        @Test func `Declination set by hand makes true headings without a place`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone(heading: { _ in 355 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop"])
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            try client.set("/org/locateme/compass", "org.locateme.Compass1", "DeclinationOverride", "12.5")
            let reply = try client.call(session, "org.locateme.Heading1", "GetHeading", "(u)", "(0,)")
            let heading = try HeadingValue(reply.first)
            #expect(apart(heading.trueHeading, 7.5) < 0.5)
            #expect(apart(heading.trueHeading, heading.magnetic + 12.5) < 1e-6)
            #expect(heading.extras["Model"] == "override")
            #expect(daemon.process.isRunning)
        }

        @Test func `The declination is the model's at the place`() throws {
            let bus = try PrivateBus()
            // WMM2025 test values: 2026.5, 14 km, 0°N 80°E: D = −3.10°, growing by 0.056° a year; H = 39 489 nT,
            // Z = −12 189 nT, which the recorded device feels.
            let recording = try TurningPhone(north: 39.489, down: -12.189, heading: { _ in 10 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop", "--place", "0,80,14000"])
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            let reply = try client.call(session, "org.locateme.Heading1", "GetHeading", "(u)", "(0,)")
            let heading = try HeadingValue(reply.first)
            let declination = try #require(heading.extras["Declination"].flatMap(Double.init))
            #expect(abs(declination + 3.10) < 0.5)
            #expect(apart(heading.trueHeading, heading.magnetic + declination) < 1e-6)
            #expect(heading.extras["Model"] == "WMM-2025")
            #expect(daemon.process.isRunning)
        }
    }
}
