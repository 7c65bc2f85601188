import Foundation
import TestSupport
import Testing

@Suite("Installation")
struct InstallationTests {
    @Test("What is installed into a folder is complete, fits the prefix, and is removed without a trace")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let destination = folder.path + "/image"
        let installed = try Staging.install(into: destination, prefix: "/opt/compass")
        #expect(installed.status == 0, "\(installed.errors)")

        let files = Set(try folder.files(below: "image"))
        let expected: Set<String> = [
            "opt/compass/bin/locatemed", "opt/compass/bin/headingctl", "opt/compass/lib/locateme/iio-access",
            "opt/compass/lib/udev/rules.d/70-locateme.rules", "opt/compass/lib/systemd/system/locatemed.service",
            "opt/compass/lib/sysusers.d/locateme.conf", "opt/compass/share/dbus-1/system-services/org.locateme.service",
            "etc/dbus-1/system.d/org.locateme.conf", "usr/share/polkit-1/actions/org.locateme.policy",
            "etc/udev/hwdb.d/61-locateme.hwdb",
            "opt/compass/share/man/man1/headingctl.1",
            "opt/compass/share/man/man8/locatemed.8", "opt/compass/share/bash-completion/completions/headingctl",
            "opt/compass/share/zsh/site-functions/_headingctl",
            "opt/compass/share/fish/vendor_completions.d/headingctl.fish", "opt/compass/share/locateme/manifest",
        ]
        #expect(expected.subtracting(files) == [])

        for file in files where file.hasSuffix(".service") || file.hasSuffix(".rules") {
            let text = try folder.text(of: "image/" + file)
            #expect(!text.contains("/usr/"), "\(file) still names a folder below /usr")
        }
        #expect(
            try folder.text(of: "image/opt/compass/lib/systemd/system/locatemed.service")
                .contains("ExecStart=/opt/compass/bin/locatemed\n"))

        let listed = try folder.text(of: "image/opt/compass/share/locateme/manifest").split(separator: "\n")
        #expect(Set(listed.filter { !$0.hasSuffix("/") }.map { String($0.dropFirst()) }) == files)

        // A stranger's file in a shared folder must survive.
        let stranger = destination + "/opt/compass/bin/other"
        try Data("x".utf8).write(to: URL(fileURLWithPath: stranger))
        let removed = try Staging.run(
            "scripts/uninstall", ["--destdir", destination, "--prefix", "/opt/compass"])
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(try folder.files(below: "image") == ["opt/compass/bin/other"])
    }

    @Test("Below /usr the bus policy goes where packages put it")
    func systemPrefix() throws {
        let folder = try TemporaryFolder()
        let installed = try Staging.install(into: folder.path + "/image", prefix: "/usr")
        #expect(installed.status == 0, "\(installed.errors)")
        let files = try folder.files(below: "image")
        #expect(files.contains("usr/share/dbus-1/system.d/org.locateme.conf"))
        #expect(!files.contains { $0.hasPrefix("etc/") })
    }

    @Test("Standing in for iio-sensor-proxy is installed on request, and installing without it undoes it")
    func sensorProxy() throws {
        let folder = try TemporaryFolder()
        let destination = folder.path + "/image"
        let plain = try Staging.install(into: destination, prefix: "/usr/local")
        #expect(plain.status == 0, "\(plain.errors)")
        let without = Set(try folder.files(below: "image"))
        let asked = try Staging.install(into: destination, prefix: "/usr/local", options: ["--sensor-proxy"])
        #expect(asked.status == 0, "\(asked.errors)")
        let added = Set(try folder.files(below: "image")).subtracting(without)
        #expect(
            added == [
                "etc/dbus-1/system.d/net.hadess.SensorProxy.locateme.conf",
                "usr/local/lib/systemd/system/locatemed.service.d/sensor-proxy.conf",
                "usr/local/lib/systemd/system/iio-sensor-proxy.service.d/locateme.conf",
                "usr/local/lib/udev/rules.d/71-locateme-sensor-proxy.rules",
                "usr/share/polkit-1/actions/net.hadess.SensorProxy.locateme.policy",
                "usr/share/polkit-1/rules.d/50-net.hadess.SensorProxy.locateme.rules",
            ])
        let unit = try folder.text(of: "image/usr/local/lib/systemd/system/locatemed.service.d/sensor-proxy.conf")
        #expect(unit.hasSuffix("ExecStart=\nExecStart=/usr/local/bin/locatemed --sensor-proxy\n"))
        let condition = try folder.text(
            of: "image/usr/local/lib/systemd/system/iio-sensor-proxy.service.d/locateme.conf")
        #expect(
            condition.contains(
                "ConditionPathExists=!/usr/local/lib/systemd/system/locatemed.service.d/sensor-proxy.conf\n"))
        let undone = try Staging.install(into: destination, prefix: "/usr/local")
        #expect(undone.status == 0, "\(undone.errors)")
        #expect(Set(try folder.files(below: "image")) == without)
        let removed = try Staging.run("scripts/uninstall", ["--destdir", destination])
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(try folder.files(below: "image") == [])
    }

    @Test("Installing twice and removing once leaves nothing")
    func twice() throws {
        let folder = try TemporaryFolder()
        let destination = folder.path + "/image"
        for _ in 0..<2 {
            let installed = try Staging.install(into: destination, prefix: "/usr/local")
            #expect(installed.status == 0, "\(installed.errors)")
        }
        let removed = try Staging.run("scripts/uninstall", ["--destdir", destination])
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(try folder.files(below: "image") == [])
    }

    @Test("Removing what is not there says so and fails")
    func nothingInstalled() throws {
        let folder = try TemporaryFolder()
        let removed = try Staging.run("scripts/uninstall", ["--destdir", folder.path])
        #expect(removed.status == 1)
        #expect(removed.errors.contains("nothing to remove"))
    }
}
