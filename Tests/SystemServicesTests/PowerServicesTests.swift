import EventLoop
import Foundation
import LocateMeModel
import MessageBus
import SystemServices
import TestSupport
import Testing

/// Against python-dbusmock's UPower and power-profiles-daemon.
@Suite(.needs(.program("dbus-daemon")), .needs(.pythonModule("dbusmock")))
struct PowerServicesTests {
    private struct Bench {
        let bus: PrivateBus
        let loop: EventLoop
        let connection: BusConnection

        init() throws {
            bus = try PrivateBus()
            loop = try EventLoop()
            connection = try BusConnection(.address(bus.address), loop: loop)
        }
    }

    @Test func `Bar 26, T35: no UPower is external power, and that is known at once`() throws {
        let bench = try Bench()
        let power = PowerServices(connection: bench.connection)
        #expect(power.reading.state == .battery, "X18: closed until it is known")
        _ = try bench.loop.run { power.reading.isKnown }
        #expect(power.reading.state == .external)
        #expect(power.reading.profile.isEmpty)
    }

    @Test func `Bar 26: mains, battery, low battery and the user's saving are seen as they change`() throws {
        let bench = try Bench()
        let upower = try MockService(bench.bus, template: "upower", name: ServiceName.powerSupply)
        let power = PowerServices(connection: bench.connection)
        var changes = 0
        power.readingChanged = { changes += 1 }
        _ = try bench.loop.run { power.reading.isKnown }
        #expect(power.reading.state == .external, "a desktop has no battery")
        try upower.setPower(onBattery: true, percent: 70)
        _ = try bench.loop.run { power.reading.state == .battery && power.reading.percent == 70 }
        #expect(power.reading.state == .battery)
        try upower.setPower(onBattery: true, percent: 20)
        _ = try bench.loop.run { power.reading.state == .low }
        #expect(power.reading.state == .low)
        try upower.setPower(onBattery: false, percent: 20)
        _ = try bench.loop.run { power.reading.state == .external }
        #expect(power.reading.state == .external)
        #expect(changes >= 3)

        let profiles = try MockService(
            bench.bus, template: "power_profiles_daemon", name: ServiceName.powerProfiles)
        _ = try bench.loop.run { !power.reading.profile.isEmpty }
        try profiles.setProfile("power-saver")
        _ = try bench.loop.run { power.reading.state == .battery }
        #expect(power.reading.profile == "power-saver")
        #expect(power.reading.state == .battery)
    }

    @Test func `A UPower that goes away leaves external power`() throws {
        let bench = try Bench()
        let upower = try MockService(bench.bus, template: "upower", name: ServiceName.powerSupply)
        let power = PowerServices(connection: bench.connection)
        try upower.setPower(onBattery: true, percent: 70)
        _ = try bench.loop.run { power.reading.state == .battery && power.reading.isKnown }
        upower.stop()
        _ = try bench.loop.run { power.reading.state == .external }
        #expect(power.reading.state == .external)
    }
}
