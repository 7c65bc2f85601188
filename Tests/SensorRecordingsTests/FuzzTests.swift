import SensorRecordings
import Testing

@Suite struct FuzzTests {
    /// Bytes that occur in recordings, and some that must not.
    static let alphabet = Array("0123456789.-+eE \n\r#abcdefghijklmnopqrstuvwxyz".utf8) + [0, 0x80, 0xc3, 0xff]

    @Test(arguments: UInt64(1)...12)
    func damagedRecordingsNeitherCrashNorRunBackward(seed: UInt64) {
        var random = SplitMix64(state: seed)
        let sound = Array(DecodingTests.example.utf8)
        for _ in 0..<150 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...30, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                let byte = Self.alphabet.randomElement(using: &random) ?? 0
                switch random.next() % 4 {
                case 0: bytes[index] = byte
                case 1: bytes.insert(byte, at: index)
                case 2: bytes.remove(at: index)
                default: bytes.removeSubrange(index..<min(bytes.count, index + Int(random.next() % 20)))
                }
            }
            let result = Recordings.decode(bytes)
            // What lines there are, the decoder accounts for: none of them vanishes without a word.
            let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
            if result.failure == nil {
                let silent = lines.dropFirst().filter { line in
                    line.isEmpty || line.first == UInt8(ascii: "#") || line == [0x0d]
                }
                #expect(result.records.count + result.defects.count >= lines.count - 1 - silent.count)
            }
            #expect(result.records.map(\.microseconds) == result.records.map(\.microseconds).sorted())
            let other = Recordings.decode(bytes) { offset in 1 + (offset &* 31 + Int(seed)) % 50 }
            #expect(String(describing: other) == String(describing: result))
        }
    }

    @Test(arguments: UInt64(100)...107)
    func noiseIsRefusedOrSkipped(seed: UInt64) {
        var random = SplitMix64(state: seed)
        for _ in 0..<100 {
            var bytes = random.next() & 1 == 0 ? Array("#lmrec 1\n".utf8) : []
            let hasVersion = !bytes.isEmpty
            for _ in 0..<Int.random(in: 0...2000, using: &random) {
                bytes.append(
                    random.next() & 1 == 0
                        ? UInt8(truncatingIfNeeded: random.next()) : Self.alphabet.randomElement(using: &random) ?? 0)
            }
            let result = Recordings.decode(bytes)
            #expect((result.failure == nil) == hasVersion)
        }
    }

    @Test(arguments: UInt64(200)...203)
    func whatSurvivesDamageIsReadBackTheSame(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        for _ in 0..<100 {
            var bytes = Array(DecodingTests.example.utf8)
            for _ in 0..<10 {
                bytes[Int.random(in: 10..<bytes.count, using: &random)] =
                    Self.alphabet.randomElement(using: &random) ?? 0
            }
            let first = Recordings.decode(bytes)
            var encoder = RecordingEncoder(header: first.header)
            for record in first.records { try encoder.append(record) }
            let second = Recordings.decode(encoder.bytes, mode: .strict)
            #expect(second.failure == nil)
            // A carriage return within a text is written as a space. Texts, because NaN members are unequal.
            func texts(_ result: Recordings.Result) -> [String] {
                result.records.map { "\($0.microseconds) \($0.content)".replacing("\\r", with: " ") }
            }
            #expect(texts(second) == texts(first))
        }
    }
}
