/// What the machine is called by its firmware.
enum DeviceName {
    /// The model of the device tree, or vendor and product of the DMI; empty if neither is there.
    static func ofThisMachine() -> String {
        if let model = text("/sys/firmware/devicetree/base/model"), !model.isEmpty { return model }
        let parts = ["sys_vendor", "product_name"].compactMap { text("/sys/class/dmi/id/\($0)") }
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func text(_ path: String) -> String? {
        guard let bytes = try? WholeFile.read(path, limit: 4096) else { return nil }
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        return TextWidth.clean(String(text.split(whereSeparator: \.isNewline).first ?? ""))
    }
}
