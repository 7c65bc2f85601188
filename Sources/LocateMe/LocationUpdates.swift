public import LocateMeModel
public import MessageBus

/// Headings, places and poses as asynchronous sequences, for programs without an event loop:
///
///     for try await heading in LocationUpdates.headings(reason: "shows a compass") {
///         print(heading.magnetic)
///     }
///
/// Each sequence has a connection and a thread of its own; it ends when its task is cancelled, or by throwing what
/// ended it. A reader that is slower than the updates gets the newest. Over a restart of the service a sequence waits.
public enum LocationUpdates {
    /// Headings, one each time the device has turned by `filter` degrees; −1: every heading. Throws `.noService` if
    /// the service cannot be had at the beginning, `.headingFailure` without a sensor.
    public static func headings(
        bus: BusAddress = .system, reason: String, filter: Double = 1,
        orientation: HeadingOrientation = .portrait
    ) -> AsyncThrowingStream<Heading, any Error> {
        stream(bus, reason) { manager, relay in
            relay.onHeading = relay.yield
            manager.headingFilter = filter
            manager.headingOrientation = orientation
            manager.startUpdatingHeading()
        }
    }

    /// Places, one each time the device has moved by `distanceFilter` metres; −1: every place. Throws `.noService` if
    /// the service cannot be had at the beginning, `.denied` without permission.
    public static func locations(
        bus: BusAddress = .system, reason: String, distanceFilter: Double = -1
    ) -> AsyncThrowingStream<Fix, any Error> {
        stream(bus, reason) { manager, relay in
            relay.onFix = relay.yield
            manager.distanceFilter = distanceFilter
            manager.startUpdatingLocation()
        }
    }

    /// Places and headings together, with both filters. Throws as the other two.
    public static func poses(
        bus: BusAddress = .system, reason: String, headingFilter: Double = 1, distanceFilter: Double = -1
    ) -> AsyncThrowingStream<Pose, any Error> {
        stream(bus, reason) { manager, relay in
            relay.onPose = relay.yield
            manager.headingFilter = headingFilter
            manager.distanceFilter = distanceFilter
            manager.startUpdatingPose()
        }
    }

    private static func stream<Element: Sendable>(
        _ bus: BusAddress, _ reason: String,
        _ begin: @escaping @Sendable (LocationManager, UpdateRelay<Element>) -> Void
    ) -> AsyncThrowingStream<Element, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let updates = UpdateStream { loop, fail throws(LocateMeError) in
                let client = try LocateMeClient(bus, loop: loop)
                let manager = LocationManager(client: client, reason: reason)
                let relay = UpdateRelay<Element>(manager: manager, yield: { continuation.yield($0) }, fail: fail)
                manager.delegate = relay
                begin(manager, relay)
                return relay
            } finish: { error in
                continuation.finish(throwing: error)
            }
            continuation.onTermination = { _ in updates.stop() }
            updates.start()
        }
    }
}

/// Hands the updates of a manager over; keeps the manager.
final class UpdateRelay<Element>: LocationManagerDelegate {
    let yield: (Element) -> Void
    var onHeading: ((Heading) -> Void)?
    var onFix: ((Fix) -> Void)?
    var onPose: ((Pose) -> Void)?
    private let manager: LocationManager
    private let fail: (LocateMeError) -> Void
    private var hasSession = false

    init(
        manager: LocationManager, yield: @escaping (Element) -> Void, fail: @escaping (LocateMeError) -> Void
    ) {
        self.manager = manager
        self.yield = yield
        self.fail = fail
    }

    func locationManager(_ manager: LocationManager, didUpdateHeading heading: Heading) { onHeading?(heading) }

    func locationManager(_ manager: LocationManager, didUpdateLocations fixes: [Fix]) {
        for fix in fixes { onFix?(fix) }
    }

    func locationManager(_ manager: LocationManager, didUpdatePose pose: Pose) { onPose?(pose) }

    func locationManager(_ manager: LocationManager, didChangeService isRunning: Bool) {
        if isRunning { hasSession = true }
    }

    func locationManager(_ manager: LocationManager, didFailWith error: LocateMeError) {
        // No fix yet is no end; nor is a service that is being restarted.
        if error.code == .locationUnknown || (error.code == .noService && hasSession) { return }
        fail(error)
    }
}
