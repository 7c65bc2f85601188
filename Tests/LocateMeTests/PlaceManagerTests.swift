import EventLoop
import LocateMe
import LocateMeBusInterface
import LocateMeModel
import MessageBus
import TestSupport
import Testing

/// What the library has for places beside plain updates.
@Suite struct PlaceManagerTests {
    private final class Ear: LocationManagerDelegate {
        var changes: [(fix: Fix, sequence: UInt64)] = []
        var visits: [(visit: Visit, sequence: UInt64)] = []
        var errors: [LocateMeError] = []
        func locationManager(_ manager: LocationManager, didChangeSignificantly fix: Fix, sequence: UInt64) {
            changes.append((fix, sequence))
        }
        func locationManager(_ manager: LocationManager, didVisit visit: Visit, sequence: UInt64) {
            visits.append((visit, sequence))
        }
        func locationManager(_ manager: LocationManager, didFailWith error: LocateMeError) { errors.append(error) }
    }

    private let bus: PrivateBus
    private let loop: EventLoop
    private let service: FakeService
    private let manager: LocationManager
    private let ear = Ear()

    init() throws {
        bus = try PrivateBus()
        loop = try EventLoop()
        service = try FakeService(bus.address, loop: loop)
        manager = LocationManager(
            client: try LocateMeClient(.address(bus.address), loop: loop), reason: "tests",
            applicationID: "org.example.Test")
        manager.delegate = ear
    }

    @Test("P15, P24: changes and visits are started, told with their numbers, acknowledged and stopped")
    func changesAndVisits() throws {
        manager.startMonitoringSignificantChanges()
        manager.startMonitoringVisits()
        manager.startMonitoringVisits()
        #expect(try loop.run(until: { service.log.contains("Visits1.Start") }))
        #expect(service.log == ["Manager1.CreateSession", "SignificantChange1.Start", "Visits1.Start"])
        try service.signal(LocateMeInterfaces.significantChange1.name, "SignificantChange") {
            writer throws(BusError) in
            try writer.append(UInt64(41))
            try writer.append(FakeService.fix)
        }
        try service.signal(LocateMeInterfaces.visits1.name, "Visit") { writer throws(BusError) in
            try writer.append(UInt64(42))
            try writer.append(Int64(1_781_254_800_000_000))
            try writer.append(Int64.max)
            try writer.append(47.5)
            try writer.append(8.5)
            try writer.append(12.0)
            try writer.append([:] as [String: BusValue])
        }
        #expect(try loop.run(until: { !ear.visits.isEmpty }))
        #expect(ear.changes.map(\.sequence) == [41] && ear.changes.first?.fix == FakeService.fix)
        #expect(ear.visits.map(\.sequence) == [42])
        let visit = try #require(ear.visits.first?.visit)
        #expect(visit.isOpen && visit.latitude == 47.5 && visit.accuracy == 12)
        let left: UInt32 = try manager.client.wait { manager.acknowledgeEvents(upTo: 42, reply: $0) }
        #expect(left == 3)
        manager.stopMonitoringSignificantChanges()
        manager.stopMonitoringVisits()
        #expect(try loop.run(until: { service.log.contains("Visits1.Stop") }))
        #expect(
            service.log.suffix(3) == ["Session1.AckEvents 42", "SignificantChange1.Stop", "Visits1.Stop"])
        #expect(ear.errors.isEmpty)
    }

    @Test("P5, P6, P12: every wish for places is sent as it is set, once")
    func settings() throws {
        manager.requiredAccuracy = 20
        manager.acceptTimeoutMilliseconds = 5000
        manager.acceptTries = 3
        manager.confirmsDistance = true
        manager.maximumDelayMilliseconds = 60_000
        manager.maximumAgeMilliseconds = 1000
        manager.activityType = .fitness
        manager.distanceFilter = 50
        manager.desiredAccuracy = 100
        manager.pausesAutomatically = false
        manager.minimumIntervalMilliseconds = 2000
        manager.startUpdatingLocation()
        #expect(try loop.run(until: { service.log.contains("Location1.Start") }))
        #expect(
            Set(service.log.dropFirst().dropLast()) == [
                "Location1.RequiredAccuracy=20.0", "Location1.AcceptTimeout=5000", "Location1.AcceptTries=3",
                "Location1.ConfirmedDistance=true", "Location1.MaximumDelay=60000", "Location1.MaximumAge=1000",
                "Location1.ActivityType=3", "Location1.DistanceFilter=50.0", "Location1.DesiredAccuracy=100.0",
                "Location1.PausesAutomatically=false", "Location1.MinimumInterval=2000",
            ])
        #expect(service.log.count == 13)
    }

    @Test(
        "A batch is flushed, the foreground told and the counters read; a refusal reaches who asked, or else the delegate"
    )
    func calls() throws {
        let count: UInt32 = try manager.client.wait { manager.flushLocations(reply: $0) }
        #expect(count == 2)
        let counters: [String: UInt64] = try manager.client.wait { manager.statistics(reply: $0) }
        #expect(counters == ["FixesDelivered": 7])
        try manager.client.wait { manager.setForeground(false, reply: $0) }
        #expect(service.log.last == "Session1.SetForeground 2")
        try manager.client.wait { manager.setForeground(true, reply: $0) }
        #expect(service.log.last == "Session1.SetForeground 1")
        service.errors["Session1.SetForeground 2"] = BusError(.denied, "no")
        let refused = #expect(throws: LocateMeError.self) {
            try manager.client.wait { manager.setForeground(false, reply: $0) }
        }
        #expect(refused?.code == .denied && ear.errors.isEmpty)
        manager.setForeground(false)
        #expect(try loop.run(until: { !ear.errors.isEmpty }))
        #expect(ear.errors.map(\.code) == [.denied])
    }
}
