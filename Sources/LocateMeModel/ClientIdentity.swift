/// Whose something is that outlives a session: a user's application. The user is certain, the application's id is what it
/// says of itself, so nothing is granted for it that the user would not get.
public struct ClientIdentity: Hashable, Sendable {
    /// The user.
    public var userID: UInt32
    /// Desktop file id; empty: unknown, and then nothing outlives the session.
    public var applicationID: String

    /// An identity.
    public init(userID: UInt32, applicationID: String) {
        self.userID = userID
        self.applicationID = applicationID
    }

    /// True if something can be kept for it.
    public var isKnown: Bool { !applicationID.isEmpty }
}
