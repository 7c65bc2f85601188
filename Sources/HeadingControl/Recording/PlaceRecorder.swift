internal import EventLoop
internal import LocateMe
internal import LocateMeModel
internal import MessageBus

/// Gives the places that the service delivers to a recorder.
final class PlaceRecorder: LocationManagerDelegate {
    private let manager: LocationManager
    private let recorder: Recorder
    private let context: CommandContext

    /// Starts places on a bus; without a bus there is an error, without a service the places begin when it appears.
    init(_ bus: BusAddress, _ recorder: Recorder, _ loop: EventLoop, _ context: CommandContext) throws(CommandError) {
        let client: LocateMeClient
        do throws(LocateMeError) {
            client = try LocateMeClient(bus, loop: loop)
        } catch {
            throw ServiceConnection.error(error, bus)
        }
        manager = LocationManager(client: client, reason: "headingctl record")
        self.recorder = recorder
        self.context = context
        manager.delegate = self
        manager.startUpdatingLocation()
    }

    /// Wants no more places.
    func close() { manager.close() }

    func locationManager(_ manager: LocationManager, didUpdateLocations fixes: [Fix]) {
        for fix in fixes { recorder.add(fix) }
    }

    func locationManager(_ manager: LocationManager, didFailWith error: LocateMeError) {
        context.warn("no places for now: \(error.text)")
    }
}
