import Foundation
import TestSupport
import Testing

/// A bus with the rules of the system bus.
enum SystemBus {
    /// The bus policy that is installed, for a daemon that runs as root.
    static func withProductPolicy() throws -> PrivateBus {
        let file = try String(contentsOf: Repository.file("dbus/org.locateme.conf"), encoding: .utf8)
        let start = try #require(file.range(of: "<busconfig>")).upperBound
        let end = try #require(file.range(of: "</busconfig>")).lowerBound
        var policies = String(file[start..<end])
        // The service's user exists where the package is installed only.
        policies = policies.replacingOccurrences(of: "user=\"locateme\"", with: "user=\"root\"")
        return try PrivateBus(.system(policies: policies))
    }
}
