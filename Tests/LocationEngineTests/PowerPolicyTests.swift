import LocateMeModel
import LocationEngine
import Testing

/// The table of the background policy, cell by cell.
@Suite struct PowerPolicyTests {
    private func duties(_ mode: BackgroundMode) -> [LocationDuty] {
        var policy = PowerPolicy()
        policy.background = mode
        return [
            policy.duty(power: .external, isForeground: true), policy.duty(power: .external, isForeground: false),
            policy.duty(power: .battery, isForeground: true), policy.duty(power: .battery, isForeground: false),
            policy.duty(power: .low, isForeground: true), policy.duty(power: .low, isForeground: false),
        ]
    }

    @Test func `T31, T33, T34, T52: the standard`() {
        #expect(
            duties(.standard) == [
                .continuous, .continuous, .continuous, .significant, .reduced(seconds: 60), .paused,
            ])
    }

    @Test func `A9: foreground only`() {
        #expect(
            duties(.foregroundOnly) == [
                .continuous, .paused, .continuous, .paused, .reduced(seconds: 60), .paused,
            ])
    }

    @Test func `T32, A9: always`() {
        #expect(
            duties(.always) == [
                .continuous, .continuous, .continuous, .continuous, .reduced(seconds: 10), .reduced(seconds: 10),
            ])
    }

    @Test func `A11: periodic`() {
        #expect(
            duties(.periodic) == [
                .continuous, .periodic(seconds: 900), .continuous, .periodic(seconds: 900), .reduced(seconds: 60),
                .periodic(seconds: 1800),
            ])
    }

    @Test func `T35, X18: no battery and a full one are external, unknown is battery, 20 per cent is low`() {
        var reading = PowerReading()
        #expect(reading.state == .battery)
        reading.isKnown = true
        #expect(reading.state == .external)
        reading.isOnBattery = true
        #expect(reading.state == .battery)
        reading.percent = 20.1
        #expect(reading.state == .battery)
        reading.percent = 20
        #expect(reading.state == .low)
        reading.isOnBattery = false
        #expect(reading.state == .external, "charging")
        reading.profile = "power-saver"
        #expect(reading.state == .battery, "the user saves power")
    }

    @Test func `Session1.Background has a number for each duty`() {
        let duties: [LocationDuty] = [
            .continuous, .reduced(seconds: 1), .periodic(seconds: 1), .significant, .paused,
        ]
        #expect(duties.map(\.backgroundNumber) == [0, 1, 1, 2, 3])
    }
}
