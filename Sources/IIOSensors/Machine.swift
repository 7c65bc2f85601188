internal import Glibc

/// What this machine calls itself.
enum Machine {
    /// Entries of the devicetree's root `compatible` and the DMI modalias, as far as there are such; most particular
    /// first.
    static func names() -> [String] {
        let compatible = text("/sys/firmware/devicetree/base/compatible").split(separator: "\0").map(String.init)
        let modalias = AttributeText.trimmed(text("/sys/class/dmi/id/modalias"))
        return compatible + (modalias.isEmpty ? [] : [modalias])
    }

    /// The first 4 kB of a file, empty if it cannot be read.
    private static func text(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
    }
}
