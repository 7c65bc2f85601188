import Testing

@testable import IIOSensors

struct ScanPaceTests {
    private func pauses(_ missing: ScanPace.Missing, _ count: Int) -> [Double] {
        var pace = ScanPace()
        return (0..<count).map { _ in Double(pace.pause(missing)) * 1e-6 }
    }

    @Test func `Another machine that does not answer is asked ever more seldom, at last every 30 seconds`() {
        #expect(pauses(.absent, 9) == [0.5, 1, 2, 4, 8, 16, 30, 30, 30])
    }

    @Test func `What fails on this machine is tried every second`() {
        #expect(pauses(.present, 5) == [0.5, 1, 1, 1, 1])
    }

    @Test func `What was refused is tried every second at first, and more seldom the longer that lasts`() {
        #expect(pauses(.refused(forMicroseconds: 2_000_000), 4) == [0.5, 1, 1, 1])
        #expect(pauses(.refused(forMicroseconds: 64_000_000), 6) == [0.5, 1, 2, 4, 4, 4])
        #expect(pauses(.refused(forMicroseconds: 3_600_000_000), 8).last == 30)
    }

    @Test func `After a return the next loss is tried soon`() {
        var pace = ScanPace()
        for _ in 0..<10 { _ = pace.pause(.absent) }
        pace.reset()
        #expect(pace.pause(.absent) == 500_000)
    }
}
