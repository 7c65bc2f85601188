import Foundation
import TestSupport
import Testing

@testable import HeadingControl

/// `headingctl track` on files of the three kinds.
@Suite("headingctl track") struct TrackTests {
    private static func track(_ text: String, ending: String, _ words: [String] = []) throws -> Run.Result {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("t-\(UUID().uuidString).\(ending)")
            .path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { unlink(path) }
        return try Run.headingctl(["track", path] + words)
    }

    /// "HH:MM:SS" of microseconds since 1970.
    private static func timeOfDay(_ microseconds: String) -> String {
        let seconds = (Int(microseconds) ?? 0) / 1_000_000 % 86400
        return String(format: "%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }

    private static func rows(_ result: Run.Result) -> [[String]] {
        result.output.split(separator: "\n").dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    @Test("C6: a receiver's log is one row for each moment, with what gpsd has of it")
    func nmea() throws {
        let result = try Run.headingctl(["track", Repository.file("data/nmea/neo-m8n.nmea").path])
        #expect(result.status == .success)
        let expected = try String(contentsOf: Repository.file("data/nmea/neo-m8n.fixes"), encoding: .utf8)
            .split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let rows = Self.rows(result)
        #expect(result.output.hasPrefix("t_us,lat,lon,hacc,alt,vacc,speed,course,flags\n"))
        #expect(rows.count >= 5 && rows.allSatisfy { $0.count == 9 })
        // Of each time of the day that gpsd has, the same place; it moves the date by a rollover.
        for moment in expected where moment[0] != "-" {
            let row = try #require(
                rows.first { Self.timeOfDay($0[0]) == moment[0].dropFirst(11).prefix(8) }, "\(moment)")
            #expect(abs((Double(row[1]) ?? 0) - (Double(moment[1]) ?? 1)) <= 1e-6)
            #expect(abs((Double(row[2]) ?? 0) - (Double(moment[2]) ?? 1)) <= 1e-6)
        }
    }

    @Test("C6: a GPX track and a recording give their fixes, unknown members empty")
    func tracks() throws {
        let gpx = try Self.track(
            """
            <?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
            <trkpt lat="47.4211" lon="10.9853"><ele>2962</ele><time>2026-06-12T09:00:00Z</time><hdop>2</hdop></trkpt>
            <trkpt lat="47.4212" lon="10.9854"><time>2026-06-12T09:00:05Z</time></trkpt>
            </trkseg></trk></gpx>
            """, ending: "gpx")
        #expect(gpx.status == .success)
        let points = Self.rows(gpx)
        // date -u -d 2026-06-12T09:00:00Z +%s
        #expect(points.map { $0[0] } == ["1781254800000000", "1781254805000000"])
        #expect(points[0][1] == "47.42110000" && points[0][4] == "2962")
        #expect(points[1][4].isEmpty && points[1][6].isEmpty && points[1][7].isEmpty)
        let recording = try Self.track(
            "#lmrec 1\n#start 2026-07-01T12:00:00Z\n#device t\n0 fix 47.42 8.5 5 400 8 1.5 0.5 90 2\n"
                + "1000000 fix 47.42001 8.5 5 - - - - - -\n", ending: "lmrec", ["--json"])
        #expect(recording.status == .success, "\(recording.errors)")
        let objects = try recording.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(objects.map { $0["latitude"] as? Double } == [47.42, 47.42001])
        #expect(objects.map { $0["t_us"] as? Int } == [0, 1_000_000])
        #expect(objects.first?["speed"] as? Double == 1.5 && objects.last?["speed"] is NSNull)
    }

    @Test(
        "With a preset a track is what a session with it is told: of a stroll at 1 m/s every tenth metre and not each second"
    )
    func preset() throws {
        // 0.00001° of latitude are 1.11 m.
        let lines = (0..<60).map { "\($0)000000 fix \(47 + Double($0) * 0.00001) 8 5 - - 1.1 - 0 -" }
        let stroll = "#lmrec 1\n#start 2026-07-01T12:00:00Z\n#device t\n" + lines.joined(separator: "\n") + "\n"
        let all = Self.rows(try Self.track(stroll, ending: "lmrec"))
        #expect(all.count == 60)
        let told = Self.rows(try Self.track(stroll, ending: "lmrec", ["--preset", "walk"]))
        #expect((2..<30).contains(told.count), "\(told.count)")
        #expect(told.allSatisfy { row in all.contains { $0[1] == row[1] } })
        #expect(try Run.headingctl(["track", "/tmp/x.nmea", "--preset", "stroll"]).status == .usage)
    }

    @Test("A file without a fix, a file that is none and a missing one end with a reason and no row")
    func refusals() throws {
        let void = try Self.track("$GPRMC,140512.00,V,,,,,,,120626,,,N*7F\r\n", ending: "nmea")
        #expect(void.status == .noData && void.errors.contains("has no fix"))
        let unsummed = "$GPRMC,101500,A,5147.946,N,01036.936,E,3.2,211.0,120626,,\r\n"
        #expect(try Self.track(unsummed, ending: "nmea").status == .noData)
        #expect(try Self.track(unsummed, ending: "nmea", ["--checksum-optional"]).status == .success)
        let page = try Self.track("<html><body>404</body></html>", ending: "gpx")
        #expect(page.status != .success && page.errors.contains("cannot be used"))
        #expect(try Run.headingctl(["track", "/nowhere/at/all.nmea"]).status != .success)
    }
}
