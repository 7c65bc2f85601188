import Foundation
import TestSupport
import Testing

@testable import HeadingControl

@Suite("The program")
struct ProgramTests {
    static let path = BuiltProducts.executable("headingctl")

    private static func bash(_ script: String) throws -> TestSupport.Command {
        try TestSupport.Command.run(
            "/bin/bash", ["-c", "set -o pipefail; headingctl=\(path); \(script)"],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus", "NO_COLOR": "1"])
    }

    @Test("ends quietly with status 0 when the reader of its output has seen enough")
    func closedReader() throws {
        for command in ["simulate - --for 100s", "declination --input <(yes '2026 47 8 0')", "--help"] {
            let result = try Self.bash("$headingctl \(command) | head -n 1")
            #expect(result.status == 0 && result.errors.isEmpty, "\(command): \(result.errors)")
            #expect(!result.output.isEmpty)
        }
    }

    @Test("says that the disk is full, with status 1")
    func fullDisk() throws {
        for command in ["simulate -", "declination 47 8", "--help", "completion bash"] {
            let result = try Self.bash("$headingctl \(command) > /dev/full")
            #expect(
                result.status == 1 && result.errors.contains("No space left on device"), "\(command): \(result.errors)")
        }
    }

    @Test("works in a pipeline on standard input and output")
    func pipeline() throws {
        let result = try Self.bash(
            "$headingctl simulate --walk turn --perfect --start 2026-07-01T00:00:00Z | $headingctl estimate - --rate 1 | tail -n 1"
        )
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(result.output.split(separator: ",").count == 14)
    }

    @Test(
        "ends with status 3 without a bus or a service",
        arguments: [
            "status", "watch", "heading", "heading --follow", "location", "location -f", "status --json",
        ])
    func noBus(command: String) throws {
        let result = try Self.bash("$headingctl \(command)")
        #expect(result.status == 3 && result.output.isEmpty)
        #expect(result.errors.contains("/nowhere/bus"), "\(result.errors)")
        if command.contains("--json") {
            #expect(
                (try JSONSerialization.jsonObject(with: Data(result.errors.utf8)) as? [String: Any])?["error"] != nil)
        }
    }

    @Test("ends with status 3 where the bus has no service")
    func noService() throws {
        let bus = try PrivateBus()
        for command in ["status", "watch", "heading --wait 1s", "location --wait 1s"] {
            let result = try Self.bash("$headingctl \(command) --bus '\(bus.address)'")
            #expect(result.status == 3 && result.output.isEmpty, "\(command): \(result.errors)")
            #expect(result.errors.contains("locatemed does not answer on the bus at"), "\(command): \(result.errors)")
        }
    }

    @Test("without arguments is watch on a terminal, and an error elsewhere")
    func noArguments() throws {
        #expect(try Self.bash("$headingctl < /dev/null").status == 2)
        let terminal = try Pseudoterminal(
            Self.path, [], environment: ["TERM": "xterm-256color", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus"])
        #expect(terminal.exitStatus() == 3)
        #expect(terminal.text.contains("/nowhere/bus") && !terminal.text.contains("\u{1B}[?1049h"))
    }

    @Test("runs without a locale, an environment or a home")
    func bareEnvironment() throws {
        let result = try TestSupport.Command.run(
            "/usr/bin/env", ["-i", Self.path, "declination", "47", "8", "0", "2026.5"])
        #expect(result.status == 0 && result.output.contains("WMM-2025"))
        let german = try TestSupport.Command.run(
            Self.path, ["declination", "47", "8", "0", "2026.5"],
            environment: ["LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"])
        #expect(german.output == result.output)
    }
}
