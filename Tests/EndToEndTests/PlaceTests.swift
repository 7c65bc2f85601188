import Foundation
import TestSupport
import Testing

extension PlaceEndToEnd {
    struct PlaceTests {
        @Test func `T13, P14: a configured place is known at once and costs nothing`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone().write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--place", "47.377,8.542,408"])
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            let fix = try FixValue(
                try client.call(session, "org.locateme.Location1", "GetLastKnown", "(u)", "(1000,)").first)
            #expect(fix.latitude == 47.377)
            #expect(fix.longitude == 8.542)
            #expect(fix.flags & 64 != 0)
            #expect(fix.flags & 16 == 0)
            let status = try client.properties("/org/locateme", "org.locateme.Status1")
            #expect(status["Latitude"] as? Double == 47.377)
            #expect(try client.property("/org/locateme", "org.locateme.Manager1", "InUse") as? Bool == false)
            #expect(daemon.process.isRunning)
        }

        @Test func `T38: a request that no source answers ends at its own time-out with LocationUnknown`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone().write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop"])
            let client = try OutsideClient(bus)
            let other = try OutsideClient(bus)
            let session = try client.openSession()
            let start = Date()
            let waiting = try client.send(
                session, "org.locateme.Location1", "RequestLocation", "(duu)", "(0.0, 3000, 0)")
            // Everybody else is served meanwhile.
            let path = try other.openSession()
            #expect(
                try HeadingValue(
                    try other.call(path, "org.locateme.Heading1", "GetHeading", "(u)", "(0,)").first
                ).accuracy >= 0)
            let error = #expect(throws: OutsideClient.Refusal.self) { _ = try client.answer(to: waiting) }
            #expect(error?.name == "org.locateme.Error.LocationUnknown")
            #expect(abs(Date().timeIntervalSince(start) - 3.0) < 0.3)
            #expect(daemon.process.isRunning)
        }

        @Test func `Pose tells place and heading in one signal`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone(
                seconds: 4, fix: "fix 47.377 8.542 5 408 8 - - - -",
                extra: [(1, "fix 47.378 8.542 5 408 8 - - - -"), (2, "fix 47.379 8.542 5 408 8 - - - -")]
            ).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop"])
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            try client.set(session, "org.locateme.Heading1", "HeadingFilter", "20.0")
            try client.call(session, "org.locateme.Pose1", "Start")
            let poses = try client.wait("poses of both kinds") { signals in
                let poses = signals.filter { $0.member == "PoseUpdated" }
                let kinds = Set(poses.compactMap { ($0.arguments.first as? NSNumber)?.intValue })
                return kinds.isSuperset(of: [1, 2]) && poses.count >= 8 ? poses : nil
            }
            for pose in poses {
                let changed = try #require(pose.arguments[0] as? NSNumber).intValue
                let valid = try #require(pose.arguments[1] as? NSNumber).intValue
                #expect((1...3).contains(changed))
                let fix = try FixValue(pose.arguments[2])
                let heading = try HeadingValue(pose.arguments[3])
                #expect((valid & 1 != 0) == (fix.horizontalAccuracy >= 0))
                #expect((valid & 2 != 0) == (heading.accuracy >= 0))
                if valid & 1 != 0 { #expect(fix.flags & 1 != 0) }
            }
            #expect(try client.signals("HeadingUpdated").isEmpty)
            #expect(try client.signals("LocationsUpdated").isEmpty)
            #expect(daemon.process.isRunning)
        }

        @Test(.needs(.program("gpsd")))
        func `P22: a fix of gpsd makes the true heading appear, and its end is told`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone(heading: { _ in 100 }).write()
            defer { unlink(recording) }
            let gpsd = try GpsdFeed()
            let daemon = try DaemonProcess(
                bus, ["--replay", recording, "--loop", "--gpsd", "127.0.0.1:\(gpsd.port)"])
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            // The default filter of one degree: the device does not turn, the true heading comes all the same.
            try client.call(session, "org.locateme.Heading1", "Start")
            let heading = try client.wait("true heading", seconds: 40) { signals in
                try signals.lazy.filter { $0.member == "HeadingUpdated" }
                    .map { try HeadingValue($0.arguments.first) }.first { $0.trueHeading >= 0 }
            }
            let declination = try #require(heading.extras["Declination"].flatMap(Double.init))
            // WMM2025 at 47.377°N 8.542°E in 2027: 3.6° east; it changes by 0.15° a year.
            #expect(abs(declination - 3.6) < 1.5)
            #expect(apart(heading.trueHeading, heading.magnetic + declination) < 1e-6)

            let fix = try FixValue(
                try client.call(
                    session, "org.locateme.Location1", "RequestLocation", "(duu)", "(100.0, 20000, 0)"
                ).first)
            #expect(abs(fix.latitude - 47.377) < 1e-5)
            #expect(abs(fix.longitude - 8.542) < 1e-5)
            #expect(fix.horizontalAccuracy > 0 && fix.horizontalAccuracy < 30)
            #expect(abs(Double(fix.realMicroseconds) * 1e-6 - Date().timeIntervalSince1970) < 5)

            try client.call(session, "org.locateme.Location1", "Start")
            _ = try client.wait("fixes") { $0.filter { $0.member == "LocationsUpdated" }.count >= 3 ? true : nil }
            let numbers = try client.signals("LocationsUpdated").flatMap {
                try ($0.arguments.first as? [Any] ?? []).map { try FixValue($0).sequence }
            }
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(numbers)")
            gpsd.stop()
            let lost = try client.wait("mode lost", seconds: 30) { signals in
                signals.last { $0.member == "ModeChanged" && ($0.arguments.first as? NSNumber)?.intValue == 4 }
            }
            #expect((lost.arguments[1] as? NSNumber)?.intValue == 2)
            #expect(try client.property(session, "org.locateme.Location1", "Mode") as? Int == 4)
            #expect(daemon.process.isRunning)
        }
    }
}
