import Foundation
import LocateMeModel
import TestSupport
import Testing

@testable import RouteFormats

/// The addresses `bug-…` are those of inputs that broke other programs.
@Suite struct GPXTests {
    private static let points = """
        <trkpt lat="47.4211" lon="10.9853"><ele>2650.0</ele><time>2026-06-12T09:00:00Z</time></trkpt>
        <trkpt lat="47.4216" lon="10.9861"><ele>2655.5</ele><time>2026-06-12T09:00:10Z</time></trkpt>
        <trkpt lat="47.4222" lon="10.987"><ele>2661.0</ele><time>2026-06-12T09:00:20Z</time></trkpt>
        <trkpt lat="47.4229" lon="10.9877"><ele>2667.2</ele><time>2026-06-12T09:00:30Z</time></trkpt>
        """

    private static func document(
        _ points: String = points, namespace: String = "http://www.topografix.com/GPX/1/1", head: String = ""
    ) -> String {
        "<?xml version=\"1.0\"?>\n\(head)<gpx version=\"1.1\" creator=\"test\" xmlns=\"\(namespace)\">"
            + "<trk><name>t</name><trkseg>\n\(points)\n</trkseg></trk></gpx>\n"
    }

    private func read(_ text: String) throws(TrackError) -> Track { try GPXReader.read(Array(text.utf8)) }

    private func error(_ text: String) -> String? {
        do throws(TrackError) {
            _ = try read(text)
            return nil
        } catch {
            return error.description
        }
    }

    @Test("Points have their place, height and time; segments stay apart")
    func sound() throws {
        let track = try read(Self.document(Self.points + "</trkseg><trkseg>" + Self.points))
        #expect(track.points.count == 8 && track.warnings == [])
        let point = track.points[1]
        #expect(point.latitude == 47.4216 && point.longitude == 10.9861 && point.elevation == 2655.5)
        #expect(UTCDate(realMicroseconds: point.realMicroseconds).iso8601 == "2026-06-12T09:00:10.000000Z")
        #expect(track.points.map(\.segment) == [0, 0, 0, 0, 1, 1, 1, 1])
        #expect(point.speed.isNaN && point.course.isNaN)
    }

    @Test("bug-gpx-bom, bug-gpx-utf16-real: byte order marks and UTF-16")
    func encodings() throws {
        #expect(try read("\u{feff}" + Self.document()).points.count == 4)
        for encoding in [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian] {
            let mark = encoding == .utf16 ? "" : "\u{feff}"
            let text =
                mark + Self.document().replacing("version=\"1.0\"?>", with: "version=\"1.0\" encoding=\"UTF-16\"?>")
            let track = try GPXReader.read(Array(try #require(text.data(using: encoding))))
            #expect(track.points.count == 4)
        }
    }

    @Test("bug-gpx-decimal-comma, bug-gpx-lat-lon-swapped: coordinates that are none are named, never guessed")
    func coordinates() throws {
        let comma = Self.document(Self.points.replacing("lat=\"47.", with: "lat=\"47,"))
        #expect(error(comma) == "4 points with unreadable coordinates")
        let swapped = """
            <trkpt lat="151.2" lon="-33.8"/><trkpt lat="151.3" lon="-33.9"/><trkpt lat="151.4" lon="-33.7"/>
            """
        #expect(error(Self.document(swapped)) == "3 points with a latitude outside -90..90")
        let odd = ["nan", "inf", "0x2f", "", "47.4211 10", "4742110"].map { "<trkpt lat=\"\($0)\" lon=\"10\"/>" }
            .joined()
        let track = try read(Self.document(odd + "<trkpt lat=\"1\" lon=\"180.5\"/>" + Self.points))
        #expect(track.points.count == 4)
        #expect(
            track.warnings == [
                "5 points with unreadable coordinates were left out",
                "1 point with a latitude outside -90..90 were left out",
                "1 point with a longitude outside -180..180 were left out",
            ])
    }

    @Test("bug-gpx-entities: a document type is refused, nothing is expanded and no file is opened")
    func entities() throws {
        let canary = FileManager.default.temporaryDirectory.appendingPathComponent(
            "canary-\(UInt32.random(in: 0 ... .max))")
        try "47.5".write(to: canary, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: canary) }
        var head = "<!DOCTYPE gpx [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY x SYSTEM \"\(canary.path)\">"
        for (name, before) in zip("bcdefghi", "abcdefgh") {
            head += "<!ENTITY \(name) \"" + String(repeating: "&\(before);", count: 10) + "\">"
        }
        head += "]>"
        let points = "<trkpt lat=\"&x;\" lon=\"10\"><name>&i;&i;</name></trkpt>" + Self.points
        #expect(error(Self.document(points, head: head)) != nil)
        let harmless = "<!DOCTYPE gpx [<!ENTITY a \"aaaa\">]>"
        #expect(error(Self.document(head: harmless)) == "it defines a document type, which GPX has not")
        // Without a definition a reference is damage.
        #expect((error(Self.document("<trkpt lat=\"&x;\" lon=\"1\"/>")) ?? "").isEmpty == false)
    }

