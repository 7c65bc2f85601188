import Foundation
import LocateMeModel
import TestSupport
import Testing

@testable import NMEASentences

/// What three sessions are told of each of thirty and more kinds of receivers' logs: the recorded ones of data/nmea and the
/// made ones of Tests/Fixtures/traces, where the lines that are expected stand too. `LOCATEME_WRITE_TRACES=1` writes them
/// anew; what has changed is then to be looked at, line by line.
@Suite struct GoldenTraceTests {
    static let folder = Repository.file("Tests/Fixtures/traces")
    static let recorded = RecordedLogTests.logs
    static let made = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".nmea") }.map { String($0.dropLast(5)) }.sorted()

    private static func bytes(_ name: String) throws -> [UInt8] {
        let folder = recorded.contains(name) ? Repository.file("data/nmea") : folder
        return Array(try Data(contentsOf: folder.appendingPathComponent("\(name).nmea")))
    }

    @Test("Bar 1: there are thirty kinds of logs")
    func families() { #expect(Set(Self.recorded + Self.made).count >= 30) }

    @Test("Bar 1: a log gives the same signals each time, and those that stand there", arguments: recorded + made)
    func trace(name: String) throws {
        let bytes = try Self.bytes(name)
        let lines = SignalTrace.lines(of: bytes)
        #expect(lines == SignalTrace.lines(of: bytes))
        let file = Self.folder.appendingPathComponent("\(name).signals")
        if ProcessInfo.processInfo.environment["LOCATEME_WRITE_TRACES"] == "1" {
            try (lines.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
        }
        let expected = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(lines == expected)
    }

    @Test(
        "Bar 1: whatever the log, numbers rise by one, times never go back, and no moment is told twice",
        arguments: recorded + made)
    func order(name: String) throws {
        let all = SignalTrace.lines(of: try Self.bytes(name)).map { $0.split(separator: " ").map(String.init) }
        for session in ["all", "walk", "tracker"] {
            let told = all.filter { $0[0] == session && $0[1] == "LocationsUpdated" }
            #expect(told.map { Int($0[2]) } == told.indices.map { $0 + 1 })
            for (one, next) in zip(told, told.dropFirst()) {
                #expect(one[3] <= next[3], "real time")
                #expect(try #require(Int64(one[4])) < #require(Int64(next[4])), "boot time")
            }
            for fix in told {
                #expect(abs(Double(fix[5]) ?? 99) <= 90 && abs(Double(fix[6]) ?? 999) <= 180)
                #expect((Double(fix[7]) ?? -1) > 0, "an accuracy")
            }
        }
    }
}
