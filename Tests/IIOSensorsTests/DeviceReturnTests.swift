import Testing

@testable import IIOSensors

struct DeviceReturnTests {
    /// What is to be done after each of some looks, half a second apart, at a device that failed for the first time so many
    /// seconds ago.
    private func tries(_ looks: [DeviceReturn.Look], failingSince seconds: Int64 = 0) -> [Bool] {
        var pace = DeviceReturn()
        pace.failed(at: 7_000_000, usedSince: 7_000_000)
        var time = 7_000_000 + seconds * 1_000_000
        pace.failed(at: time, usedSince: time - 500_000)
        return looks.map { look in
            time += 500_000
            return pace.isToBeTried(look, at: time)
        }
    }

    @Test func `Values that come again make the device be tried at once, not before`() {
        #expect(tries([.failing, .failing, .failing, .well]) == [false, false, false, true])
        #expect(tries([.failing, .gone]) == [false, false])
    }

    @Test(arguments: [DeviceReturn.Look.well, .unknown])
    func `One that fails although its values can be read is tried after half a second, after a minute each second`(
        look: DeviceReturn.Look
    ) {
        #expect(tries([look]) == [true])
        #expect(tries([look, look], failingSince: 61) == [false, true])
    }

    @Test func `A device that has worked for a while fails for the first time`() {
        var pace = DeviceReturn()
        pace.failed(at: 0, usedSince: 0)
        pace.failed(at: 100_000_000, usedSince: 80_000_000)
        let isToBeTried = pace.isToBeTried(.well, at: 100_500_000)
        #expect(isToBeTried)
    }
}
