import LocateMeModel
import Testing

@Suite struct NMEAAddressTests {
    @Test(
        "Addresses are read and written as they are configured",
        arguments: [
            ("tty:/dev/ttyACM0", .serial(path: "/dev/ttyACM0", baud: nil)),
            ("tty:/dev/ttyUSB0:4800", .serial(path: "/dev/ttyUSB0", baud: 4800)),
            ("tty:/dev/serial/by-id/usb:gps", .serial(path: "/dev/serial/by-id/usb:gps", baud: nil)),
            ("tcp:plotter.local:10110", .tcp(host: "plotter.local", port: 10110)),
            ("tcp:[fe80::1]:10110", .tcp(host: "fe80::1", port: 10110)), ("udp:2000", .udp(address: nil, port: 2000)),
            ("udp:239.192.0.1:60001", .udp(address: "239.192.0.1", port: 60001)),
            ("unix:/run/nmea", .unix(path: "/run/nmea")),
        ] as [(String, NMEAAddress.Transport)])
    func addresses(text: String, transport: NMEAAddress.Transport) throws {
        let address = try NMEAAddress(parsing: text)
        #expect(address.transport == transport && address.description == text && !address.isChecksumOptional)
        #expect(try NMEAAddress(parsing: text + ",checksum=optional").isChecksumOptional)
    }

    @Test(
        "What is no address is refused",
        arguments: [
            "", "tty:", "tty:ttyUSB0", "tty:/dev/ttyUSB0:1234", "tcp:host", "tcp:10110", "tcp::10110", "tcp:host:0",
            "tcp:host:65536", "tcp:host:+1", "tcp:::1:10110", "tcp:a b:1", "udp:", "udp:x", "unix:nmea", "usb:1",
            "/dev/ttyUSB0", "udp:1,checksum=none", "udp:1,", "unix:/" + String(repeating: "a", count: 108),
        ])
    func refused(text: String) { #expect(throws: NMEAAddress.Failure.self) { try NMEAAddress(parsing: text) } }
}
