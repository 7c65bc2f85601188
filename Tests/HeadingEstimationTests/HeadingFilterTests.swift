import Foundation
import Geometry
import HeadingEstimation
import Testing

@Suite("Heading filter")
struct HeadingFilterTests {
    /// The documented rule, written a second time and differently: by the cosine of the turn instead of wrapped degrees.
    private func reference(_ headings: [Double], threshold: Double) -> [Int] {
        var passed: [Int] = []
        var last: Double?
        for (index, heading) in headings.enumerated() {
            let valid = heading >= 0
            var passes = threshold < 0 || last == nil
            if let last, !passes {
                passes = (last >= 0) != valid
                if valid, last >= 0 {
                    let turn = (heading - last) * Angle.radiansPerDegree
                    passes = turn.cosine <= (threshold * Angle.radiansPerDegree).cosine
                }
            }
            if passes {
                passed.append(index)
                last = heading
            }
        }
        return passed
    }

    @Test("Passes exactly what the reference passes", arguments: [-1.0, 0, 1, 5, 30, 179])
    func againstReference(threshold: Double) {
        var generator = SplitMix64(state: 5)
        var headings: [Double] = []
        var heading = 355.0
        for _ in 0..<2000 {
            heading = Angle.wrap360(heading + Double.random(in: -7...8, using: &generator))
            headings.append(Double.random(in: 0...1, using: &generator) < 0.05 ? -1 : heading)
        }
        var filter = HeadingFilter(thresholdDegrees: threshold)
        var passed: [Int] = []
        for index in headings.indices where filter.passes(headings[index]) { passed.append(index) }
        #expect(passed == reference(headings, threshold: threshold))
        #expect(passed.count > 3)
    }

    /// Which of some headings pass, in order.
    private func passing(_ filter: inout HeadingFilter, _ headings: Double...) -> [Bool] {
        var passed: [Bool] = []
        for heading in headings { passed.append(filter.passes(heading)) }
        return passed
    }

    @Test("A slow turn adds up")
    func slowTurn() {
        var filter = HeadingFilter(thresholdDegrees: 5)
        let passed = passing(&filter, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
        #expect(passed == [true, false, false, false, false, true, false, false, false, false, true])
    }

    @Test("North is no barrier")
    func wrap() {
        var filter = HeadingFilter(thresholdDegrees: 5)
        let passed = passing(&filter, 358, 2, 3)
        #expect(passed == [true, false, true])
    }

    @Test("A change of validity passes, a repeated invalid heading does not")
    func validity() {
        var filter = HeadingFilter()
        let passed = passing(&filter, -1, -1, .nan, 10, .infinity)
        #expect(passed == [true, false, false, true, true])
    }

    @Test("A new threshold lets nothing pass by itself and holds from then on")
    func change() {
        var filter = HeadingFilter(thresholdDegrees: 90)
        let before = passing(&filter, 0, 45)
        filter.thresholdDegrees = 5
        let last = filter.lastDelivered
        let after = passing(&filter, 45, 45)
        filter.thresholdDegrees = HeadingFilter.none
        let unfiltered = passing(&filter, 45, 45)
        #expect(before == [true, false])
        #expect(last == 0)
        #expect(after == [true, false])
        #expect(unfiltered == [true, true])
    }

    @Test("After a reset the next heading passes")
    func reset() {
        var filter = HeadingFilter()
        let before = passing(&filter, 1, 1)
        filter.reset()
        let after = passing(&filter, 1)
        #expect(before == [true, false])
        #expect(after == [true])
    }
}

extension Double {
    fileprivate var cosine: Double { Foundation.cos(self) }

    @Test("Nothing passes within the headroom, and what is beyond it does", arguments: [0.5, 5, 90])
    func headroom(threshold: Double) {
        var filter = HeadingFilter(thresholdDegrees: threshold)
        #expect(filter.headroomDegrees(from: 359) == 0)
        let isFirst = filter.passes(359)
        #expect(isFirst)
        let offered = Angle.wrap360(359 + threshold * 0.75)
        let passes = filter.passes(offered)
        #expect(!passes)
        let headroom = filter.headroomDegrees(from: offered)
        #expect(abs(headroom - threshold * 0.25) < 1e-9)
        for turn in [-0.99, 0.99] {
            var copy = filter
            let passes = copy.passes(Angle.wrap360(offered + turn * headroom))
            #expect(!passes)
        }
        var beyond = filter
        let goes = beyond.passes(Angle.wrap360(offered + 1.01 * headroom))
        #expect(goes)
        #expect(filter.headroomDegrees(from: -1) == 0 && filter.headroomDegrees(from: .nan) == 0)
        filter.thresholdDegrees = HeadingFilter.none
        #expect(filter.headroomDegrees(from: offered) == 0)
    }
}
