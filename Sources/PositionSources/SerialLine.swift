internal import EventLoop
internal import Glibc

/// Terminal devices as plain wires: eight bits, no echo, no control characters, no modem lines.
enum SerialLine {
    /// An open device with the settings that it had before.
    struct Opened {
        let descriptor: Int32
        let original: termios
    }

    /// Opens without waiting for a carrier, for one reader alone. ENOTTY for what is no terminal device, EBUSY if another
    /// program has it alone.
    static func open(_ path: String, baud: Int) throws(Errno) -> Opened {
        let descriptor = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Errno.current }
        var original = termios()
        guard tcgetattr(descriptor, &original) == 0 else {
            let error = Errno.current
            close(descriptor)
            throw error
        }
        // Two readers would get half of the sentences each. A pseudoterminal may refuse; then nothing is lost.
        _ = ioctl(descriptor, UInt(TIOCEXCL))
        do throws(Errno) {
            try configure(descriptor, baud: baud)
        } catch {
            close(descriptor)
            throw error
        }
        return Opened(descriptor: descriptor, original: original)
    }

    /// Sets raw mode and the rate, and drops what has come in at another one.
    static func configure(_ descriptor: Int32, baud: Int) throws(Errno) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { throw Errno.current }
        cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
        settings.c_cflag &= ~tcflag_t(CSTOPB) & ~tcflag_t(bitPattern: Int32(truncatingIfNeeded: CRTSCTS))
        guard let speed = speed(baud), cfsetispeed(&settings, speed) == 0, cfsetospeed(&settings, speed) == 0 else {
            throw Errno(rawValue: EINVAL)
        }
        guard tcsetattr(descriptor, TCSANOW, &settings) == 0 else { throw Errno.current }
        // Half a sentence in front is no harm if this fails.
        _ = tcflush(descriptor, TCIFLUSH)
    }

    private static func speed(_ baud: Int) -> speed_t? {
        let speeds: [Int: Int32] = [
            4800: B4800, 9600: B9600, 19_200: B19200, 38_400: B38400, 57_600: B57600, 115_200: B115200,
            230_400: B230400, 460_800: B460800, 921_600: B921600,
        ]
        return speeds[baud].map { speed_t($0) }
    }
}
