import EventLoop
import Geometry
import LocateMe
import LocateMeBusInterface
import LocateMeModel
import MessageBus
import TestSupport
import Testing

/// Remembers what it heard.
final class Listener: LocationManagerDelegate {
    var headings: [Heading] = []
    var fixes: [[Fix]] = []
    var poses: [Pose] = []
    var service: [Bool] = []
    var errors: [LocateMeError] = []
    var lost: [String] = []
    var calibration: [String] = []
    var authorization: AuthorizationStatus?
    var modes: [LocationMode] = []

    func locationManager(_ manager: LocationManager, didUpdateHeading heading: Heading) { headings.append(heading) }
    func locationManager(_ manager: LocationManager, didUpdateLocations fixes: [Fix]) { self.fixes.append(fixes) }
    func locationManager(_ manager: LocationManager, didUpdatePose pose: Pose) { poses.append(pose) }
    func locationManager(_ manager: LocationManager, didChangeService isRunning: Bool) { service.append(isRunning) }
    func locationManager(_ manager: LocationManager, didFailWith error: LocateMeError) { errors.append(error) }
    func locationManager(_ manager: LocationManager, didLoseHeading reason: String) { lost.append(reason) }
    func locationManager(
        _ manager: LocationManager, needsCalibration quality: CalibrationQuality, reason: String
    ) { calibration.append("needed \(quality.rawValue) \(reason)") }
    func locationManager(_ manager: LocationManager, didResolveCalibration quality: CalibrationQuality) {
        calibration.append("resolved \(quality.rawValue)")
    }
    func locationManager(
        _ manager: LocationManager, didChangeAuthorization status: AuthorizationStatus,
        accuracy: AccuracyAuthorization
    ) { authorization = status }
    func locationManager(_ manager: LocationManager, didChangeMode mode: LocationMode, reason: LocationModeReason) {
        modes.append(mode)
    }
}

@Suite struct ManagerTests {
    let bus: PrivateBus
    let loop: EventLoop
    let client: LocateMeClient
    let listener = Listener()

    init() throws {
        bus = try PrivateBus()
        loop = try EventLoop()
        client = try LocateMeClient(.address(bus.address), loop: loop)
    }

    func makeManager() -> LocationManager {
        let manager = LocationManager(client: client, reason: "tests")
        manager.delegate = listener
        return manager
    }

