import LocateMeModel
import LocationEngine
import Testing

@Suite struct ReducedAccuracyTests {
    private let trace = Trace()
    private let hour: Int64 = 3_600_000_000

    private func coarse(_ fixes: [Fix], secret: UInt64 = 7) -> [Fix] {
        var reducer = ReducedAccuracy(secret: secret, beginning: Trace.start)
        return fixes.map { reducer.coarsen($0, now: $0.realMicroseconds, boot: $0.bootMicroseconds) }
    }

    @Test func `Speed, course, height and satellites are taken away, 3 km are said`() {
        var exact = trace.fix(0, speed: 3)
        (exact.course, exact.altitude, exact.verticalAccuracy, exact.satellites) = (12, 500, 5, 9)
        let fix = coarse([exact])[0]
        #expect(fix.speed == -1 && fix.course == -1 && fix.verticalAccuracy == -1 && fix.satellites == -1)
        #expect(fix.source.isEmpty)
        #expect(fix.horizontalAccuracy == 3000)
        #expect(fix.flags.contains(.reduced))
        #expect(fix.realMicroseconds == exact.realMicroseconds)
    }

    @Test func `The same cell gives the same answer, however often it is asked and wherever in it one stands`() {
        let answers = coarse((0..<300).map { trace.fix(Double($0), north: Double($0 % 7)) })
        #expect(Set(answers.map(\.latitude)).count == 1)
        #expect(Set(answers.map(\.longitude)).count == 1)
    }

    @Test func `The true place is within 3 km for at least 68 per cent of secrets, and seldom within 100 m`() {
        let distances = (0..<400).map { secret in
            coarse([trace.fix(0)], secret: UInt64(secret) &* 0x9e37_79b9)[0].metres(to: trace.fix(0))
        }
        #expect(distances.filter { $0 <= 3000 }.count >= 272)
        #expect(distances.filter { $0 < 100 }.count <= 8)
        #expect(distances.max() ?? 0 < 6000)
    }

    @Test func `A new answer comes at most each 10 minutes`() {
        // 30 m/s straight on: a new cell each 67 s.
        let answers = coarse((0..<3600).map { trace.fix(Double($0), north: 30 * Double($0)) })
        var changes: [Int] = []
        for second in answers.indices.dropFirst() where answers[second].latitude != answers[second - 1].latitude {
            changes.append(second)
        }
        #expect(!changes.isEmpty)
        #expect(zip(changes, changes.dropFirst()).allSatisfy { $1 - $0 >= 600 })
        #expect(changes.count <= 6)
    }

    @Test func `The offset walks slowly, keeps its spread, and is the same after a restart`() {
        var reducer = ReducedAccuracy(secret: 9, beginning: Trace.start)
        let boot = Int64(1) << 50
        var latitudes: Set<Double> = []
        for hours in 0..<2000 as Range<Int64> {
            let fix = trace.fix(0)
            latitudes.insert(
                reducer.coarsen(fix, now: Trace.start + hours * hour, boot: boot + hours * hour).latitude)
        }
        #expect(latitudes.count > 1, "it walks")
        #expect(latitudes.count < 8, "it stays: ±2250 m is three cells")
        var again = ReducedAccuracy(secret: 9, beginning: Trace.start)
        let now = Trace.start + 1999 * hour
        let restarted = again.coarsen(trace.fix(0), now: now, boot: boot)
        let running = reducer.coarsen(trace.fix(0), now: now, boot: boot + 2000 * hour)
        #expect(restarted == running)
    }

    @Test func `Another secret gives another offset`() {
        let places = (0..<20).map { coarse([trace.fix(0)], secret: UInt64($0))[0].latitude }
        #expect(Set(places).count > 1)
    }

    @Test(arguments: [(90.0, 0.0), (-90, 12), (0, 180), (-16.8, -179.999), (89.999, -120)])
    func `Poles and the date line give places on earth`(latitude: Double, longitude: Double) {
        let fix = coarse([Trace(latitude: latitude, longitude: longitude).fix(0)])[0]
        #expect(abs(fix.latitude) <= 90)
        #expect(fix.longitude >= -180 && fix.longitude < 180)
        #expect(fix.metres(to: Trace(latitude: latitude, longitude: longitude).fix(0)) < 6000)
    }
}
