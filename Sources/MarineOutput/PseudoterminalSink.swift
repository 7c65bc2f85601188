internal import CLinux
internal import EventLoop
internal import Glibc
public import LocateMeModel

/// A pseudo-terminal for programs that read serial ports, such as gpsd and plotters.
public final class PseudoterminalSink: LineSink {
    /// The device that readers open.
    public let name: String
    /// Nil: a terminal nobody reads takes everything.
    public let failure: String? = nil
    private let leader: Int32
    /// Kept open: without it a write fails while nobody reads, and the terminal would lose its raw mode.
    private let follower: Int32
    private let link: String?

    /// Makes one. Throws with what is wrong, for instance with the link.
    ///
    /// - Parameters:
    ///   - link: a path that is made a link to it; a link that is there is replaced.
    ///   - isForGroup: true lets the group of this process read it, false its user alone.
    public init(link: String?, isForGroup: Bool = false) throws(OutputFailure) {
        let leader = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard leader >= 0 else { throw Self.failed("make a pseudo-terminal") }
        var path = [CChar](repeating: 0, count: 128)
        guard grantpt(leader) == 0, unlockpt(leader) == 0, ptsname_r(leader, &path, UInt(path.count)) == 0 else {
            throw Self.failed("make a pseudo-terminal", closing: [leader])
        }
        let name = String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let follower = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard follower >= 0 else { throw Self.failed("open '\(name)'", closing: [leader]) }
        if isForGroup, fchown(follower, uid_t.max, getegid()) != 0 || fchmod(follower, 0o640) != 0 {
            throw Self.failed("let the group read '\(name)'", closing: [leader, follower])
        }
        var settings = termios()
        // Fails only for what is no terminal.
        _ = tcgetattr(follower, &settings)
        cfmakeraw(&settings)
        _ = cfsetspeed(&settings, speed_t(B38400))
        _ = tcsetattr(follower, TCSANOW, &settings)
        if let link {
            // Only a link is replaced: never a file that somebody needs.
            var target = [CChar](repeating: 0, count: 8)
            if readlink(link, &target, target.count) >= 0 { unlink(link) }
            guard symlink(name, link) == 0 else {
                throw Self.failed("make the link '\(link)'", closing: [leader, follower])
            }
        }
        self.leader = leader
        self.follower = follower
        self.name = name
        self.link = link
    }

    deinit {
        if let link { unlink(link) }
        close(leader)
        close(follower)
    }

    /// Sends lines; what a slow reader has not read is thrown away for them.
    public func send(_ lines: String) {
        var bytes = Array(lines.utf8)
        if write(leader, &bytes, bytes.count) == bytes.count { return }
        // Full, since nobody reads: what is old is worth nothing to who comes.
        tcflush(follower, TCIFLUSH)
        _ = write(leader, &bytes, bytes.count)
    }

    private static func failed(_ what: String, closing descriptors: [Int32] = []) -> OutputFailure {
        let error = OutputFailure("cannot \(what): \(Errno.current)")
        for descriptor in descriptors { close(descriptor) }
        return error
    }
}