    @Test("Settings are put in force before the start, and only changed ones are sent")
    func settingsBeforeStart() throws {
        let service = try FakeService(bus.address, loop: loop)
        let manager = makeManager()
        manager.headingFilter = 5
        manager.headingOrientation = .landscapeLeft
        manager.startUpdatingHeading()
        #expect(try loop.run(until: { service.log.contains("Heading1.Start") }))
        #expect(
            service.log == [
                "Manager1.CreateSession", "Heading1.HeadingFilter=5.0", "Heading1.HeadingOrientation=3",
                "Heading1.Start",
            ])
        manager.headingFilter = 10
        manager.stopUpdatingHeading()
        manager.stopUpdatingHeading()
        #expect(try loop.run(until: { service.log.contains("Heading1.Stop") }))
        #expect(service.log.suffix(2) == ["Heading1.HeadingFilter=10.0", "Heading1.Stop"])
        #expect(listener.service == [true])
        #expect(try loop.run(until: { listener.authorization != nil }))
        #expect(listener.authorization == .whenInUse)
        #expect(listener.errors.isEmpty)
    }

    @Test("P20: every signal of the session reaches the delegate with its values")
    func signals() throws {
        let service = try FakeService(bus.address, loop: loop)
        let manager = makeManager()
        manager.startUpdatingPose()
        #expect(try loop.run(until: { service.log.contains("Pose1.Start") }))
        let heading = LocateMeInterfaces.heading1.name
        try service.signal(heading, "HeadingUpdated") { writer throws(BusError) in
            try writer.append(FakeService.heading)
        }
        try service.signal(heading, "HeadingLost") { writer throws(BusError) in try writer.append("unplugged") }
        try service.signal(heading, "CalibrationNeeded") { writer throws(BusError) in
            try writer.append(UInt32(1))
            try writer.append("age")
        }
        try service.signal(heading, "CalibrationResolved") { writer throws(BusError) in try writer.append(UInt32(3)) }
        try service.signal(LocateMeInterfaces.location1.name, "LocationsUpdated") { writer throws(BusError) in
            try writer.append([FakeService.fix, FakeService.fix])
        }
        try service.signal(LocateMeInterfaces.location1.name, "ModeChanged") { writer throws(BusError) in
            try writer.append(UInt32(4))
            try writer.append(UInt32(2))
        }
        try service.signal(LocateMeInterfaces.session1.name, "Error") { writer throws(BusError) in
            try writer.append("org.locateme.Error.LocationUnknown")
            try writer.append("no fix")
            try writer.append([:] as [String: BusValue])
        }
        try service.signal(LocateMeInterfaces.pose1.name, "PoseUpdated") { writer throws(BusError) in
            try writer.append(UInt32(2))
            try writer.append(UInt32(2))
            try writer.append(FakeService.fix)
            try writer.append(FakeService.heading)
        }
        #expect(try loop.run(until: { !listener.poses.isEmpty }))
        // NaN is not equal to itself, so the headings are compared where they are known.
        let received = try #require(listener.headings.first)
        #expect(received.magnetic == 123.5 && received.trueHeading == -1 && received.accuracy == 4.5)
        #expect(received.declination == 3.25 && received.disturbed && received.roll.isNaN)
        #expect(received.orientation == .landscapeLeft && received.calibration == .good && received.source == .fused9)
        #expect(listener.lost == ["unplugged"])
        #expect(listener.calibration == ["needed 1 age", "resolved 3"])
        #expect(listener.fixes == [[FakeService.fix, FakeService.fix]])
        #expect(listener.modes == [.lost])
        #expect(listener.errors.map(\.code) == [.locationUnknown])
        let pose = try #require(listener.poses.first)
        #expect(pose.changed == .heading && pose.fix == nil && pose.heading?.magnetic == 123.5)
    }

    @Test("A signal of the right path but from another process is not believed")
    func forgedSignal() throws {
        let service = try FakeService(bus.address, loop: loop)
        let manager = makeManager()
        manager.startUpdatingHeading()
        #expect(try loop.run(until: { service.log.contains("Heading1.Start") }))
        let path = try #require(service.session)
        let owner = try #require(service.sessions[path]).uniqueName
        let forger = try BusConnection(.address(bus.address), loop: loop)
        var forged = FakeService.heading
        forged.magnetic = 1
        let message = try BusMessage.signal(
            path: path, interface: LocateMeInterfaces.heading1.name, member: "HeadingUpdated", destination: owner)
        try message.write { writer throws(BusError) in try writer.append(forged) }
        forger.send(message)
        forger.flush()
        // The bus keeps the order of what it gets, so the true one comes behind the forged.
        var isThrough = false
        forger.credentials(of: owner) { _ in isThrough = true }
        #expect(try loop.run(until: { isThrough }))
        try service.signal(LocateMeInterfaces.heading1.name, "HeadingUpdated") { writer throws(BusError) in
            try writer.append(FakeService.heading)
        }
        #expect(try loop.run(until: { !listener.headings.isEmpty }))
        #expect(listener.headings.map(\.magnetic) == [123.5])
    }

    @Test("A garbled signal is an error, and the next one is heard")
    func garbledSignal() throws {
        let service = try FakeService(bus.address, loop: loop)
        let manager = makeManager()
        manager.startUpdatingHeading()
        #expect(try loop.run(until: { service.log.contains("Heading1.Start") }))
        let heading = LocateMeInterfaces.heading1.name
        try service.signal(heading, "HeadingUpdated") { writer throws(BusError) in try writer.append("north") }
        var odd = FakeService.heading
        odd.source = .hub
        try service.signal(heading, "HeadingUpdated") { writer throws(BusError) in try writer.append(odd) }
        #expect(try loop.run(until: { !listener.headings.isEmpty }))
        #expect(listener.errors.map(\.code) == [.failed])
        #expect(listener.errors.first?.text.contains("argument 1") == true)
    }

    @Test("After a restart of the service the session is opened again with settings and updates")
    func restart() throws {
        var service: FakeService? = try FakeService(bus.address, loop: loop)
        let manager = makeManager()
        manager.headingFilter = 5
        manager.startUpdatingHeading()
        #expect(try loop.run(until: { service?.log.contains("Heading1.Start") == true }))
        service?.connection.close()
        service = nil
        #expect(try loop.run(until: { listener.service == [true, false] }))
        #expect(!manager.isSessionOpen)
        let next = try FakeService(bus.address, loop: loop)
        #expect(try loop.run(until: { next.log.contains("Heading1.Start") }))
        #expect(next.log == ["Manager1.CreateSession", "Heading1.HeadingFilter=5.0", "Heading1.Start"])
        #expect(listener.service == [true, false, true])
        try next.signal(LocateMeInterfaces.heading1.name, "HeadingUpdated") { writer throws(BusError) in
            try writer.append(FakeService.heading)
        }
        #expect(try loop.run(until: { listener.headings.count == 1 }))
    }

    @Test("Without a service the manager says so, waits, and starts when one appears")
    func serviceAppears() throws {
        let manager = makeManager()
        manager.startUpdatingHeading()
        #expect(try loop.run(until: { !listener.errors.isEmpty }))
        #expect(listener.errors.map(\.code) == [.noService])
        #expect(listener.errors[0].text.contains("locatemed"))
        let service = try FakeService(bus.address, loop: loop)
        #expect(try loop.run(until: { service.log.contains("Heading1.Start") }))
        #expect(listener.errors.count == 1)
        #expect(manager.isSessionOpen)
    }

    @Test("One heading, place or pose can be asked for without starting updates")
    func requests() throws {
        let service = try FakeService(bus.address, loop: loop)
        let manager = makeManager()
        let heading: Heading = try client.wait { manager.requestHeading(reply: $0) }
        #expect(heading.magnetic == 123.5)
        let fix: Fix = try client.wait { manager.requestLocation(timeoutMilliseconds: 1000, reply: $0) }
        #expect(fix == FakeService.fix)
        let pose: Pose = try client.wait { manager.currentPose(reply: $0) }
        #expect(pose.fix == nil && pose.heading?.accuracy == 4.5)
        #expect(service.log.filter { $0 == "Manager1.CreateSession" }.count == 1)
        #expect(!service.log.contains("Heading1.Start"))
    }

    @Test("A request ends at its time-out, in words")
    func requestTimeout() throws {
        let service = try FakeService(bus.address, loop: loop)
        service.silent = ["Heading1.GetHeading"]
        let manager = makeManager()
        let error = #expect(throws: LocateMeError.self) {
            let _: Heading = try client.wait { manager.requestHeading(timeoutMilliseconds: 50, reply: $0) }
        }
        #expect(error?.code == .timedOut)
        #expect(error?.text == "no heading came within 0.05 s")
    }

    @Test("A cancelled request is never answered")
    func cancelRequest() throws {
        let service = try FakeService(bus.address, loop: loop)
        let manager = makeManager()
        var answers = 0
        let early = manager.requestHeading { _ in answers += 1 }
        early.cancel()
        let kept = manager.requestHeading { _ in answers += 10 }
        #expect(try loop.run(until: { answers >= 10 }))
        kept.cancel()
        #expect(answers == 10)
        #expect(service.log.filter { $0 == "Heading1.GetHeading" }.count == 1)
    }

    @Test("A service that ends while it is asked fails the request")
    func serviceEndsDuringRequest() throws {
        let service = try FakeService(bus.address, loop: loop)
        service.silent = ["Heading1.GetHeading"]
        let manager = makeManager()
        var result: Result<Heading, LocateMeError>?
        manager.requestHeading { result = $0 }
        #expect(try loop.run(until: { service.log.contains("Heading1.GetHeading") }))
        service.connection.close()
        #expect(try loop.run(until: { result != nil }))
        #expect(throws: LocateMeError.self) { try result?.get() }
        if case .failure(let error) = result { #expect(error.code == .noService) }
    }

    static let refusals: [(BusError.Code, LocateMeError.Code)] = [
        (.denied, .denied), (.accessDenied, .denied), (.servicesDisabled, .denied),
        (.headingFailure, .headingFailure), (.locationUnknown, .locationUnknown), (.limitsExceeded, .limitsExceeded),
        (.notSupported, .notSupported), (.failed, .failed), (.throttled, .failed),
    ]

    @Test("A refused start tells its kind", arguments: refusals.indices)
    func refusedStart(index: Int) throws {
        let (busCode, code) = Self.refusals[index]
        let service = try FakeService(bus.address, loop: loop)
        service.errors["Heading1.Start"] = BusError(busCode, "because")
        let manager = makeManager()
        manager.startUpdatingHeading()
        #expect(try loop.run(until: { !listener.errors.isEmpty }))
        #expect(listener.errors[0].code == code)
        #expect(listener.errors[0].text == "because")
        #expect(listener.errors[0].busError?.code == busCode)
    }

    @Test("close() ends the session at the service")
    func close() throws {
        let service = try FakeService(bus.address, loop: loop)
        let manager = makeManager()
        manager.startUpdatingHeading()
        #expect(try loop.run(until: { service.log.contains("Heading1.Start") }))
        manager.close()
        #expect(try loop.run(until: { service.sessions.isEmpty }))
        #expect(!manager.isSessionOpen)
    }

    @Test("A manager that is let go ends its session")
    func released() throws {
        let service = try FakeService(bus.address, loop: loop)
        var manager: LocationManager? = makeManager()
        manager?.startUpdatingHeading()
        #expect(try loop.run(until: { service.log.contains("Heading1.Start") }))
        manager = nil
        #expect(try loop.run(until: { service.log.contains("Session1.Close") }))
    }

    @Test("The end of the bus is an error of its own")
    func busEnds() throws {
        let service = try FakeService(bus.address, loop: loop)
        let manager = makeManager()
        manager.startUpdatingHeading()
        #expect(try loop.run(until: { service.log.contains("Heading1.Start") }))
        var told = false
        client.onDisconnected = { told = true }
        bus.stop()
        #expect(try loop.run(until: { told }))
        #expect(listener.errors.map(\.code) == [.noBus])
        let error = #expect(throws: LocateMeError.self) {
            let _: Heading = try client.wait { manager.requestHeading(reply: $0) }
        }
        #expect(error?.code == .noBus)
    }
}

