import Foundation
import LocateMeModel
import TestSupport
import Testing

@testable import NMEASentences

@Suite struct FuzzTests {
    /// Checksums made right again, so that damage reaches the fields.
    private func repaired(_ bytes: [UInt8]) -> [UInt8] {
        bytes.split(separator: UInt8(ascii: "\n")).flatMap { line -> [UInt8] in
            guard let start = line.firstIndex(of: UInt8(ascii: "$")) else { return Array(line) + [10] }
            let body = line[(start + 1)...].prefix { $0 != UInt8(ascii: "*") && $0 != 13 }
            return Array(String(decoding: [36], as: UTF8.self).utf8) + body
                + Array(String(format: "*%02X\r\n", body.reduce(0, ^)).utf8)
        }
    }

    @Test("Damaged streams of receivers end in fixes on the earth or in nothing")
    func damagedStreams() throws {
        let seeds = try ["neo-m8n", "saab-r4", "humminbird-M37", "beidou-bd", "gp-320fw-2019-04-07-coldboot"]
            .map { Array(try Data(contentsOf: Repository.file("data/nmea/\($0).nmea"))) }
        var isRepaired = false
        Mutator.run(seeds, count: 1500) { bytes in
            isRepaired.toggle()
            for fix in NMEA.fixes(isRepaired ? repaired(bytes) : bytes) {
                let isSound =
                    abs(fix.latitude) <= 90 && abs(fix.longitude) <= 180 && fix.realMicroseconds >= 0
                    && fix.horizontalAccuracy >= 0 && fix.speed < 1100 && fix.course < 360
                if !isSound { Issue.record("\(fix) from \(bytes)") }
            }
        }
    }
}
