import Foundation
import TestSupport
import Testing

extension EndToEnd {
    struct LifecycleTests {
        private func locatemed(_ arguments: [String], environment: [String: String] = [:]) throws -> Command {
            try Command.run(BuiltProducts.executable("locatemed"), arguments, environment: environment)
        }

        @Test func `Version and help are printed without a bus`() throws {
            let version = try locatemed(["--version"])
            #expect(version.status == 0)
            #expect(version.output.hasPrefix("locatemed "))
            let help = try locatemed(["--help"])
            #expect(help.status == 0)
            #expect(help.output.contains("--replay FILE.lmrec"))
        }

        @Test(arguments: [
            (["--bus", "both"], "--bus: 'both' is no bus"), (["--replay", "/nonexistent.lmrec"], "/nonexistent.lmrec"),
            (["--config", "/nonexistent.conf"], "/nonexistent.conf"), (["--place", "91,0"], "latitude"),
            (["--magnetic-model", "/etc/hostname"], "/etc/hostname"), (["--simulate", "moon"], "is no walk"),
        ])
        func `A wrong argument ends with status 2 and one line that names it`(arguments: [String], part: String) throws
        {
            // With --check-config no bus is needed; what is wrong is the same.
            let run = try locatemed(arguments + ["--check-config"])
            #expect(run.status == 2)
            #expect(run.errors.contains(part), "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1)
            #expect(run.output.isEmpty)
        }

        @Test func `Check-config says what a configuration file has wrong`() throws {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(
                "locateme-\(UUID().uuidString).conf")
            defer { try? FileManager.default.removeItem(at: file) }
            try "[daemon]\nlog-level = debug\ncolour = blue\n".write(to: file, atomically: true, encoding: .utf8)
            let warned = try locatemed(["--check-config", "--config", file.path])
            #expect(warned.status == 0)
            #expect(warned.errors.contains("\(file.path):3: unknown key 'colour'"))
            try "[daemon]\nlog-level = loud\n".write(to: file, atomically: true, encoding: .utf8)
            let wrong = try locatemed(["--check-config", "--config", file.path])
            #expect(wrong.status == 2)
            #expect(wrong.errors.contains("\(file.path):2: log-level: 'loud' is no log level"))
        }

        @Test func `Check-config says all that is wrong, in files and arguments`() throws {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(
                "locateme-\(UUID().uuidString).conf")
            defer { try? FileManager.default.removeItem(at: file) }
            try """
            [daemon
            [daemon]
            log-level = loud
            idle-exit
            idle-exit = soon
            = 5
            [sensors]
            mount-matrix = chip 1e308, 0, 0; 0, 1, 0; 0, 0, 1
            """.write(to: file, atomically: true, encoding: .utf8)
            let run = try locatemed([
                "--check-config", "--config", file.path, "--place", "91,0", "--magnetic-model", "/etc/hostname",
            ])
            #expect(run.status == 2)
            for part in [
                ":1: '[daemon' is no section", ":3: log-level", ":4: 'idle-exit' is no setting", ":5: idle-exit",
                ":6: a key is missing", ":8: mount-matrix", "--place: ", "'/etc/hostname' cannot be used",
            ] {
                #expect(run.errors.contains(part), "\(part) is not in \(run.errors)")
            }
            #expect(run.errors.split(separator: "\n").count == 8)
        }

        @Test(arguments: [SIGTERM, SIGINT])
        func `A signal ends it while it waits for a recording that nobody writes`(signal: Int32) throws {
            let bus = try PrivateBus()
            let pipe = FileManager.default.temporaryDirectory.appendingPathComponent("locateme-\(UUID().uuidString)")
                .path
            #expect(mkfifo(pipe, 0o600) == 0)
            defer { unlink(pipe) }
            let process = try DaemonProcess.launch(bus, ["--replay", pipe])
            // It has opened the pipe to read, and waits: only then a writer can be there without waiting.
            let limit = Date().addingTimeInterval(30)
            var writer: Int32 = -1
            while writer < 0, Date() < limit {
                writer = open(pipe, O_WRONLY | O_NONBLOCK)
                usleep(10_000)
            }
            defer { close(writer) }
            #expect(writer >= 0)
            process.signal(signal)
            #expect(try process.waitForExit() != 0)
        }

        @Test func `Endless zeros are no recording`() throws {
            let run = try locatemed(["--check-config", "--replay", "/dev/zero"])
            #expect(run.status == 2)
            #expect(run.errors.contains("not a recording"))
        }

        @Test func `Without a bus it ends with status 3 and says which one it tried`() throws {
            let run = try locatemed(["--bus", "unix:path=/nonexistent/socket", "--config", "/dev/null"])
            #expect(run.status == 3)
            #expect(run.errors.contains("/nonexistent/socket"))
        }

        @Test func `A name that is taken ends with status 6 and says by whom`() throws {
            let bus = try PrivateBus()
            let first = try DaemonProcess(bus)
            let second = try DaemonProcess.launch(bus, [])
            #expect(try second.waitForExit() == 6)
            #expect(second.errorText.contains("process \(first.process.processIdentifier)"), "\(second.errorText)")
            #expect(first.process.isRunning)
        }

