/// The version of the service.
public enum DaemonVersion {
    /// As `Manager1.Version` and `locatemed --version` tell it.
    public static let text = "0.1.0"
    /// UTC of this version in microseconds since the Unix epoch, 2026-11-30: a system clock before that is wrong.
    static let releaseRealMicroseconds: Int64 = 1_796_000_400_000_000
}
