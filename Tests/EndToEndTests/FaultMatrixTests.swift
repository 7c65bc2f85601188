import Foundation
import TestSupport
import Testing

/// Every fault at every access of every sensor, on files that fail on demand: docs/sensors.md says what is to happen. Cells
/// mostly wait, so the columns run beside one another, each in a thread, rig, bus and service of its own.
@Suite(.needsIIORig(), .needs(.fuse))
struct FaultMatrixTests {
    /// `LOCATEME_FULL=1` in the environment: all cells and the limits that hold on a machine with nothing else to do,
    /// of the programs in `LOCATEME_BINARIES` if that is set.
    private static let isFull = ProcessInfo.processInfo.environment["LOCATEME_FULL"] == "1"

    /// One access of one sensor.
    struct Column: Sendable, CustomTestStringConvertible {
        var kind: FaultMatrix.Kind
        var access: FaultMatrix.Access

        var testDescription: String { "\(kind), \(access.rawValue)" }

        static let all = FaultMatrix.Kind.allCases.flatMap { kind in
            FaultMatrix.Access.allCases.map { Column(kind: kind, access: $0) }
        }

        /// Each fault at two of the twelve columns, and each of those with two faults.
        func isRepresentative(_ fault: Int) -> Bool {
            let place = FaultMatrix.Access.allCases.firstIndex(of: access) ?? 0
            return (fault + 3 * place + kind.rawValue) % 6 == 0
        }
    }

    @Test func `The documented outcomes are those that are tested`() throws {
        let text = try String(contentsOf: Repository.file("docs/sensors.md"), encoding: .utf8)
        #expect(text.contains(FaultMatrix.markdown), "docs/sensors.md lacks\n\(FaultMatrix.markdown)")
    }

    @Test(arguments: Column.all)
    func `A fault has its documented outcome, holds nothing else up, and is forgotten soon after its end`(
        at column: Column
    ) async throws {
        let failures = try await Threads.one { try Self.run(column) }
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }

    /// What is not as it should be in a column, one line each.
    private static func run(_ place: Column) throws -> [String] {
        var failures: [String] = []
        let column = try FaultMatrixColumn(place.kind, place.access, holdSeconds: isFull ? 3 : 0)
        defer { column.end() }
        for (number, fault) in FaultMatrix.Fault.all.enumerated() {
            let expected = FaultMatrix.outcome(place.access, fault.name, place.kind)
            guard expected != .none, isFull || place.isRepresentative(number) else { continue }
            let name = "\(place.testDescription), \(fault.name)"
            let answersBefore = column.answers.count
            let seen = try column.run(fault, expected)
            failures += seen.wrong.map { "\(name): \($0), not \(expected)" }
            // On a busy machine only what waits for a longer pause shows.
            if seen.recovery > (isFull ? 2 : 15) { failures.append("\(name): back after \(seen.recovery) s") }
            guard isFull else { continue }
            if seen.processorShare > 0.05 { failures.append("\(name): \(seen.processorShare) of a processor") }
            let answers = column.answers[answersBefore...]
            failures += answers.filter { $0.seconds > 0.02 && $0.ownSeconds > 0.02 }
                .map { "\(name): an answer took \(milliseconds($0.ownSeconds))" }
            say("\(name): \(describe(seen)), slowest answer \(milliseconds(answers.map(\.seconds).max() ?? 0))")
        }
        let share = column.processorShare
        if isFull {
            if share > 0.05 { failures.append("\(place.testDescription): \(share) of a processor") }
            say("\(place.testDescription): \(describe(column.answers)); \(number(share * 100)) % of a processor")
        }
        // What waits for a device waits for 300 ms at least; what is seen here besides is the processor's load.
        let own = column.answers.map(\.ownSeconds).sorted()
        let late = own.count { $0 > 0.02 }
        if let median = own.isEmpty ? nil : own[own.count / 2], median > 0.02 || late * 20 > own.count + 20 {
            failures.append("\(place.testDescription): \(late) answers above 20 ms: \(describe(column.answers))")
        }
        return failures
    }

    private static func describe(_ seen: FaultMatrixColumn.Seen) -> String {
        "told after \(number(seen.toldAfter)) s, back after \(number(seen.recovery)) s, "
            + "\(number(seen.processorShare * 100)) % of a processor, \(number(seen.seconds)) s in all"
    }

    private static func describe(_ answers: [HeadingFollower.Answer]) -> String {
        func text(_ values: [Double]) -> String {
            let sorted = values.sorted()
            guard let last = sorted.last else { return "none" }
            return "p99 \(milliseconds(sorted[sorted.count * 99 / 100])), slowest \(milliseconds(last))"
        }
        return "\(answers.count) answers \(text(answers.map(\.seconds))); without the wait for a processor "
            + "\(text(answers.map(\.ownSeconds))); the bus alone \(text(answers.map(\.busSeconds)))"
    }

    /// As a cell ends, so that what is slow shows.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    private static func milliseconds(_ seconds: Double) -> String { "\(number(seconds * 1000)) ms" }
    private static func number(_ number: Double) -> String { String(format: "%.2f", number) }
}
