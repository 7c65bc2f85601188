/// Packing of one value as an IIO driver lays it into a scan: the reverse of `iio_channel_convert`.
struct IIORigScanFormat {
    let isBigEndian: Bool
    let isSigned: Bool
    let bits: Int
    let storageBytes: Int
    let shift: Int

    /// `be:s24/32>>8`; nil for what the kernel would not print.
    init?(_ text: String) {
        let order = text.prefix(3)
        guard order == "be:" || order == "le:", let sign = text.dropFirst(3).first, "su".contains(sign) else {
            return nil
        }
        let rest = text.dropFirst(4)
        guard let slash = rest.firstIndex(of: "/"), let arrow = rest.firstIndex(of: ">"),
            let bits = Int(rest[..<slash]), let storage = Int(rest[rest.index(after: slash)..<arrow]),
            let shift = Int(rest[arrow...].drop { $0 == ">" }), storage % 8 == 0, bits + shift <= storage
        else { return nil }
        isBigEndian = order == "be:"
        isSigned = sign == "s"
        self.bits = bits
        storageBytes = storage / 8
        self.shift = shift
    }

    /// The bytes of a value. Bits that the format leaves undefined are filled with ones, as no driver promises zeros.
    func bytes(_ value: Int64) -> [UInt8] {
        let width = storageBytes * 8
        let all = width == 64 ? UInt64.max : (UInt64(1) << UInt64(width)) - 1
        let mask = (bits == 64 ? UInt64.max : (UInt64(1) << UInt64(bits)) - 1) << UInt64(shift)
        let word = (UInt64(bitPattern: value) << UInt64(shift)) & mask | (all & ~mask)
        let little = (0..<storageBytes).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
        return isBigEndian ? little.reversed() : little
    }
}
