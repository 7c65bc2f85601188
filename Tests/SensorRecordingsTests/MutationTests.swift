import Foundation
import TestSupport
import Testing

@testable import SensorRecordings

@Suite struct MutationTests {
    @Test("Damaged recordings end in records in the order of time or in a reason")
    func damagedRecordings() {
        let more = """
            #lmrec 1
            #start 2026-07-01T12:00:00Z
            #device damaged
            #sensor magn ak8963 rate=100 resolution=0.15 calibrated=yes
            0 time 1781254800000000
            0 fix 47.3769 8.5417 4.5 408.1 6.0 1.42 0.3 87.5 4.0
            10000 magn 1.5 20.25 -40
            10000 accel 0 0 9.80665
            20000 nofix
            30000 event unplug magn

            """
        Mutator.run([Array(DecodingTests.example.utf8), Array(more.utf8)]) { bytes in
            let result = Recordings.decode(bytes)
            let times = result.records.map(\.microseconds)
            if times != times.sorted() { Issue.record("\(bytes)") }
        }
    }
}