    @Test("bug-gpx-html-page: a page is no track")
    func page() {
        #expect(error("<!DOCTYPE html><html><head><title>Log in</title></head></html>") == "not a GPX file (HTML)")
        #expect(error("<html><body><p>not found</p></body></html>") == "not a GPX file (HTML)")
        #expect(error("<kml/>") == "not a GPX file: its root is 'kml'")
        #expect(error("") == "the file is empty" && error("not XML at all") == "not a GPX file")
    }

    @Test("bug-gpx-namespace-with-blanks: read, with a word")
    func namespace() throws {
        let track = try read(Self.document(namespace: " http://www.topografix.com/GPX/1/1 "))
        #expect(track.points.count == 4 && track.warnings == ["the namespace has blanks around it"])
        #expect(try read(Self.document(namespace: "urn:other")).warnings.count == 1)
    }

    @Test("bug-gpx-nul-and-truncated: what stands before the damage is read, with a word")
    func damaged() throws {
        let text = Self.document()
        let end = try #require(text.range(of: "<trkpt lat=\"47.4229\""))
        let cut = try read(String(text[..<end.lowerBound]) + "<trkpt lat=\"47.4")
        #expect(cut.points.count == 3)
        #expect(cut.warnings == ["the file is damaged or cut off; what stands before was read"])
        // A NUL ends what libxml2 reads at once: nothing more than what stands before it, or a reason.
        let nul = try? read(text.replacing("2655.5", with: "26\u{0}5.5"))
        #expect((nul?.points.count ?? 0) <= 2 && nul?.warnings.count ?? 1 == 1)
    }

    @Test("bug-gpx-times-all-equal-1970: equal times are none, and all points stay")
    func equalTimes() throws {
        let points = Self.points.replacing(#/<time>.*?</time>/#, with: "<time>1970-01-01T00:00:00Z</time>")
        let track = try read(Self.document(points))
        #expect(track.points.count == 4 && track.points.allSatisfy { $0.realMicroseconds == 0 })
        #expect(track.warnings.count == 1)
    }

    @Test("bug-gpx-speed-zero-means-missing: a speed of 0 where the place moves on is unknown")
    func zeroSpeeds() throws {
        let points = (0..<6).map { index in
            "<trkpt lat=\"\(47.4211 + 0.0006 * Double(index))\" lon=\"10.9853\"><time>2026-06-12T09:0\(index):00Z</time>"
                + "<speed>\(index == 2 || index == 3 ? "0.0" : "1.11")</speed></trkpt>"
        }
        let speeds = try read(Self.document(points.joined())).points.map(\.speed)
        #expect(speeds[2].isNaN && speeds[3].isNaN && speeds[0] == 1.11 && speeds[5] == 1.11)
        let standing = (0..<3).map {
            "<trkpt lat=\"47\" lon=\"10\"><time>2026-06-12T09:0\($0):00Z</time><speed>0</speed></trkpt>"
        }
        #expect(try read(Self.document(standing.joined())).points.map(\.speed) == [0, 0, 0])
    }

    @Test(
        "Times with fraction, offset and without zone",
        arguments: [
            ("2026-06-12T09:00:00Z", "2026-06-12T09:00:00.000000Z"),
            ("2026-06-12T09:00:00.25Z", "2026-06-12T09:00:00.250000Z"),
            ("2026-06-12T09:00:00,5Z", "2026-06-12T09:00:00.500000Z"),
            ("2026-06-12T09:00:00+02:00", "2026-06-12T07:00:00.000000Z"),
            ("2026-06-12T09:00:00.123456789-0530", "2026-06-12T14:30:00.123456Z"),
            ("2026-06-12T09:00:00", "2026-06-12T09:00:00.000000Z"),
            ("2026-06-12 09:00:00", "2026-06-12T09:00:00.000000Z"), ("2026-06-32T09:00:00Z", nil), ("yesterday", nil),
            ("", nil),
            ("2026-06-12T09:00:00+99:00", nil),
        ] as [(String, String?)])
    func times(text: String, expected: String?) {
        let time = GPXTime.parse(text)
        #expect(time.map { UTCDate(realMicroseconds: $0.realMicroseconds).iso8601 } == expected)
    }

    @Test("Damaged tracks end in points on the earth or in a reason")
    func damagedTracks() {
        let seeds = [
            Self.document(), Self.document(head: "<!DOCTYPE gpx [<!ENTITY a \"b\">]>"),
            "<gpx><trk><trkseg><trkpt lat='1' lon='2'/>",
        ]
        Mutator.run(seeds.map { Array($0.utf8) }) { bytes in
            guard let track = try? GPXReader.read(bytes) else { return }
            let isSound = track.points.allSatisfy { abs($0.latitude) <= 90 && abs($0.longitude) <= 180 }
            if !isSound || track.points.isEmpty { Issue.record("\(bytes)") }
        }
    }
}
