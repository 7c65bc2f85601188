import Foundation
import LocateMeModel
import TestSupport
import Testing

@testable import PositionSources

@Suite struct GpsdFuzzTests {
    /// What stands in a line as the value of a name, if that is once and a plain number; nil otherwise.
    private static func number(_ name: String, in line: String) -> Double? {
        let parts = line.components(separatedBy: "\"\(name)\":")
        guard parts.count == 2 else { return nil }
        let text = parts[1].prefix { "0123456789.-".contains($0) }
        return parts[1].dropFirst(text.count).first.map { ",}".contains($0) } == true ? Double(text) : nil
    }

    /// A number of a report against what the line says: the same if it is there, to the precision of libgps's own reading of
    /// numbers; unknown if it is not.
    private static func isTrue(_ value: Double, _ name: String, _ line: String) -> Bool {
        if let said = number(name, in: line) { return abs(value - said) <= 1e-9 * max(1, abs(said)) }
        return line.contains("\"\(name)\"") || value.isNaN
    }

    @Test("Damaged messages of gpsd end as garbage, or in a report of what they say and nothing else")
    func damagedMessages() {
        let seeds = [
            #"{"class":"TPV","device":"x","mode":3,"time":"2026-06-12T09:00:00.000Z","lat":47.5,"lon":8.5,"altMSL":400.0,"eph":10.0}"#,
            #"{"class":"SKY","hdop":0.9,"satellites":[{"PRN":1,"el":53.0,"az":280.0,"ss":36.0,"used":true,"gnssid":0}]}"#,
            #"{"class":"DEVICE","path":"/dev/ttyUSB0","activated":0}"#,
            #"{"class":"VERSION","release":"3.22","proto_major":3}"#,
        ]
        var reports = 0
        var garbage = 0
        Mutator.run(seeds.map { Array($0.utf8) }) { bytes in
            var decoder = GpsdDecoder()
            for line in bytes.split(separator: 10) {
                let report: GpsdReport
                switch decoder.decode(Array(line)) {
                case .report(let decoded): report = decoded
                case .garbage:
                    garbage += 1
                    continue
                case .other, .deviceGone: continue
                }
                reports += 1
                let text = String(decoding: line, as: UTF8.self)
                #expect(text.hasPrefix(#"{"class":"TPV""#), "\(text)")
                for (name, value) in [
                    ("lat", report.latitude), ("lon", report.longitude), ("altMSL", report.altitude),
                    ("eph", report.horizontalError),
                ] { #expect(Self.isTrue(value, name, text), "\(name) \(value) of \(text)") }
                let fix = report.fix(bootMicroseconds: 1)
                #expect((fix != nil) == (report.mode >= 2 && report.latitude.isFinite && report.longitude.isFinite))
                #expect(fix.map { $0.latitude == report.latitude && $0.longitude == report.longitude } ?? true)
            }
        }
        // Some of both, or nothing was tried.
        #expect(reports > 20 && garbage > 100, "\(reports) reports, \(garbage) garbage")
    }
}
