import LocateMeModel

@testable import NMEASentences

/// Short ways through decoder and assembler.
enum NMEA {
    /// The sentences of a text.
    static func sentences(_ text: String, rule: NMEADecoder.ChecksumRule = .required) -> [NMEASentence] {
        var decoder = NMEADecoder(checksumRule: rule)
        return sentences(Array(text.utf8), &decoder)
    }

    static func sentences(_ bytes: [UInt8], _ decoder: inout NMEADecoder) -> [NMEASentence] {
        var sentences: [NMEASentence] = []
        var index = 0
        while let sentence = decoder.next(in: bytes.span, from: &index) { sentences.append(sentence) }
        if let sentence = decoder.finish() { sentences.append(sentence) }
        return sentences
    }

    /// What a text reports, read in one go.
    static func reports(_ bytes: [UInt8], rule: NMEADecoder.ChecksumRule = .required) -> [NMEAEpochAssembler.Report] {
        var decoder = NMEADecoder(checksumRule: rule)
        var assembler = NMEAEpochAssembler()
        var reports: [NMEAEpochAssembler.Report] = []
        for sentence in sentences(bytes, &decoder) {
            assembler.take(sentence, bootMicroseconds: 0)
            while let report = assembler.next() { reports.append(report) }
        }
        assembler.finish()
        while let report = assembler.next() { reports.append(report) }
        return reports
    }

    /// The fixes of a text, read in one go.
    static func fixes(_ text: String, rule: NMEADecoder.ChecksumRule = .required) -> [Fix] {
        fixes(Array(text.utf8), rule: rule)
    }

    static func fixes(_ bytes: [UInt8], rule: NMEADecoder.ChecksumRule = .required) -> [Fix] {
        reports(bytes, rule: rule).compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
    }

    /// Bodies with `$`, checksum and line end around them.
    static func lines(_ bodies: String...) -> String { bodies.map(line).joined() }

    static func line(_ body: String) -> String {
        let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "$\(body)*\(sum.utf8.count < 2 ? "0" : "")\(sum)\r\n"
    }

    /// The headings of a text: degrees, and M or T for the north they count from.
    static func headings(_ text: String) -> [String] {
        sentences(text).compactMap { sentence in
            guard case .heading(let heading) = sentence else { return nil }
            switch heading {
            case .magnetic(let direction, _): return "\((direction.degrees * 10).rounded() / 10) M"
            case .trueNorth(let direction, _): return "\((direction.degrees * 10).rounded() / 10) T"
            }
        }
    }
}
