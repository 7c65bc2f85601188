public import LocateMeBusInterface
public import LocateMeModel

/// Hears a `LocationManager`; every method has an empty default. Called on the loop.
public protocol LocationManagerDelegate: AnyObject {
    /// A new heading.
    func locationManager(_ manager: LocationManager, didUpdateHeading heading: Heading)
    /// New places, the newest last.
    func locationManager(_ manager: LocationManager, didUpdateLocations fixes: [Fix])
    /// The device is somewhere else. `sequence` is the number for `acknowledgeEvents`.
    func locationManager(_ manager: LocationManager, didChangeSignificantly fix: Fix, sequence: UInt64)
    /// The device stays somewhere, or has left it.
    func locationManager(_ manager: LocationManager, didVisit visit: Visit, sequence: UInt64)
    /// A new place, a new heading, or both.
    func locationManager(_ manager: LocationManager, didUpdatePose pose: Pose)
    /// No headings for now; they go on by themselves.
    func locationManager(_ manager: LocationManager, didLoseHeading reason: String)
    /// Turning the device in all directions would make the heading better.
    func locationManager(
        _ manager: LocationManager, needsCalibration quality: CalibrationQuality, reason: String)
    /// The calibration is not needed any more.
    func locationManager(_ manager: LocationManager, didResolveCalibration quality: CalibrationQuality)
    /// What the location session does has changed.
    func locationManager(_ manager: LocationManager, didChangeMode mode: LocationMode, reason: LocationModeReason)
    /// Permission to learn places, at the start of the session and when it changes.
    func locationManager(
        _ manager: LocationManager, didChangeAuthorization status: AuthorizationStatus,
        accuracy: AccuracyAuthorization)
    /// The session was opened (true), or the service is gone (false): the manager goes on by itself when it comes back.
    func locationManager(_ manager: LocationManager, didChangeService isRunning: Bool)
    /// Something that was asked for cannot be had.
    func locationManager(_ manager: LocationManager, didFailWith error: LocateMeError)
}

extension LocationManagerDelegate {
    /// Does nothing.
    public func locationManager(_ manager: LocationManager, didUpdateHeading heading: Heading) {}
    /// Does nothing.
    public func locationManager(_ manager: LocationManager, didUpdateLocations fixes: [Fix]) {}
    /// Does nothing.
    public func locationManager(
        _ manager: LocationManager, didChangeSignificantly fix: Fix, sequence: UInt64
    ) {}
    /// Does nothing.
    public func locationManager(_ manager: LocationManager, didVisit visit: Visit, sequence: UInt64) {}
    /// Does nothing.
    public func locationManager(_ manager: LocationManager, didUpdatePose pose: Pose) {}
    /// Does nothing.
    public func locationManager(_ manager: LocationManager, didLoseHeading reason: String) {}
    /// Does nothing.
    public func locationManager(
        _ manager: LocationManager, needsCalibration quality: CalibrationQuality, reason: String
    ) {}
    /// Does nothing.
    public func locationManager(_ manager: LocationManager, didResolveCalibration quality: CalibrationQuality) {}
    /// Does nothing.
    public func locationManager(
        _ manager: LocationManager, didChangeMode mode: LocationMode, reason: LocationModeReason
    ) {}
    /// Does nothing.
    public func locationManager(
        _ manager: LocationManager, didChangeAuthorization status: AuthorizationStatus,
        accuracy: AccuracyAuthorization
    ) {}
    /// Does nothing.
    public func locationManager(_ manager: LocationManager, didChangeService isRunning: Bool) {}
    /// Does nothing.
    public func locationManager(_ manager: LocationManager, didFailWith error: LocateMeError) {}
}
