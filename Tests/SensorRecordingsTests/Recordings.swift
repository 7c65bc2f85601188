import SensorRecordings

/// Helpers that several suites use.
enum Recordings {
    /// Everything a recording holds, and what was wrong with it.
    struct Result: Equatable {
        var records: [Record] = []
        var header = RecordingHeader()
        var defects = RecordingDefectLog()
        var failure: RecordingDefect?
    }

    /// Decodes bytes that are fed in pieces.
    static func decode(
        _ bytes: [UInt8], mode: RecordingDecoder.Mode = .lenient, pieces: (_ offset: Int) -> Int = { _ in 4096 }
    ) -> Result {
        var decoder = RecordingDecoder(mode: mode)
        var result = Result()
        do throws(RecordingDefect) {
            var offset = 0
            while offset < bytes.count {
                let end = min(bytes.count, offset + max(1, pieces(offset)))
                decoder.feed(bytes.span.extracting(offset..<end))
                while let record = try decoder.next() { result.records.append(record) }
                offset = end
            }
            decoder.endInput()
            while let record = try decoder.next() { result.records.append(record) }
        } catch {
            result.failure = error
        }
        result.header = decoder.header
        result.defects = decoder.defects
        return result
    }

    static func decode(_ text: String, mode: RecordingDecoder.Mode = .lenient) -> Result {
        decode(Array(text.utf8), mode: mode)
    }

    /// Decodes lines after `#lmrec 1`.
    static func decode(lines: [String], mode: RecordingDecoder.Mode = .lenient) -> Result {
        decode("#lmrec 1\n" + lines.map { $0 + "\n" }.joined(), mode: mode)
    }
}

/// SplitMix64 (S. Vigna, prng.di.unimi.it/splitmix64.c, public domain): the same numbers for the same seed.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
