internal import CLinux
internal import Glibc

/// The memory that the program and its libraries themselves take.
public enum ProgramPages {
    /// Takes the pages of code and constants out of the process, and gives free heap back. Whatever is still used is
    /// mapped again from the page cache at its next use, in some microseconds and without the disk; what only ran at
    /// the start (initialisers of libraries, the search for devices, opening of files) stays out. For a program that
    /// has settled: each call costs a few hundred minor faults (madvise(2), MADV_DONTNEED).
    public static func release() {
        locateme_release_program_pages(UInt(getpagesize()))
        _ = malloc_trim(0)
    }
}
