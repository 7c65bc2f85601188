import Testing

@testable import IIOSensors

struct FailedSensorsTests {
    private static let second: Int64 = 1_000_000

    /// Seconds of the day at which another of two magnetometers that both fail is used, looked at every second.
    private func changes(seconds: Int64, broken: Set<String>) -> [Int64] {
        var failed = FailedSensors()
        var chosen = "a"
        var times: [Int64] = []
        failed.begin(at: 0)
        for second in 1...seconds {
            let other = chosen == "a" ? "b" : "a"
            let trouble = broken.contains(chosen) ? "it fails" : nil
            if failed.update(chosen, trouble: trouble, rivals: [other], at: second * Self.second) {
                #expect(failed.reasons == [chosen: "it fails"])
                chosen = other
                times.append(second)
            }
        }
        return times
    }

    @Test func `A magnetometer that fails for five seconds is replaced once and for all`() {
        #expect(changes(seconds: 3600, broken: ["a"]) == [6])
    }

    @Test func `Two that both fail take turns, each time after twice as long, at last every five minutes`() {
        let times = changes(seconds: 3600, broken: ["a", "b"])
        let pauses = zip(times.dropFirst(), times).map { $0 - $1 }
        // One second each to see that it fails.
        #expect(pauses.prefix(7) == [11, 21, 41, 81, 161, 321, 321])
    }

    @Test func `Short troubles, one after the other, replace nothing`() {
        var failed = FailedSensors()
        for second in 1...3600 {
            let trouble = second % 5 == 0 ? nil : "it fails"
            let isChange = failed.update("a", trouble: trouble, rivals: ["b"], at: Int64(second) * Self.second)
            #expect(!isChange)
        }
        #expect(failed.reasons.isEmpty)
    }

    @Test func `The only magnetometer is not given up`() {
        var failed = FailedSensors()
        for second in 1...100 {
            let isChange = failed.update("a", trouble: "it fails", rivals: [], at: Int64(second) * Self.second)
            #expect(!isChange)
        }
    }

    @Test func `One that is gone, and all after ten minutes without need, get another chance`() {
        var failed = FailedSensors()
        _ = failed.update("a", trouble: "it fails", rivals: ["b"], at: 0)
        _ = failed.update("a", trouble: "it fails", rivals: ["b"], at: 5 * Self.second)
        #expect(failed.reasons == ["a": "it fails"])
        failed.begin(at: 500 * Self.second)
        #expect(!failed.reasons.isEmpty)
        var unplugged = failed
        unplugged.keep(["b"])
        #expect(unplugged.reasons.isEmpty)
        failed.begin(at: 1100 * Self.second)
        #expect(failed.reasons.isEmpty)
    }
}
