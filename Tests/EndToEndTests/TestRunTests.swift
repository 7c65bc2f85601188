import Foundation
import TestSupport
import Testing

struct TestRunTests {
    @Test func `What a run has started ends with it, other processes do not, nor those of other runs`() throws {
        let mark = "test-\(UUID().uuidString)"
        let watcher = try TestRun.Watcher(mark: mark)
        func start(_ mark: String) throws -> (process: Process, child: Int32) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            // With a child that has left its session and hears of no terminal.
            process.arguments = ["-c", "setsid sleep 600 & echo $!; exec sleep 600"]
            process.environment = ["PATH": "/usr/bin:/bin", "LOCATEME_TEST_RUN": mark]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            return (process, try #require(Int32(line.trimmingCharacters(in: .whitespacesAndNewlines))))
        }
        func runs(_ process: Int32) -> Bool {
            let status = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            // Nobody may have reaped it yet.
            return !status.isEmpty && !status.contains(") Z ")
        }
        let own = try start(mark)
        let other = try start(mark + "-other")
        defer {
            for process in [other.child, other.process.processIdentifier] { kill(process, SIGKILL) }
            other.process.waitUntilExit()
        }
        #expect(runs(own.child) && runs(other.child))
        try watcher.letGo()
        own.process.waitUntilExit()
        #expect(!runs(own.child))
        #expect(runs(other.child) && other.process.isRunning)
    }
}
