import Foundation

/// Programs of this package as the running tests were built.
public enum BuiltProducts {
    /// The path of an executable target's program.
    public static func executable(_ name: String) -> String {
        // The test runner lies beside them.
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent(name).path
    }
}
