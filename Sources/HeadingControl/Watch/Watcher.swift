internal import EventLoop
internal import LocateMe
internal import LocateMeModel

/// Hears the service and keeps a view's state.
final class Watcher: LocationManagerDelegate {
    private let service: ServiceConnection
    private let manager: LocationManager
    private let view: any WatchView
    private var arrival: Int64?
    private var calibrationNotice = ""
    private let endsWithRecording: Bool
    /// Availability is looked at again after so long: a daemon that has just started may not have found its sensors.
    private static let availabilityMicroseconds: Int64 = 1_000_000

    /// `endsWithRecording`: once headings have come, the end of the recording that they are from ends the command.
    init(
        _ service: ServiceConnection, _ manager: LocationManager, _ view: any WatchView, endsWithRecording: Bool = false
    ) {
        self.endsWithRecording = endsWithRecording
        self.service = service
        self.manager = manager
        self.view = view
    }

    /// Asks whether there is a service at all, then starts updates.
    func start() throws(CommandError) {
        _ = try service.ask { service.client.information(reply: $0) }
        // Heading1 rather than Pose1: it also tells of losses and of a needed calibration, and it is open to everyone.
        manager.startUpdatingHeading()
        manager.startUpdatingLocation()
        service.after(microseconds: Self.availabilityMicroseconds) { [weak self] in self?.checkAvailability() }
    }

    /// Brings the age of the newest heading up to date.
    func refreshAge() {
        view.state.ageSeconds = arrival.map { Double(Clock.bootMicroseconds() - $0) * 1e-6 } ?? .nan
    }

    func locationManager(_ manager: LocationManager, didUpdateHeading heading: Heading) {
        take(heading)
        refreshAge()
        view.update(isNews: true)
    }

    func locationManager(_ manager: LocationManager, didUpdateLocations fixes: [Fix]) {
        guard let fix = fixes.last else { return }
        view.state.fix = fix
        refreshAge()
        // With headings, places are news only beside the next of them.
        view.update(isNews: view.state.heading == nil)
    }

    func locationManager(_ manager: LocationManager, didLoseHeading reason: String) {
        if endsWithRecording, view.state.heading != nil { return service.finish() }
        show("No heading: \(reason)")
    }

    func locationManager(
        _ manager: LocationManager, needsCalibration quality: CalibrationQuality, reason: String
    ) {
        calibrationNotice = "Turn the device in all directions, away from metal: \(Self.words(reason))."
        show(calibrationNotice)
    }

    func locationManager(_ manager: LocationManager, didResolveCalibration quality: CalibrationQuality) {
        calibrationNotice = ""
        show("")
    }

    func locationManager(_ manager: LocationManager, didChangeService isRunning: Bool) {
        show(isRunning ? "" : "locatemed is gone; waiting for it to come back.")
    }

    func locationManager(_ manager: LocationManager, didFailWith error: LocateMeError) {
        switch error.code {
        case .denied:
            // Of places; magnetic headings need no permission.
            view.state.fix = nil
        case .noService:
            show("locatemed is gone; waiting for it to come back.")
        case .headingFailure where view.toleratesNoCompass:
            show("No heading: \(error.text)")
        case .locationUnknown:
            break
        default:
            service.fail(error)
        }
    }

    private func take(_ heading: Heading) {
        view.state.heading = heading
        arrival = Clock.bootMicroseconds()
        if view.state.notice != calibrationNotice { view.state.notice = calibrationNotice }
    }

    private func show(_ notice: String) {
        view.state.notice = notice
        refreshAge()
        view.update(isNews: false)
    }

    private func checkAvailability() {
        guard view.state.heading == nil else { return }
        service.client.information { [weak self] result in
            guard let self, case .success(let information) = result, !information.headingAvailable,
                view.state.heading == nil
            else { return }
            Diagnosis.ask(service) { [weak self] findings in
                guard let self else { return }
                let error = Diagnosis.error(findings, fallback: "there is no compass")
                if view.toleratesNoCompass {
                    show(Diagnosis.sentence(error.message) + " " + error.remedy)
                } else {
                    service.fail(error)
                }
            }
        }
    }

    /// Reasons of the service are words with hyphens.
    private static func words(_ reason: String) -> String {
        switch reason {
        case "never-calibrated": "this compass was never calibrated"
        case "field-mismatch": "the field is stronger or weaker than the earth's"
        case "dip-mismatch": "the field's dip is not the earth's"
        case "residual": "the calibration does not fit any more"
        case "age": "the calibration is old"
        case "new-device": "this is a new device"
        case "temperature": "the temperature has changed much"
        default: reason.split(separator: "-").joined(separator: " ")
        }
    }
}
