internal import CLinux

/// The allocator of the process.
public enum Heap {
    /// Makes all threads share one arena, and gives free memory back to the system sooner. For a program whose threads
    /// mostly wait: an arena of its own would cost each of them 50 kB and more. Call it before the first thread starts.
    public static func beFrugal() {
        // Each says whether glibc took it; where it did not, memory is only used less well.
        _ = mallopt(M_ARENA_MAX, 1)
        _ = mallopt(M_TRIM_THRESHOLD, 64 << 10)
    }
}
