import Testing

@testable import LocateMeDaemon

struct SessionIdentifierTests {
    @Test func `Identifiers are 32 hexadecimal digits and read back`() throws {
        let identifier = SessionIdentifier()
        let text = identifier.description
        #expect(text.count == 32)
        #expect(text.allSatisfy { "0123456789abcdef".contains($0) })
        #expect(SessionIdentifier(text) == identifier)
    }

    @Test func `A thousand identifiers are all different and use all digits`() {
        let texts = Set((0..<1000).map { _ in SessionIdentifier().description })
        #expect(texts.count == 1000)
        // Each of the 128 bits is set in some and clear in others: chance of a false alarm 2 · 128 · 2^-1000.
        for digit in 0..<32 {
            let seen = Set(texts.map { Array($0)[digit] })
            #expect(seen.count == 16)
        }
    }

    @Test(arguments: [
        "", "0", "0123456789ABCDEF0123456789ABCDEF", "0123456789abcdef0123456789abcdefg",
        "0123456789abcdef0123456789abcde ",
    ])
    func `Other texts are none`(text: String) {
        #expect(SessionIdentifier(text) == nil)
    }
}
