import Foundation
import LocateMeModel
import NMEASentences
import TestSupport
import Testing

@testable import PositionSources

/// Every log of data/nmea through the real gpsd, fed by its own gpsfake, beside the same log read straight.
/// `LOCATEME_NMEA_LOGS` names another folder with logs.
@Suite(.serialized, .ownThread, .needs(.program("gpsd")), .needs(.program("gpsfake"))) struct GpsfakeTests {
    static let folder = ProcessInfo.processInfo.environment["LOCATEME_NMEA_LOGS"] ?? Repository.file("data/nmea").path
    static let logs = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        .filter { $0.hasSuffix(".nmea") }.map { String($0.dropLast(5)) }.sorted()

    /// Moments that only one of the two ways has. gpsd says nothing of moments while it still learns which sentence ends a
    /// cycle, and of one that ends the log; of the demonstration of garmin-geko201 it believes two before it notices.
    static let differences: [String: (onlyStraight: Int, onlyGpsd: Int)] = [
        "bundg_zeus_9": (0, 1), "garmin-geko201": (0, 2), "gp-320fw-2019-04-06-overflow": (1, 0), "haicom-305N": (1, 0),
        "humminbird-M37": (2, 0), "neo-m8n": (1, 0),
    ]

    /// What our client makes of what the real gpsd says.
    private func throughGpsd(_ log: String) throws -> (fixes: [Fix], reports: [Fix]) {
        let program = try #require(Requirement.path(of: "gpsfake"))
        let port = try Self.freePort()
        let run = try Command.run(
            program,
            [
                "-1", "-q", "-p", "-P", "\(port)", "-c", "0.004", "-r", #"?WATCH={"enable":true,"json":true};"#,
                "\(Self.folder)/\(log).nmea",
            ])
        try #require(run.output.contains(#""class":"VERSION""#), "gpsfake: \(run.errors)")
        var decoder = GpsdDecoder()
        var epoch = FixEpoch()
        var fixes: [Fix] = []
        var reports: [Fix] = []
        var boot: Int64 = 0
        for line in run.output.utf8.split(separator: 10) where line.first == UInt8(ascii: "{") {
            guard case .report(let report) = decoder.decode(Array(line)) else { continue }
            // The reports of one moment come within 200 ms, as from a receiver at 4800 baud.
            boot += 80_000
            if let deadline = epoch.deadline, boot >= deadline { fixes += [epoch.flush()].compactMap { $0 } }
            if let fix = report.fix(bootMicroseconds: boot) {
                reports.append(fix)
                fixes += epoch.add(fix)
            } else {
                fixes += [epoch.flush()].compactMap { $0 }
            }
        }
        return (fixes + [epoch.flush()].compactMap { $0 }, reports)
    }

    private func straight(_ log: String) throws -> [Fix] {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\(log).nmea")))
        var decoder = NMEADecoder()
        var assembler = NMEAEpochAssembler()
        var fixes: [Fix] = []
        func drain() { while let report = assembler.next() { if case .fix(let fix) = report { fixes.append(fix) } } }
        var index = 0
        while let sentence = decoder.next(in: bytes.span, from: &index) {
            assembler.take(sentence, bootMicroseconds: 0)
            drain()
        }
        if let sentence = decoder.finish() { assembler.take(sentence, bootMicroseconds: 0) }
        assembler.finish()
        drain()
        return fixes
    }

    /// Equal but for rollovers of the week number, which gpsd repairs in its way and the engine in its own.
    private static func isSameMoment(_ first: Fix, _ second: Fix) -> Bool {
        let rollover: Int64 = 1024 * 7 * 86_400 * 1_000_000
        let apart = abs(first.realMicroseconds - second.realMicroseconds) % rollover
        return min(apart, rollover - apart) <= 1000 || first.realMicroseconds == 0 || second.realMicroseconds == 0
    }

    private static func isSame(_ first: Fix, _ second: Fix) -> Bool {
        isSameMoment(first, second) && abs(first.latitude - second.latitude) <= 1e-6
            && abs(first.longitude - second.longitude) <= 1e-6
    }

    @Test(
        "Bar 4: the real gpsd and the straight way have the same moments at the same places, each once", arguments: logs
    )
    func sameFixes(log: String) throws {
        let (gpsd, reports) = try throughGpsd(log)
        let own = try straight(log)
        // A plotter's sentences of one moment may differ by decimetres: what gpsd has made of any of them will do.
        let onlyStraight = own.filter { fix in !reports.contains { Self.isSame($0, fix) } }
        let onlyGpsd = gpsd.filter { fix in
            !own.contains { one in
                Self.isSame(one, fix)
                    || fix.realMicroseconds != 0 && Self.isSameMoment(one, fix)
                        && reports.contains { Self.isSame($0, one) && Self.isSameMoment($0, fix) }
            }
        }
        let expected = Self.differences[log] ?? (0, 0)
        #expect(onlyStraight.count == expected.onlyStraight, "only straight: \(onlyStraight)")
        #expect(onlyGpsd.count == expected.onlyGpsd, "only gpsd: \(onlyGpsd)")
        for fixes in [gpsd, own] {
            for (one, next) in zip(fixes, fixes.dropFirst()) {
                #expect(one.realMicroseconds != next.realMicroseconds || one.realMicroseconds == 0)
            }
        }
        // The witness: gpsd itself tells many moments several times.
        #expect(reports.count >= gpsd.count)
    }

    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, size) == 0 && getsockname(descriptor, generic, &size) == 0
            }
        }
        try #require(isBound)
        return UInt16(bigEndian: address.sin_port)
    }
}
