internal import Glibc

/// An error number of Linux with its plain text.
public struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number, such as 2 for ENOENT.
    public let rawValue: Int32

    /// An error of the given number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// What `errno` holds now.
    public static var current: Errno { Errno(rawValue: errno) }

    /// The text of `strerror_r`, such as "No such file or directory".
    public var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let base = buffer.baseAddress, strerror_r(rawValue, base, buffer.count) == 0 else {
                return "error \(rawValue)"
            }
            return String(cString: base)
        }
    }
}
