import Foundation
import TestSupport
import Testing

@Suite("systemd files", .needs(.program("systemd-analyze")))
struct SystemdTests {
    /// The unit as it is, but starting a program that is there.
    private func unit(in folder: TemporaryFolder) throws -> String {
        let text = try String(contentsOf: Repository.file("systemd/locatemed.service"), encoding: .utf8)
        try folder.write(
            text.replacingOccurrences(of: "/usr/bin/locatemed", with: BuiltProducts.executable("locatemed")),
            to: "locatemed.service")
        return folder.path + "/locatemed.service"
    }

    @Test("systemd finds nothing wrong with the unit")
    func verify() throws {
        let folder = try TemporaryFolder()
        let analyze = try #require(Requirement.path(of: "systemd-analyze"))
        let run = try Command.run(analyze, ["verify", "--man=no", try unit(in: folder)])
        #expect(run.status == 0)
        #expect(!run.errors.contains("locatemed.service:"), "\(run.errors)")
    }

    // 'systemd-analyze security' rates from 0 (closed) to 10; below 2 it says OK.
    @Test("The service's exposure is 1.5 at most")
    func exposure() throws {
        let folder = try TemporaryFolder()
        let analyze = try #require(Requirement.path(of: "systemd-analyze"))
        let run = try Command.run(
            analyze, ["security", "--offline=true", "--threshold=15", "--no-pager", try unit(in: folder)])
        #expect(run.status == 0, "\(run.output.suffix(200))")
        #expect(run.output.contains("Overall exposure level"))
    }

    // What iio-sensor-proxy 3.9 switches on, and no less here.
    @Test(
        "The unit is at least as closed as its peer's",
        arguments: [
            "ProtectSystem=strict", "ProtectControlGroups=yes", "ProtectHome=yes", "ProtectKernelModules=yes",
            "PrivateTmp=yes", "MemoryDenyWriteExecute=yes", "RestrictRealtime=yes", "RestrictAddressFamilies=",
            "NoNewPrivileges=yes", "User=locateme", "CapabilityBoundingSet=\n", "SystemCallFilter=@system-service",
            "DevicePolicy=closed",
        ])
    func hardening(line: String) throws {
        let text = try String(contentsOf: Repository.file("systemd/locatemed.service"), encoding: .utf8)
        #expect(text.contains("\n" + line))
    }

    @Test("systemd-sysusers creates the user and group", .needs(.root))
    func user() throws {
        let folder = try TemporaryFolder()
        for name in ["etc/passwd", "etc/group"] { try folder.write("", to: name) }
        let sysusers = try #require(Requirement.path(of: "systemd-sysusers"))
        let run = try Command.run(
            sysusers, ["--root=\(folder.path)", Repository.file("systemd/sysusers.conf").path])
        #expect(run.status == 0, "\(run.errors)")
        let user = try folder.text(of: "etc/passwd").split(separator: "\n").first { $0.hasPrefix("locateme:") }
        #expect(user?.hasSuffix(":/var/lib/locateme:/usr/sbin/nologin") == true, "\(String(describing: user))")
        #expect(try folder.text(of: "etc/group").contains("locateme:"))
    }
}
