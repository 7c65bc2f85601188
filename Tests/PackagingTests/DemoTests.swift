import Foundation
import TestSupport
import Testing

@Suite("scripts/demo", .needs(.program("dbus-daemon")))
struct DemoTests {
    private static let binaries = URL(fileURLWithPath: BuiltProducts.executable("locatemed"))
        .deletingLastPathComponent()
        .path

    /// Processes that name the folder on their command line.
    private func processes(naming folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { entry in
            guard Int(entry) != nil, let line = FileManager.default.contents(atPath: "/proc/\(entry)/cmdline") else {
                return false
            }
            return String(decoding: line, as: UTF8.self).contains(folder.path)
        }
    }

    /// True once the condition holds, false after the time.
    private func wait(seconds: Double, until condition: () -> Bool) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while !condition() {
            if Date() > deadline { return false }
            usleep(20_000)
        }
        return true
    }

    /// Temporary files in the folder, what is kept for the next demo beside it.
    private static func environment(_ folder: TemporaryFolder) -> [String: String] {
        ["TMPDIR": folder.path, "XDG_CACHE_HOME": folder.path + ".cache"]
    }

    private func expectClean(_ folder: TemporaryFolder) throws {
        try? FileManager.default.removeItem(atPath: folder.path + ".cache")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        #expect(try processes(naming: folder) == [])
    }

    @Test("Without a terminal it prints a line per update, ends by itself with status 0 and leaves nothing")
    func piped() throws {
        let folder = try TemporaryFolder()
        let demo = try Staging.run(
            "scripts/demo", ["--for", "10", "--binaries", Self.binaries], environment: Self.environment(folder))
        #expect(demo.status == 0, "\(demo.errors)")
        let lines = demo.output.split(separator: "\n")
        #expect(lines.count >= 3, "\(demo.output)\(demo.errors)")
        #expect(!demo.output.contains("\u{1B}"))
        let learned = folder.path + ".cache/locateme/demo"
        #expect(FileManager.default.fileExists(atPath: learned), "nothing is kept for the next demo")
        for line in lines { #expect(line.contains { $0.isNumber }, "\(line)") }
        try expectClean(folder)
    }

    @Test("On a terminal it draws, and gives the terminal back as it was", .needs(.program("script")))
    func terminal() throws {
        let folder = try TemporaryFolder()
        let script = try #require(Requirement.path(of: "script"))
        let command =
            "stty rows 24 cols 80; '\(Repository.file("scripts/demo").path)' --for 3 --binaries '\(Self.binaries)'; s=$?; stty -a; exit $s"
        let demo = try Command.run(
            script, ["-qec", command, "/dev/null"],
            environment: Self.environment(folder).merging(["TERM": "xterm-256color"]) { $1 })
        #expect(demo.status == 0, "\(demo.output.suffix(500))")
        #expect(demo.output.contains("\u{1B}["))
        // The cursor is shown again, characters are echoed and lines edited again.
        let shown = try #require(demo.output.range(of: "\u{1B}[?25h", options: .backwards))
        if let hidden = demo.output.range(of: "\u{1B}[?25l", options: .backwards) {
            #expect(hidden.lowerBound < shown.lowerBound)
        }
        let settings = demo.output[shown.upperBound...].split { $0.isWhitespace || $0 == ";" }
        #expect(settings.contains("echo"))
        #expect(settings.contains("icanon"))
        try expectClean(folder)
    }

    @Test("Ended from outside it takes everything with it", arguments: [SIGTERM, SIGINT, SIGHUP])
    func signals(signal: Int32) throws {
        let folder = try TemporaryFolder()
        // A shell cannot trap what it was started to ignore, as a test run in the background is.
        let demo = try Command.start(
            try #require(Requirement.path(of: "env")),
            [
                "--default-signal=INT,TERM,HUP", Repository.file("scripts/demo").path, "--binaries", Self.binaries,
            ], environment: Self.environment(folder))
        #expect(wait(seconds: 30) { !demo.outputSoFar.isEmpty || demo.isFinished }, "\(demo.errorsSoFar)")
        demo.signal(signal)
        if !wait(seconds: 30, until: { demo.isFinished }) {
            Issue.record("signal \(signal) did not end it")
            demo.signal(SIGTERM)
        }
        let ended = demo.wait()
        #expect(ended.status == (signal == SIGINT ? 0 : 128 + signal), "\(ended.errors)")
        #expect(ended.output != "")
        try expectClean(folder)
    }

    @Test("A recording that cannot be read is named before anything is built or started")
    func noRecording() throws {
        let folder = try TemporaryFolder()
        let demo = try Staging.run("scripts/demo", ["/nonexistent/walk.lmrec"], environment: Self.environment(folder))
        #expect(demo.status == 1)
        #expect(demo.errors.contains("/nonexistent/walk.lmrec"))
        try expectClean(folder)
    }

    @Test("A recording that is none makes the daemon say so, and nothing stays")
    func garbage() throws {
        let folder = try TemporaryFolder()
        let files = try TemporaryFolder()
        try files.write("not a recording\n", to: "walk.lmrec")
        let demo = try Staging.run(
            "scripts/demo", ["--for", "2", "--binaries", Self.binaries, files.path + "/walk.lmrec"],
            environment: Self.environment(folder))
        #expect(demo.status == 1)
        #expect(demo.errors.contains("walk.lmrec"))
        try expectClean(folder)
    }
}
