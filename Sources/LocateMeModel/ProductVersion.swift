/// The version of service, command and library, which are released together.
public enum ProductVersion {
    /// As `Manager1.Version` and `--version` tell it.
    public static let text = "0.1.0"
    /// UTC of this version in microseconds since the Unix epoch, 2026-11-30: a system clock before that is wrong.
    public static let releaseRealMicroseconds: Int64 = 1_796_000_400_000_000
}
