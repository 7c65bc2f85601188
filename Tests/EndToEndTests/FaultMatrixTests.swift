import Foundation
import TestSupport
import Testing

/// Every fault at every access of every sensor, on files that fail on demand: docs/sensors.md says what is to happen.
extension SensorEndToEnd {
    @Suite(.needsIIORig(), .needs(.fuse))
    struct FaultMatrixTests {
        /// `LOCATEME_FULL=1` in the environment: all cells and the limits that hold on a machine with nothing else to do,
        /// of the programs in `LOCATEME_BINARIES` if that is set.
        private static let isFull = ProcessInfo.processInfo.environment["LOCATEME_FULL"] == "1"

        /// Each fault at two of the twelve accesses of the sensors, and each of those with two faults.
        private static func isRepresentative(_ fault: Int, _ access: Int, _ kind: Int) -> Bool {
            (fault + 3 * access + kind) % 6 == 0
        }

        @Test func `The documented outcomes are those that are tested`() throws {
            let text = try String(contentsOf: Repository.file("docs/sensors.md"), encoding: .utf8)
            #expect(text.contains(FaultMatrix.markdown), "docs/sensors.md lacks\n\(FaultMatrix.markdown)")
        }

        @Test func `A fault has its documented outcome, holds nothing else up, and is forgotten soon after its end`()
            throws
        {
            let columns = FaultMatrix.Kind.allCases.flatMap { kind in [false, true].map { (kind, $0) } }
            let lock = NSLock()
            nonisolated(unsafe) var failures: [String] = []
            nonisolated(unsafe) var lines: [String] = []
            nonisolated(unsafe) var answers: [Double] = []
            // Sound: touched with the lock held, and read after all have ended.
            Threads.each(columns.count) { index in
                let (kind, isBuffered) = columns[index]
                do {
                    let column = try FaultMatrixColumn(kind, isBuffered: isBuffered)
                    defer { column.end() }
                    let accesses: [FaultMatrix.Access] =
                        isBuffered ? [.bufferEnable, .bufferRead] : [.attributeRead, .rateWrite]
                    for access in accesses {
                        for (number, fault) in FaultMatrix.Fault.all.enumerated() {
                            let expected = FaultMatrix.outcome(access, fault.name, kind)
                            let place = FaultMatrix.Access.allCases.firstIndex(of: access) ?? 0
                            guard expected != .none,
                                Self.isFull || Self.isRepresentative(number, place, kind.rawValue)
                            else { continue }
                            let name = "\(kind), \(access.rawValue), \(fault.name)"
                            let seen = try column.run(access, fault, expected)
                            lock.withLock {
                                failures += seen.wrong.map { "\(name): \($0), not \(expected)" }
                                // On a busy machine only what waits for a longer pause shows.
                                let limit = Self.isFull ? 2.0 : 15.0
                                if seen.recovery > limit { failures.append("\(name): back after \(seen.recovery) s") }
                                lines.append(
                                    "\(name): told after \(Self.text(seen.toldAfter)) s, back after \(Self.text(seen.recovery)) s"
                                )
                            }
                        }
                    }
                    let share = column.processorShare
                    lock.withLock {
                        answers += column.answerSeconds
                        lines.append(
                            "\(kind), \(isBuffered ? "buffered" : "polled"): \(Self.text(share * 100)) % of a processor"
                        )
                        if Self.isFull, share > 0.05 { failures.append("\(kind): \(share) of a processor") }
                    }
                } catch {
                    lock.withLock { failures.append("\(kind), \(isBuffered ? "buffered" : "polled"): \(error)") }
                }
            }
            answers.sort()
            let median = answers.isEmpty ? 0 : answers[answers.count / 2]
            let late = answers.count { $0 > 0.02 }
            lines.append(
                "\(answers.count) answers, median \(Self.text(median * 1000)) ms, \(late) above 20 ms, slowest \(Self.text((answers.last ?? 0) * 1000)) ms"
            )
            if Self.isFull { print(lines.sorted().joined(separator: "\n")) }
            #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
            // What waits for a device waits for 300 ms at least; what is seen here besides is the processor's load.
            #expect(median < 0.02)
            #expect(late * 20 <= answers.count || late == 0, "\(lines.last ?? "")")
        }

        private static func text(_ number: Double) -> String { String(format: "%.2f", number) }
    }
}
