/// Keeps who has claimed sensors while the service is started anew, so that programs that claim once are served on.
public protocol ClaimStore: AnyObject {
    /// What was kept; nil: nothing.
    func load() -> String?
    /// Keeps a text in place of what was kept. Throws with what is wrong.
    func save(_ text: String) throws(StorageFailure)
}
