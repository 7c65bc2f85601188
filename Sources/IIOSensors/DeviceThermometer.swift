internal import EventLoop

/// The thermometer of a magnetometer's device, `in_temp_input` or `in_temp_raw` with offset and scale: milli-°C by the
/// kernel's ABI (Documentation/ABI/testing/sysfs-bus-iio). Read now and then; what cannot be read, as while the buffer
/// has the chip, is left out.
struct DeviceThermometer {
    private let value: IIOAttribute
    private let offset: Double
    private let scale: Double
    /// CLOCK_MONOTONIC in µs when it is to be read again.
    private(set) var due: Int64 = 0

    /// Temperatures of chips change slowly.
    private static let period: Int64 = 20_000_000

    /// Nil if the device has none.
    init?(_ device: IIODevice) {
        guard let channel = device.channel(id: "temp") else { return nil }
        let names = Set(channel.attributeNames)
        func attribute(_ name: String) -> IIOAttribute? {
            guard names.contains(name) else { return nil }
            return IIOAttribute(fileName: channel.fileName(of: name), name: name, device: device, channel: channel)
        }
        if let input = attribute("input") {
            value = input
            offset = 0
            scale = 1
        } else {
            guard let raw = attribute("raw") else { return nil }
            value = raw
            offset = attribute("offset").flatMap { try? $0.readNumber() } ?? 0
            scale = attribute("scale").flatMap { try? $0.readNumber() } ?? 1
        }
    }

    /// °C, if it is time to read it and it can be read. Nothing outside of −60…150 °C is a chip's.
    mutating func read(at now: Int64) -> Double? {
        guard now >= due else { return nil }
        due = now + Self.period
        guard let number = try? value.readNumber() else { return nil }
        let degrees = (number + offset) * scale / 1000
        return degrees.isFinite && degrees > -60 && degrees < 150 ? degrees : nil
    }
}
