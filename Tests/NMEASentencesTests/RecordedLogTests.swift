import Foundation
import LocateMeModel
import TestSupport
import Testing

@testable import NMEASentences

/// The logs of data/nmea against what gpsd 3.22 made of them. `LOCATEME_NMEA_LOGS` names another folder with such pairs.
@Suite struct RecordedLogTests {
    struct Expected {
        /// UTC in microseconds; nil if gpsd knew none.
        let time: Int64?
        let latitude: Double
        let longitude: Double
    }

    static let folder = ProcessInfo.processInfo.environment["LOCATEME_NMEA_LOGS"] ?? Repository.file("data/nmea").path
    static let logs = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        .filter { $0.hasSuffix(".nmea") }.map { String($0.dropLast(5)) }.sorted()

    static func bytes(_ log: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(log).nmea")))
    }

    static func expected(_ log: String) throws -> [Expected] {
        try String(contentsOfFile: "\(folder)/\(log).fixes", encoding: .utf8).split(separator: "\n").map { line in
            let parts = line.split(separator: " ")
            return Expected(
                time: UTCDate(iso8601: parts[0])?.realMicroseconds, latitude: try #require(Double(parts[1])),
                longitude: try #require(Double(parts[2])))
        }
    }

    /// Equal but for rollovers of the week number, which gpsd repairs in its way and the engine in its own.
    static func isSameTime(_ first: Int64, _ second: Int64) -> Bool {
        let rollover: Int64 = 1024 * 7 * 86_400 * 1_000_000
        let apart = abs(first - second) % rollover
        return min(apart, rollover - apart) <= 1000
    }

    static func isSamePlace(_ fix: Fix, _ expected: Expected) -> Bool {
        abs(fix.latitude - expected.latitude) <= 1e-6 && abs(fix.longitude - expected.longitude) <= 1e-6
    }

    @Test("Each moment of a log that gpsd has a fix for has the same one here, once", arguments: logs)
    func nothingIsLost(log: String) throws {
        let fixes = NMEA.fixes(try Self.bytes(log))
        // gpsd often gives several reports of one moment, the later ones with more in them.
        var moments: [[Expected]] = []
        for report in try Self.expected(log) {
            if let last = moments.last?.last, last.time == report.time {
                moments[moments.count - 1].append(report)
            } else {
                moments.append([report])
            }
        }
        let lost = moments.filter { reports in
            !reports.contains { report in
                fixes.contains { fix in
                    Self.isSamePlace(fix, report)
                        && report.time.map { Self.isSameTime($0, fix.realMicroseconds) } ?? true
                }
            }
        }
        for (fix, next) in zip(fixes, fixes.dropFirst()) { #expect(fix.realMicroseconds != next.realMicroseconds) }
        // What gpsd had of the demonstration before it noticed: all of that receiver's RMC and GLL are void.
        #expect(lost.count == (log == "garmin-geko201" ? 1 : 0), "\(log): \(lost.count) of \(moments.count)")
    }

    /// gpsd gives no report of a moment while it still learns which sentence ends a cycle, and none of one that ends the log.
    static let onlyHere = [
        "gp-320fw-2019-04-06-overflow": 1, "haicom-305N": 1, "humminbird-M37": 2, "neo-m8n": 1,
    ]

    @Test("No fix of a log is at a place that gpsd never had, or at a time that it calls void", arguments: logs)
    func nothingIsInvented(log: String) throws {
        let expected = try Self.expected(log)
        let fixes = NMEA.fixes(try Self.bytes(log))
        let own = fixes.filter { fix in
            !expected.contains { report in
                Self.isSamePlace(fix, report) && report.time.map { Self.isSameTime($0, fix.realMicroseconds) } ?? true
            }
        }
        #expect(own.count == Self.onlyHere[log, default: 0], "\(own.map(\.realMicroseconds))")
        // And those are of moments that gpsd says nothing about, rather than of others or void ones.
        for fix in own {
            #expect(
                !expected.contains { $0.time.map { Self.isSameTime($0, fix.realMicroseconds) } ?? false })
        }
    }

    @Test("True headings and rates of turn between AIS reports are read")
    func saab() throws {
        var decoder = NMEADecoder()
        let sentences = NMEA.sentences(try Self.bytes("saab-r4"), &decoder)
        let headings = sentences.filter { if case .heading(.trueNorth) = $0 { true } else { false } }
        #expect(headings.count == 12)
        #expect(sentences.contains { if case .turnRate = $0 { true } else { false } })
        #expect(decoder.dropped == 0)
    }
}