@Suite struct ClientTests {
    @Test("What the service tells of itself arrives typed")
    func information() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let service = try FakeService(bus.address, loop: loop)
        let client = try LocateMeClient(.address(bus.address), loop: loop)
        let information: ServiceInformation = try client.wait { client.information(reply: $0) }
        #expect(information.version == "9.9")
        #expect(information.headingAvailable && !information.locationAvailable)
        #expect(information.capabilities == ["heading", "location"])
        #expect(information.sources == [SourceDescription(id: "static", kind: "static", state: .ok)])
        let status: StatusSnapshot = try client.wait { client.status(reply: $0) }
        #expect(status.magneticHeading == 12.5 && status.trueHeading == -1 && status.latitude.isNaN)
        let sensors: [SensorDescription] = try client.wait { client.sensors(reply: $0) }
        #expect(sensors.map(\.id) == ["local:/magn"])
        #expect(sensors[0].ratesHertz == [10, 100] && sensors[0].mountMatrix[0, 1] == 1 && sensors[0].selected)
        let findings: [Finding] = try client.wait { client.diagnose(reply: $0) }
        #expect(findings.map(\.code) == ["no-gyroscope"])
        let compass: CompassInformation = try client.wait { client.compass(reply: $0) }
        #expect(compass.rateHertz == -1)
        let permission = try client.wait { client.requestAuthorization(reason: "tests", reply: $0) }
        #expect(permission == (.whenInUse, .reduced))
        let error = #expect(throws: LocateMeError.self) {
            let _: CalibrationInformation = try client.wait { client.calibration(reply: $0) }
        }
        #expect(error?.code == .notSupported)
        #expect(service.sessions.isEmpty)
    }

    @Test("No service and no bus are told apart, in words that help")
    func absent() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let client = try LocateMeClient(.address(bus.address), loop: loop)
        let error = #expect(throws: LocateMeError.self) {
            let _: StatusSnapshot = try client.wait { client.status(reply: $0) }
        }
        #expect(error?.code == .noService)
        #expect(error?.text.contains("start locatemed") == true)
        let noBus = #expect(throws: LocateMeError.self) {
            try LocateMeClient(.address("unix:path=/nonexistent/bus"), loop: loop)
        }
        #expect(noBus?.code == .noBus)
        #expect(noBus?.text.contains("/nonexistent/bus") == true)
    }

    @Test("The appearance and the end of the service are told")
    func serviceChange() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let client = try LocateMeClient(.address(bus.address), loop: loop)
        var changes: [Bool] = []
        client.onServiceChange = { changes.append($0) }
        #expect(try loop.run(until: { changes == [false] }))
        let service = try FakeService(bus.address, loop: loop)
        #expect(try loop.run(until: { changes == [false, true] }))
        #expect(client.isServiceRunning)
        service.connection.close()
        #expect(try loop.run(until: { changes == [false, true, false] }))
    }
}
