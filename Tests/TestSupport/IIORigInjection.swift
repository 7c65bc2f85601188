/// A system call that fails or takes its time inside a rig, by strace(1): any error on any file, which no real file
/// could give. strace counts calls per thread.
public struct IIORigInjection: Sendable {
    private var device: Int
    private var file: String
    private var call: String
    private var effect: String
    private var when: String

    /// A call that fails.
    ///
    /// - Parameters:
    ///   - device: the device's number.
    ///   - file: an attribute, or `node` for the character device.
    ///   - call: `read`, `write`, `openat`.
    ///   - error: `EBUSY`, `EINVAL`.
    ///   - when: which calls on that file, as strace counts: `1+` all, `10..40` those.
    public init(_ device: Int, _ file: String, call: String, error: String, when: String = "1+") {
        self.init(device, file, call, "error=\(error)", when)
    }

    /// A call that returns after so many seconds.
    public init(_ device: Int, _ file: String, call: String, delaySeconds: Int, when: String = "1+") {
        self.init(device, file, call, "delay_enter=\(delaySeconds)000000", when)
    }

    private init(_ device: Int, _ file: String, _ call: String, _ effect: String, _ when: String) {
        self.device = device
        self.file = file
        self.call = call
        self.effect = effect
        self.when = when
    }

    func strace(_ rig: IIORig) -> [String] {
        // Open files go by their resolved path, opening ones by the path that libiio says.
        let paths =
            file == "node"
            ? ["/dev/iio:device\(device)"]
            : [rig.insidePath(device, file), "/sys/bus/iio/devices/iio:device\(device)/\(file)"]
        return ["strace", "-f", "-qq", "-o", "/dev/null"] + paths.flatMap { ["-P", $0] }
            + ["-e", "trace=\(call)", "-e", "inject=\(call):\(effect):when=\(when)"]
    }
}
