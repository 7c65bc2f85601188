public import MessageBus

/// The service's own errors, `org.locateme.Error.*`.
extension BusError.Code {
    private init(locateMe name: String) { self.init(rawValue: "org.locateme.Error." + name) }

    /// No fix yet; the service keeps trying.
    public static let locationUnknown = Self(locateMe: "LocationUnknown")
    /// User or policy said no.
    public static let denied = Self(locateMe: "Denied")
    /// Cannot be changed by this user.
    public static let restricted = Self(locateMe: "Restricted")
    /// Location is switched off for everyone.
    public static let servicesDisabled = Self(locateMe: "ServicesDisabled")
    /// The user was not asked.
    public static let promptDeclined = Self(locateMe: "PromptDeclined")
    /// There is no agent that could ask the user.
    public static let noAgent = Self(locateMe: "NoAgent")
    /// A network service failed.
    public static let network = Self(locateMe: "Network")
    /// Too many requests.
    public static let throttled = Self(locateMe: "Throttled")
    /// No heading can be had.
    public static let headingFailure = Self(locateMe: "HeadingFailure")
    /// Regions are not permitted.
    public static let regionMonitoringDenied = Self(locateMe: "RegionMonitoringDenied")
    /// The region cannot be monitored.
    public static let regionMonitoringFailure = Self(locateMe: "RegionMonitoringFailure")
    /// The region is not monitored yet.
    public static let regionSetupDelayed = Self(locateMe: "RegionSetupDelayed")
    /// Region events come late.
    public static let regionResponseDelayed = Self(locateMe: "RegionResponseDelayed")
    /// Too many regions.
    public static let regionLimit = Self(locateMe: "RegionLimit")
    /// No such address.
    public static let geocodeNoResult = Self(locateMe: "GeocodeNoResult")
    /// Part of the address was found.
    public static let geocodePartialResult = Self(locateMe: "GeocodePartialResult")
    /// The look-up was cancelled.
    public static let geocodeCanceled = Self(locateMe: "GeocodeCanceled")
    /// A batch ended early.
    public static let deferredFailed = Self(locateMe: "DeferredFailed")
    /// No route of that id.
    public static let noSuchRoute = Self(locateMe: "NoSuchRoute")
    /// The file is not of the format.
    public static let badFormat = Self(locateMe: "BadFormat")
    /// The state directory cannot be read or written.
    public static let storageFailure = Self(locateMe: "StorageFailure")
    /// A replay runs.
    public static let replayActive = Self(locateMe: "ReplayActive")
    /// The calibration has not converged.
    public static let notCalibrated = Self(locateMe: "NotCalibrated")

    /// The service's errors by number, from 1: what batch results carry.
    public static let locateMeErrors: [BusError.Code] = [
        .locationUnknown, .denied, .restricted, .servicesDisabled, .promptDeclined, .noAgent, .network, .throttled,
        .headingFailure, .regionMonitoringDenied, .regionMonitoringFailure, .regionSetupDelayed,
        .regionResponseDelayed, .regionLimit, .geocodeNoResult, .geocodePartialResult, .geocodeCanceled,
        .deferredFailed, .noSuchRoute, .badFormat, .storageFailure, .replayActive, .notCalibrated,
    ]

    /// The number of an error of the service; nil for all others.
    public var locateMeNumber: UInt32? { Self.locateMeErrors.firstIndex(of: self).map { UInt32($0 + 1) } }
}
