/// Who a connection belongs to, as the bus vouches for it.
public struct BusCredentials: Hashable, Sendable {
    /// The user.
    public var userID: UInt32
    /// The process when it connected; 0 if the bus does not tell. A pid can be reused, so it proves nothing.
    public var processID: UInt32

    /// Credentials.
    public init(userID: UInt32, processID: UInt32) {
        self.userID = userID
        self.processID = processID
    }

    /// From an answer of `GetConnectionCredentials`.
    static func read(_ message: BusMessage) -> Result<BusCredentials, BusError> {
        do throws(BusError) {
            var reader = message.reader()
            let entries = try reader.readDictionary()
            guard let user = entries["UnixUserID"]?.uint32Value else {
                return .failure(BusError(.failed, "the bus does not tell the user of a connection"))
            }
            return .success(BusCredentials(userID: user, processID: entries["ProcessID"]?.uint32Value ?? 0))
        } catch {
            return .failure(error)
        }
    }
}
