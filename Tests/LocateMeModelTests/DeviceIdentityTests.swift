import LocateMeModel
import Testing

@Suite("Identities of devices")
struct DeviceIdentityTests {
    private let lid = DeviceIdentity(busPath: "/sys/bus/i2c/1-000c", name: "ak8975", location: "lid")

    @Test("The same chip elsewhere is another device")
    func distinct() {
        #expect(lid == DeviceIdentity(busPath: "/sys/bus/i2c/1-000c", name: "ak8975", location: "lid"))
        #expect(lid != DeviceIdentity(busPath: "/sys/bus/i2c/1-000c", name: "ak8975", location: "base"))
        #expect(lid != DeviceIdentity(busPath: "/sys/bus/i2c/2-000c", name: "ak8975", location: "lid"))
        #expect(lid != DeviceIdentity(busPath: "/sys/bus/i2c/1-000c", name: "ak8963", location: "lid"))
    }

    @Test("A person reads name, place in the machine and where it hangs")
    func description() {
        #expect(lid.description == "ak8975 (lid) at /sys/bus/i2c/1-000c")
        #expect(
            DeviceIdentity(busPath: "ip:192.0.2.7", name: "rm3100", location: "").description
                == "rm3100 at ip:192.0.2.7")
    }

    @Test("A storage failure says its sentence")
    func failure() {
        #expect("\(StorageFailure("The disk is full; free some space."))" == "The disk is full; free some space.")
    }
}
