/// A system call that fails inside a rig, by strace(1): any error on any file, which no real file could give.
public struct IIORigInjection: Sendable {
    var device: Int
    var file: String
    var call: String
    var error: String
    var when: String

    /// - Parameters:
    ///   - device: the device's number.
    ///   - file: an attribute, or `node` for the character device.
    ///   - call: `read`, `write`, `openat`.
    ///   - error: `EBUSY`, `EINVAL`.
    ///   - when: which calls on that file, as strace counts: `1+` all, `10..40` those.
    public init(_ device: Int, _ file: String, call: String, error: String, when: String = "1+") {
        self.device = device
        self.file = file
        self.call = call
        self.error = error
        self.when = when
    }

    func strace(_ rig: IIORig) -> [String] {
        let path = file == "node" ? "/dev/iio:device\(device)" : rig.insidePath(device, file)
        return [
            "strace", "-f", "-qq", "-o", "/dev/null", "-P", path, "-e", "trace=\(call)",
            "-e", "inject=\(call):error=\(error):when=\(when)",
        ]
    }
}
