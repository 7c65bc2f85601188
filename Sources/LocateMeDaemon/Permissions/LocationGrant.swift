internal import LocateMeBusInterface

/// What one caller may know of the place.
struct LocationGrant: Hashable {
    var status: AuthorizationStatus
    var accuracy: AccuracyAuthorization

    /// Everything.
    static let full = LocationGrant(status: .always, accuracy: .full)
    /// Nothing.
    static let denied = LocationGrant(status: .denied, accuracy: .none)
    /// Nothing yet.
    static let undetermined = LocationGrant(status: .notDetermined, accuracy: .none)

    /// True if places may be told, exact or coarse.
    var isGranted: Bool { status.isGranted && accuracy != .none }
}
