import EventLoop
import Foundation
import LocateMe
import LocateMeBusInterface
import LocateMeModel
import MessageBus
import TestSupport
import Testing

@Suite struct PolicyTests {
    @Test("On a system bus with the product's policy a client gets its session, settings and signals", .needs(.root))
    func systemBus() throws {
        let file = try String(contentsOf: Repository.file("dbus/org.locateme.conf"), encoding: .utf8)
        let start = try #require(file.range(of: "<busconfig>")?.upperBound)
        let end = try #require(file.range(of: "</busconfig>")?.lowerBound)
        let bus = try PrivateBus(.system(policies: String(file[start..<end])))
        let loop = try EventLoop()
        let service = try FakeService(bus.address, loop: loop)
        let client = try LocateMeClient(.address(bus.address), loop: loop)
        let listener = Listener()
        let manager = LocationManager(client: client, reason: "tests")
        manager.delegate = listener
        manager.headingFilter = 5
        manager.startUpdatingHeading()
        manager.startUpdatingLocation()
        manager.startUpdatingPose()
        #expect(try loop.run(until: { service.log.contains("Pose1.Start") }))
        try service.signal(LocateMeInterfaces.heading1.name, "HeadingUpdated") { writer throws(BusError) in
            try writer.append(FakeService.heading)
        }
        #expect(try loop.run(until: { !listener.headings.isEmpty && listener.authorization != nil }))
        let sensors: [SensorDescription] = try client.wait { client.sensors(reply: $0) }
        #expect(sensors.count == 1)
        let error = #expect(throws: LocateMeError.self) {
            let _: CalibrationInformation = try client.wait { client.calibration(reply: $0) }
        }
        // Let through by the bus: it is the fake that has no calibration.
        #expect(error?.code == .notSupported)
        #expect(listener.errors.isEmpty)
        manager.close()
        #expect(try loop.run(until: { service.sessions.isEmpty }))
    }
}
