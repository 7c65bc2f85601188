/// Decides what callers on the system bus may do: polkit.
public protocol AuthorityChecker: AnyObject {
    /// Called when answers may have become others.
    var authorityChanged: () -> Void { get set }
    /// Asks whether a connection may do something. `mayAsk`: the user may be asked for it, which takes as long as it takes.
    /// `reply` is called once, at the latest after the time-out.
    func check(
        _ uniqueName: String, action: String, mayAsk: Bool, timeoutMilliseconds: Int32,
        reply: @escaping (AuthorityAnswer) -> Void)
    /// Tells the user whose session is active at the seat of this machine; nil: nobody's, or nobody knows.
    func activeUser(reply: @escaping (UInt32?) -> Void)
}

/// An answer of an `AuthorityChecker`.
public enum AuthorityAnswer: Hashable, Sendable {
    /// Permitted.
    case yes
    /// Not permitted.
    case no
    /// Permitted if the user says so, who was not asked or could not be.
    case challenge
    /// There is no authority.
    case absent
    /// No answer came in time, or one that cannot be understood; the sentence says what.
    case failed(String)
}
