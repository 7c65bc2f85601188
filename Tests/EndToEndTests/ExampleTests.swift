import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The programs of examples/, as somebody who writes a client would run them.
    struct ExampleTests {
        private func daemon(_ bus: PrivateBus) throws -> (DaemonProcess, String) {
            let recording = try TurningPhone(heading: { 100 + 5 * $0 }).write()
            return (
                try DaemonProcess(bus, ["--replay", recording, "--loop", "--place", "47.377,8.542,408"]), recording
            )
        }

        /// Degrees at the beginning of lines such as "103.7 true, within 2 degrees".
        private func shown(_ lines: [String]) -> [Double] {
            lines.filter { $0.contains(" true") }.compactMap { $0.split(separator: " ").first.flatMap { Double($0) } }
        }

        /// The phone turns from 100° at 5°/s; the declination there is 3.7° east (WMM2025).
        private func expectTurning(_ headings: [Double]) {
            #expect(headings.allSatisfy { $0 > 103 && $0 < 205 })
            #expect(headings == headings.sorted())
        }

        @Test(.needs(.pythonModule("gi"))) func `The one in Python follows the heading, over a restart of the service`()
            throws
        {
            let bus = try PrivateBus()
            var (service, recording): (DaemonProcess?, String) = try daemon(bus)
            defer { unlink(recording) }
            let example = try ChildProcess(
                "/usr/bin/python3", [Repository.file("examples/heading.py").path, "session"],
                environment: bus.environment)
            expectTurning(try example.wait("three headings") { shown($0).count >= 3 ? shown($0) : nil })
            service?.process.stop()
            try example.waitForError(containing: "waiting for it")
            let before = example.outputLines.count
            service = try DaemonProcess(bus, ["--replay", recording, "--loop", "--place", "47.377,8.542,408"])
            _ = try example.wait("headings again") { shown(Array($0.dropFirst(before))).count >= 2 ? true : nil }
            #expect(service?.process.isRunning == true)
        }

        @Test(.needs(.program("cc")), .needs(.program("pkg-config")))
        func `The one in C builds without a warning and follows the heading`() throws {
            let bus = try PrivateBus()
            let (service, recording) = try daemon(bus)
            let program = NSTemporaryDirectory() + "heading-\(UUID().uuidString.prefix(8))"
            defer {
                unlink(recording)
                unlink(program)
            }
            // The command is that of the file's first lines, warnings added.
            let build = try Command.run(
                "/bin/sh",
                [
                    "-c", "cc -Wall -Wextra -Werror -o \"$1\" \"$2\" $(pkg-config --cflags --libs libsystemd)", "sh",
                    program, Repository.file("examples/heading.c").path,
                ])
            try #require(build.status == 0, "\(build.errors)")
            let example = try ChildProcess(program, ["session"], environment: bus.environment)
            expectTurning(try example.wait("three headings") { shown($0).count >= 3 ? shown($0) : nil })
            #expect(service.process.isRunning)
        }

        @Test(.needs(.program("busctl")), .needs(.program("gdbus")))
        func `The one in shell shows what is there while a program uses the compass, and switches nothing on`() throws {
            let bus = try PrivateBus()
            let (service, recording) = try daemon(bus)
            defer { unlink(recording) }
            let client = try OutsideClient(bus)
            let example = try ChildProcess(
                "/bin/bash", [Repository.file("examples/heading.sh").path, "session"], environment: bus.environment)
            let session = try client.openSession()
            try client.call(session, "org.locateme.Heading1", "Start")
            let headings = try example.wait("two headings", seconds: 60) { shown($0).count >= 2 ? shown($0) : nil }
            expectTurning(headings)
            // It looks on: when the program has gone, the sensors are off.
            try client.call(session, "org.locateme.Session1", "Close")
            #expect(try client.property("/org/locateme/compass", "org.locateme.Compass1", "Rate") as? Double == 0)
            #expect(example.isRunning)
            #expect(service.process.isRunning)
        }

        @Test(.needs(.pythonModule("dbusmock")), .needs(.program("gdbus")))
        func `Clients of the mock see what a test tells it, as they would see the service`() throws {
            let bus = try PrivateBus()
            let mock = try MockService(
                bus, template: Repository.file("examples/dbusmock/org_locateme.py").path, name: "org.locateme")
            func tell(_ member: String, _ arguments: String...) throws {
                try mock.call("org.locateme", "/org/locateme", member, arguments)
            }
            func headingctl(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
                let run = try Command.run(
                    BuiltProducts.executable("headingctl"), arguments + ["--bus", bus.address],
                    environment: bus.environment)
                return (run.status, run.output, run.errors)
            }
            try tell("SetHeading", "123.4", "126.5", "4")
            try tell("SetPlace", "47.377", "8.542", "12")
            #expect(try headingctl("heading").output == "123.4\n")
            #expect(try headingctl("heading", "--true").output == "126.5\n")
            let place = try headingctl("location", "--json").output
            #expect(place.contains(#""latitude":47.377,"longitude":8.542,"accuracy_m":12"#))
            let status = try headingctl("status", "--json")
            #expect(status.status == 0, "\(status.errors)")
            for part in [#""magnetic":123.4"#, "mock/magnetometer", #""findings":[]"#] {
                #expect(status.output.contains(part), "\(part) in \(status.output)")
            }
            // The example in Python is a client like others.
            let example = try ChildProcess(
                "/usr/bin/python3", [Repository.file("examples/heading.py").path, "session"],
                environment: bus.environment)
            _ = try example.wait("heading") { $0.first { $0 == "126.5 true, within 4 degrees" } }
            try tell("LoseHeading", "unplugged")
            _ = try example.wait("loss") { $0.first { $0 == "lost: unplugged" } }
            let stranger = try OutsideClient(bus)
            try stranger.call(
                "/org/locateme", "org.freedesktop.DBus.Mock", "SetHeading", "(ddd)", "(10.0, -1.0, 7.0)")
            _ = try example.wait("heading again") { $0.first { $0 == "10.0 magnetic, within 7 degrees" } }
            // Sessions are their owner's, and end with it.
            let refusal = try stranger.refusal("/org/locateme/session/mock1", "org.locateme.Heading1", "Start")
            #expect(refusal?.name.contains("UnknownMethod") == true || refusal?.name.hasSuffix("AccessDenied") == true)
            try tell("DenyPlaces", "true")
            let denied = try headingctl("location")
            #expect(denied.status == 4 && denied.errors.contains("not permitted"))
            example.stop()
            let limit = Date(timeIntervalSinceNow: 30)
            while try stranger.property("/org/locateme", "org.locateme.Manager1", "InUse") as? Bool == true {
                try #require(Date() < limit, "a session outlives its owner")
            }
        }
    }
}
