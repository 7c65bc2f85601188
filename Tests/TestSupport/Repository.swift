import Foundation

/// Places in the checkout that tests read.
public enum Repository {
    /// The folder that holds Package.swift.
    public static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A file of the checkout.
    public static func file(_ path: String) -> URL { root.appendingPathComponent(path) }
}
