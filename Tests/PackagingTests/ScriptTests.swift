import Foundation
import TestSupport
import Testing

@Suite("Scripts")
struct ScriptTests {
    static let scripts = ["check-linkage", "demo", "install", "install-dependencies", "test", "uninstall"]

    @Test("Every script can be run and parses, and what is sourced cannot be run")
    func parses() throws {
        let folder = Repository.file("scripts")
        let there = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(there).isSuperset(of: Self.scripts))
        for name in there {
            let path = folder.appendingPathComponent(name).path
            #expect(FileManager.default.isExecutableFile(atPath: path) == (name != "common.sh"), "\(name)")
            guard try String(contentsOfFile: path, encoding: .utf8).hasPrefix("#!/bin/bash") else { continue }
            #expect(try Command.run("/bin/bash", ["-n", path]).status == 0, "\(name)")
        }
        #expect(try Command.run("/bin/bash", ["-n", Repository.file(".ci/run").path]).status == 0)
    }

    @Test("Every script explains itself", arguments: scripts)
    func help(name: String) throws {
        let help = try Staging.run("scripts/\(name)", ["--help"])
        #expect(help.status == 0)
        #expect(help.output.hasPrefix("Usage: scripts/\(name)"))
        #expect(help.errors == "")
    }

    @Test(
        "A wrong argument is refused with status 2 before anything happens",
        arguments: [
            ("demo", ["--four", "10"]), ("demo", ["--for", "ten"]), ("demo", ["--for"]), ("install", ["--prefx=/usr"]),
            ("install", ["--prefix"]), ("install", ["--prefix", "usr"]), ("uninstall", ["--destdir"]),
            ("install-dependencies", ["everything"]), ("check-linkage", []),
        ] as [(String, [String])])
    func wrongArgument(name: String, arguments: [String]) throws {
        let run = try Staging.run("scripts/\(name)", arguments)
        #expect(run.status == 2, "\(run.errors)")
        #expect(run.errors.contains("--help"))
    }

    @Test("The udev helper parses as plain sh")
    func helperParses() throws {
        #expect(try Command.run("/bin/sh", ["-n", Repository.file("udev/iio-access").path]).status == 0)
    }

    @Test("An ordinary user without sudo gets the command to run for missing packages", .needs(.root))
    func missingPackages() throws {
        // A dpkg-query that knows no package, and nothing else on PATH but the basics.
        let folder = try TemporaryFolder()
        try folder.write("#!/bin/sh\nexit 1\n", to: "bin/dpkg-query")
        for tool in ["bash", "sed", "grep", "id", "dirname", "basename", "env"] {
            let path = try #require(Requirement.path(of: tool))
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/bin/" + tool, withDestinationPath: path)
        }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.path + "/bin/dpkg-query")
        // The checkout may lie where other users cannot look, so the script runs from a copy.
        for name in ["install-dependencies", "common.sh"] {
            try FileManager.default.createDirectory(atPath: folder.path + "/scripts", withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: Repository.file("scripts/\(name)").path, toPath: folder.path + "/scripts/\(name)")
        }
        let run = try Command.run(
            try #require(Requirement.path(of: "setpriv")),
            ["--reuid=65534", "--regid=65534", "--clear-groups", folder.path + "/scripts/install-dependencies"],
            environment: ["PATH": folder.path + "/bin"])
        #expect(run.status == 1)
        #expect(run.errors.contains("apt-get install -y --no-install-recommends "))
        #expect(run.errors.contains("libiio-dev"))
    }
}
