/// Keeps `StoredHeadingState` between runs, one per device.
public protocol HeadingStateStore: AnyObject {
    /// What is kept for a device.
    func load(for device: DeviceIdentity) -> StoredStateAnswer
    /// The devices of which something is kept; empty if that cannot be read.
    func devices() -> [DeviceIdentity]
    /// Keeps a state in place of the one before, whole or not at all; nil forgets the device.
    /// Throws when it could not be kept; what was kept before then still is.
    func save(_ state: StoredHeadingState?, for device: DeviceIdentity) throws(StorageFailure)
}

/// What a store knows of a device.
public enum StoredStateAnswer: Hashable, Sendable {
    /// Nothing was ever kept.
    case nothing
    /// A valid state.
    case state(StoredHeadingState)
    /// Something is kept that cannot be used; the sentence says what and why. It stays where it is until replaced.
    case refused(reason: String)
}

/// Why something could not be kept, in a sentence that says what to do.
public struct StorageFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    /// A failure.
    public init(_ description: String) { self.description = description }
}
