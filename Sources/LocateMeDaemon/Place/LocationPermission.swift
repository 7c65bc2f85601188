internal import MessageBus

/// Who may know the place, and with it the true heading: root, the user that the daemon runs as, and on a session
/// bus, which is one user's own, everybody.
struct LocationPermission: Hashable {
    /// True on a session bus.
    var isSessionBus: Bool
    /// The user of this process.
    var ownUserID: UInt32

    /// True if the caller may know the place.
    func allows(_ caller: BusCaller) -> Bool {
        isSessionBus || caller.credentials.userID == 0 || caller.credentials.userID == ownUserID
    }
}