        @Test(arguments: [SIGTERM, SIGINT])
        func `A signal ends it with status 0 within two seconds, sessions told`(signal: Int32) throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone().write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop"])
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            try client.call(session, "org.locateme.Heading1", "Start")
            _ = try client.wait("heading") { $0.first { $0.member == "HeadingUpdated" } }
            let start = Date()
            daemon.process.signal(signal)
            #expect(try daemon.process.waitForExit() == 0)
            #expect(Date().timeIntervalSince(start) < 2)
            let closed = try client.wait("Closed") { $0.first { $0.member == "Closed" } }
            #expect((closed.arguments.first as? NSNumber)?.intValue == 3)
        }

        @Test func `A bus that dies ends it with status 3 and a clear message`() throws {
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(bus)
            bus.stop()
            #expect(try daemon.process.waitForExit() == 3)
            #expect(daemon.process.errorText.contains("the message bus is gone"))
        }

        @Test(.needsIIORig())
        func `Without a sensor it runs, says so, and refuses headings at once`() throws {
            let bus = try PrivateBus()
            let rig = try IIORig(devices: [])
            let daemon = try DaemonProcess(bus, rig: rig)
            let client = try OutsideClient(bus)
            #expect(try client.property("/org/locateme", "org.locateme.Manager1", "HeadingAvailable") as? Bool == false)
            let session = try client.openSession()
            for (member, type, text) in [("Start", "()", "()"), ("GetHeading", "(u)", "(0,)")] {
                let refusal = try client.refusal(session, "org.locateme.Heading1", member, type, text)
                #expect(refusal?.name == "org.locateme.Error.HeadingFailure")
                #expect(refusal?.text.contains("no magnetometer") == true, "\(refusal?.text ?? "")")
            }
            let findings = try client.call("/org/locateme/compass", "org.locateme.Compass1", "Diagnose")
            #expect(String(describing: findings).contains("no-magnetometer"))
            #expect(daemon.process.isRunning)
            #expect(daemon.process.errorText.contains("there is no compass: no magnetometer was found"))
        }

        @Test func `Idle for the time that is set, it ends with status 0, but not while there is a session`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone(seconds: 1).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--idle-exit", "1"])
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            try client.call(session, "org.locateme.Heading1", "Start")
            // The recording lasts a second, so the session has outlived the idle time when it ends.
            _ = try client.wait("end of the recording") { $0.first { $0.member == "HeadingLost" } }
            #expect(daemon.process.isRunning)
            try client.call(session, "org.locateme.Session1", "Close")
            #expect(try daemon.process.waitForExit() == 0)
            #expect(daemon.process.errorText.contains("nobody has had a session for 1 s"))
        }

        @Test func `SIGHUP reads the configuration again, and a wrong one changes nothing`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone(heading: { _ in 10 }).write()
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(
                "locateme-\(UUID().uuidString).conf")
            defer {
                unlink(recording)
                try? FileManager.default.removeItem(at: file)
            }
            try "[daemon]\nlog-level = info\n".write(to: file, atomically: true, encoding: .utf8)
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--config", file.path])
            let client = try OutsideClient(bus)
            _ = try client.openSession()
            try "[daemon]\nlog-level = loud\n".write(to: file, atomically: true, encoding: .utf8)
            daemon.process.signal(SIGHUP)
            try daemon.process.waitForError(containing: "'loud' is no log level")
            #expect(!daemon.process.errorText.contains("session "))
            try "[daemon]\nlog-level = debug\n".write(to: file, atomically: true, encoding: .utf8)
            daemon.process.signal(SIGHUP)
            try daemon.process.waitForError(containing: "the configuration was read again")
            _ = try client.openSession()
            try daemon.process.waitForError(containing: "<7>session ")
            #expect(daemon.process.isRunning)
        }

        @Test(.needs(.root), .needs(.program("strace")))
        func `While there is no session nothing wakes it`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone().write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop", "--place", "47.377,8.542"])
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            try client.call(session, "org.locateme.Heading1", "Start")
            _ = try client.wait("heading") { $0.first { $0.member == "HeadingUpdated" } }
            try client.call(session, "org.locateme.Session1", "Close")
            _ = try client.wait("InterfacesRemoved") { $0.first { $0.member == "InterfacesRemoved" } }
            // Three seconds of quiet, in which the tracer would show any system call. What it sees first is the wait. Some
            // seconds after the last change the service lets go of pages, once: whatever came over and over would show each time.
            var trace = ""
            for _ in 0..<4 {
                let tracer = try ChildProcess(
                    "/usr/bin/timeout",
                    ["--signal=INT", "3", "/usr/bin/strace", "-f", "-p", "\(daemon.process.processIdentifier)"])
                try tracer.waitForExit()
                trace = tracer.errorText
                if !trace.contains(" = ") { break }
            }
            #expect(trace.contains("attached"), "\(trace)")
            #expect(trace.components(separatedBy: "epoll_wait(").count == 2, "\(trace)")
            #expect(!trace.contains("read("), "\(trace)")
            #expect(!trace.contains(" = "), "no call may end: \(trace)")
        }
    }
}
