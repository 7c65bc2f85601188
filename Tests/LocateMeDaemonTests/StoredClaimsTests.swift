import Testing

@testable import LocateMeDaemon

struct StoredClaimsTests {
    @Test func `What is kept is read again`() throws {
        let kept = StoredClaims(
            bus: "f0e1", claims: [.init(kind: .compass, uniqueName: ":1.42"), .init(kind: .light, uniqueName: ":1.7")])
        #expect(kept.text == "f0e1\nCompass :1.42\nLight :1.7\n")
        #expect(StoredClaims(kept.text) == kept)
        let none = StoredClaims(bus: "f0e1", claims: [])
        #expect(StoredClaims(none.text) == none)
    }

    @Test(arguments: [
        "", "f0e1", "f0e1\nCompass :1.4", "f0e1\nCompass\n", "f0e1\nThermometer :1.4\n", "f0e1\nCompass org.example\n",
        "f0e1\nCompass :1.4 x\n", "f0e1\n\n", String(repeating: "Compass :1.4\n", count: 5000),
        "f0e1\nCompass :" + String(repeating: "1", count: 300) + "\n",
    ])
    func `Anything else is nothing`(text: String) { #expect(StoredClaims(text) == nil) }
}
