import Foundation
import TestSupport
import Testing

extension PlaceEndToEnd {
    struct NMEATests {
        @Test(
            "A receiver and a compass on one wire give place and heading, and the wire is let go",
            arguments: [("HEHDT,90.0,T", 3.0...4.5), ("HCHDG,86.3,,,3.7,E", 9.5...11.0)])
        func wire(sentence: String, accuracy: ClosedRange<Double>) throws {
            let bus = try PrivateBus()
            let feed = try GpsdFeed(hasGpsd: false, more: [sentence])
            defer { feed.stop() }
            let devices = FileManager.default.temporaryDirectory.appendingPathComponent("n\(UUID().uuidString).xml")
            try "<?xml version=\"1.0\"?><context name=\"xml\" description=\"none\"></context>"
                .write(to: devices, atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(at: devices) }
            let daemon = try DaemonProcess(
                bus,
                ["--no-gpsd", "--iio-uri", "xml:\(devices.path)", "--nmea", "udp:127.0.0.1:\(feed.receiverPort)"])
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            let fix = try FixValue(
                try client.call(session, "org.locateme.Location1", "RequestLocation", "(duu)", "(0.0, 20000, 0)").first)
            #expect(abs(fix.latitude - 47.377) < 1e-5 && abs(fix.longitude - 8.542) < 1e-5)
            #expect(abs(fix.horizontalAccuracy - 10.6) < 0.1)
            let heading = try HeadingValue(
                try client.call(session, "org.locateme.Heading1", "GetHeading", "(u)", "(20000,)").first)
            // The declination there is 3.7° in 2026 (WMM2025).
            #expect(abs(heading.magnetic - 86.3) < 0.3 && accuracy.contains(heading.accuracy))
            #expect(heading.extras["Source"] == "nmea")
            #expect(daemon.process.isRunning)
        }
    }
}
