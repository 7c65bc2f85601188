internal import Glibc

/// The firmware's name of this machine, as udev's hardware database matches it.
enum MachineName {
    /// Vendor and product out of the DMI modalias (`/sys/class/dmi/id/modalias`, fields of Linux's dmi-id.c), as systemd's
    /// 60-sensor.hwdb matches them; `*` for machines that have none, and for another machine.
    static func pattern(isLocal: Bool) -> String {
        guard isLocal, let modalias = read("/sys/class/dmi/id/modalias") else { return "*" }
        return pattern(ofModalias: modalias)
    }

    /// The pattern for a modalias such as `dmi:bvnX:bvr1:bd01/02/2020:svnLENOVO:pn20:…`.
    static func pattern(ofModalias modalias: String) -> String {
        let fields = modalias.split(separator: ":")
        guard fields.first == "dmi", let vendor = fields.first(where: { $0.hasPrefix("svn") }),
            let product = fields.first(where: { $0.hasPrefix("pn") })
        else { return "*" }
        return "dmi:*:\(vendor):\(product):*"
    }

    private static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].filter { $0 >= 32 && $0 < 127 }, as: UTF8.self)
    }
}
