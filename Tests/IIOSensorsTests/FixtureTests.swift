import Foundation
import Geometry
import TestSupport
import Testing

/// Every driver and every real device: what `headingctl sensors --json` says, and the heading that known counts give,
/// through libiio, scan formats, scales, offsets and mount matrices.
@Suite("Fixtures", .needsIIORig())
struct FixtureTests {
    private static let table = Repository.file("Tests/Rigs/discovery.txt")

    /// Blocks of the checked-in table by fixture id.
    private static let expected: [String: String] = {
        var blocks: [String: String] = [:]
        for block in ((try? String(contentsOf: table, encoding: .utf8)) ?? "").components(separatedBy: "\n\n") {
            let lines = block.split(separator: "\n").filter { !$0.hasPrefix("#") }
            guard let first = lines.first else { continue }
            blocks[String(first)] = lines.dropFirst().joined(separator: "\n")
        }
        return blocks
    }()

    @Test("there are fifty devices and a fixture for every driver of compass chips, each surveyed")
    func complete() throws {
        #expect(Fixture.all.count >= 105)
        #expect(Set(Fixture.all.map(\.id)).count == Fixture.all.count)
        #expect(Set(FixtureSurvey.results.keys) == Set(Fixture.all.map(\.id)))
        // To look at a changed table as a whole, and to take it over if it is right.
        if let path = ProcessInfo.processInfo.environment["LOCATEME_WRITE_DISCOVERY"] {
            let blocks = Fixture.all.map { "\($0.id)\n\(FixtureSurvey.results[$0.id]?.table ?? "")" }
            let head = "# headingctl sensors --json of every fixture, one line a sensor; see README.md.\n\n"
            try (head + blocks.joined(separator: "\n\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        }
    }

    @Test("discovery, choice and findings are those of the checked-in table", arguments: Fixture.all)
    func discovery(fixture: Fixture) throws {
        let result = try #require(FixtureSurvey.results[fixture.id])
        #expect(result.table == Self.expected[fixture.id])
    }

    @Test(
        "the right heading comes out within half a degree, or the device is refused with the reason",
        arguments: Fixture.all)
    func heading(fixture: Fixture) throws {
        let result = try #require(FixtureSurvey.results[fixture.id])
        if let refused = fixture.refused {
            let reasons = result.sensors.filter { $0.kind == "magnetometer" || $0.kind == "hubHeading" }.map(\.reason)
            #expect(reasons.allSatisfy { $0.contains(refused) } && !reasons.isEmpty, "\(reasons)")
            #expect(result.samples["magn"] == nil && result.samples["hub"] == nil)
            return
        }
        if let heading = fixture.hubHeading {
            let hub = try #require(result.samples["hub"]?.first)
            #expect(abs(remainder(hub - heading, 360)) < 0.5)
            return
        }
        guard fixture.entries.contains(where: { $0.channels.contains("magn_x") }) else {
            #expect(result.samples["magn"] == nil)
            return
        }
        let pose = FixtureSurvey.pose(of: fixture)
        let values = try #require(result.samples["magn"], "\(result.table)")
        let field = Vector3(values[0], values[1], values[2])
        // Where a device has no accelerometer of its own, the pose says which way is up.
        var up = result.samples["accel"].map { Vector3($0[0], $0[1], $0[2]) } ?? pose.up
        if fixture.id == "amd-sensor-hub" {
            // It counts tenths of g, which turns "up" by up to 6° by itself: the sign must be right.
            #expect(try #require(up.normalized).dot(pose.up) > 0.98)
            up = pose.up
        }
        let heading = FixturePose.heading(field: field, up: up)
        #expect(abs(remainder(heading - pose.heading, 360)) <= 0.5, "\(heading) for \(pose.heading): \(field), \(up)")
        #expect(abs(field.length - 46.96) < 1.5, "\(field.length) µT")
    }
}
