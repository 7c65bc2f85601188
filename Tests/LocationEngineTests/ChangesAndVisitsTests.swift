import LocateMeModel
import LocationEngine
import Testing

@Suite struct ChangesAndVisitsTests {
    private let trace = Trace()

    @Test func `A10, X6, P15: 500 m beyond both accuracies and 300 s make a change, and the first place is told`() {
        var detector = SignificantChangeDetector()
        do {
            let isTold = detector.update(trace.fix(0, accuracy: 100))
            #expect(isTold)
        }
        do {
            let isTold = detector.update(trace.fix(299, north: 5000, accuracy: 10))
            #expect(!isTold, "too soon")
        }
        do {
            let isTold = detector.update(trace.fix(300, north: 600, accuracy: 10))
            #expect(!isTold, "600 - 100 - 10 < 500")
        }
        do {
            let isTold = detector.update(trace.fix(301, north: 611, accuracy: 10))
            #expect(isTold)
        }
        do {
            let isTold = detector.update(trace.fix(601, north: 1100, accuracy: 1))
            #expect(!isTold, "measured from the last told one")
        }
        do {
            let isTold = detector.update(trace.fix(602, north: 1123, accuracy: 1))
            #expect(isTold)
        }
    }

    @Test func `X13: a fix of 2 km accuracy can be a change`() {
        var detector = SignificantChangeDetector()
        _ = detector.update(trace.fix(0, accuracy: 1000))
        do {
            let isTold = detector.update(trace.fix(400, north: 4000, accuracy: 2000))
            #expect(isTold)
        }
    }

    @Test func `A visit begins after 300 s within 150 m, with the time of its first fix, and ends when left`() throws {
        var detector = VisitDetector()
        #expect(detector.update(trace.fix(0, north: -5000)) == nil)
        #expect(detector.update(trace.fix(100)) == nil)
        for second in stride(from: 110.0, to: 400, by: 10) {
            #expect(detector.update(trace.fix(second, north: second.truncatingRemainder(dividingBy: 40))) == nil)
        }
        let visitFound = detector.update(trace.fix(400))
        let visit = try #require(visitFound)
        #expect(visit.arrival == Trace.start + 100_000_000)
        #expect(visit.isOpen)
        #expect(detector.current == visit)
        #expect(detector.update(trace.fix(500, north: 140)) == nil)
        #expect(detector.update(trace.fix(510, north: 400, accuracy: 300)) == nil, "not certain")
        let endedFound = detector.update(trace.fix(520, north: 200))
        let ended = try #require(endedFound)
        #expect(ended.arrival == visit.arrival)
        #expect(ended.departure == Trace.start + 520_000_000)
        #expect(ended.latitude == visit.latitude)
        #expect(detector.current == nil)
    }

    @Test func `A visit that had begun before anybody looked has no arrival time`() throws {
        var detector = VisitDetector()
        var visit: Visit?
        for second in stride(from: 0.0, through: 300, by: 60) { visit = detector.update(trace.fix(second)) }
        #expect(try #require(visit).arrival == .min)
    }

    @Test func `Passing by is no visit, and neither is a place known to 500 m`() {
        var detector = VisitDetector()
        for second in stride(from: 0.0, through: 900, by: 10) {
            #expect(detector.update(trace.fix(second, north: 1.4 * second)) == nil)
        }
        detector = VisitDetector()
        for second in stride(from: 0.0, through: 900, by: 10) {
            #expect(detector.update(trace.fix(second, accuracy: 500)) == nil)
        }
    }

    @Test func `A visit on the date line has its place there`() throws {
        let line = Trace(latitude: -16.8, longitude: 179.9999)
        var detector = VisitDetector()
        var visit: Visit?
        for second in stride(from: 0.0, through: 300, by: 60) {
            visit = detector.update(line.fix(second, east: second.truncatingRemainder(dividingBy: 120) == 0 ? 0 : 40))
        }
        let found = try #require(visit)
        #expect(abs(abs(found.longitude) - 180) < 0.001)
    }

    @Test func `A visit goes on over a restart`() {
        var detector = VisitDetector(
            current: Visit(arrival: 5, departure: .max, latitude: 47.4211, longitude: 10.9853, accuracy: 5))
        #expect(detector.update(trace.fix(0)) == nil)
        #expect(detector.update(trace.fix(10, north: 400))?.arrival == 5)
    }
}
