import Foundation
import TestSupport
import Testing

/// The rules, as the real udev evaluates them on devices that umockdev shows it, in a mount namespace in which the
/// group exists and udev's database and /dev are private.
@Suite("udev rules", .needs(.mountNamespace), .needs(.program("umockdev-run")), .needs(.program("udevadm")))
struct UdevRulesTests {
    /// A device of the subsystem iio with the given attributes.
    struct Device: CustomTestStringConvertible {
        let name: String
        let attributes: [String]
        var hasNode = true
        var testDescription: String { "\(name) with \(attributes.joined(separator: ", "))" }
    }

    static let compasses = [
        Device(name: "iio:device0", attributes: ["in_magn_x_raw", "in_magn_y_raw", "in_magn_z_raw"]),
        Device(name: "iio:device3", attributes: ["scan_elements/in_magn_x_en"]),
        Device(name: "iio:device12", attributes: ["in_accel_x_raw", "in_magn_x_raw", "in_anglvel_x_raw"]),
        Device(name: "iio:device1", attributes: ["in_rot_from_north_magnetic_tilt_comp_raw"]),
        Device(name: "iio:device1", attributes: ["scan_elements/in_rot_from_north_magnetic_tilt_comp_en"]),
    ]
    static let motionSensors = [
        Device(name: "iio:device0", attributes: ["in_accel_x_raw", "in_accel_y_raw", "in_accel_z_raw"]),
        Device(name: "iio:device2", attributes: ["scan_elements/in_anglvel_x_en"]),
        Device(name: "iio:device2", attributes: ["in_anglvel_x_raw"]),
    ]
    static let strangers = [
        Device(name: "iio:device0", attributes: ["in_voltage0_raw"]),
        Device(name: "iio:device0", attributes: ["in_illuminance_raw", "in_proximity_raw"]),
        // A Hall switch: one axis makes no compass.
        Device(name: "iio:device0", attributes: ["in_magn_raw"]),
    ]

    @Test("A compass gets the group, the helper, and starts the service", arguments: compasses)
    func compass(device: Device) throws {
        let log = try evaluate(device)
        expectAccess(log, device)
        #expect(log.contains("SYSTEMD_WANTS=locatemed.service\n"))
        #expect(log.contains("TAGS=:systemd:\n"))
    }

    @Test("An accelerometer or gyroscope gets the group and the helper, and starts nothing", arguments: motionSensors)
    func motion(device: Device) throws {
        let log = try evaluate(device)
        expectAccess(log, device)
        #expect(!log.contains("SYSTEMD_WANTS"))
    }

    @Test("Other devices are left alone", arguments: strangers)
    func stranger(device: Device) throws {
        let log = try evaluate(device)
        // The rules may ask the hardware database of what a device is; they change nothing.
        #expect(!log.contains("GROUP 64999"))
        #expect(!log.contains("iio-access"))
        #expect(!log.contains("SYSTEMD_WANTS"))
    }

    @Test("A timer trigger gets the helper for its rate")
    func trigger() throws {
        let log = try evaluate(Device(name: "trigger0", attributes: ["sampling_frequency"], hasNode: false))
        #expect(log.contains("run: '/usr/lib/locateme/iio-access /sys/devices/rig/trigger0'\n"))
        #expect(!log.contains("SYSTEMD_WANTS"))
    }

    @Test("Removal wants nothing")
    func removal() throws {
        let log = try evaluate(Self.compasses[0], action: "remove")
        #expect(!log.contains("70-locateme.rules:"))
    }

    private func expectAccess(_ log: String, _ device: Device) {
        #expect(log.contains("GROUP 64999\n"))
        #expect(log.contains("MODE 0660\n"))
        #expect(log.contains("run: '/usr/lib/locateme/iio-access /sys/devices/rig/\(device.name)'\n"))
    }

    /// What `udevadm test` says of the device. The rules of iio-sensor-proxy, where that is installed, want a service of
    /// their own; they are hidden.
    private func evaluate(_ device: Device, action: String = "add") throws -> String {
        let folder = try TemporaryFolder()
        var description = "P: /devices/rig/\(device.name)\nE: SUBSYSTEM=iio\n"
        if device.hasNode {
            description += "E: DEVTYPE=iio_device\nE: DEVNAME=/dev/\(device.name)\nE: MAJOR=247\nE: MINOR=0\n"
        }
        description += device.attributes.map { "A: \($0)=1\\n\n" }.joined() + "\n"
        try folder.write(description, to: "device")
        let groups = try String(contentsOfFile: "/etc/group", encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("locateme:") }
        try folder.write((groups + ["locateme:x:64999:", ""]).joined(separator: "\n"), to: "group")
        try folder.write(
            try String(contentsOf: Repository.file("udev/70-locateme.rules"), encoding: .utf8),
            to: "rules/70-locateme.rules")
        try folder.write(
            """
            set -e
            mount --bind group /etc/group
            mount -t tmpfs none /etc/udev
            mkdir /etc/udev/rules.d
            cp rules/* /etc/udev/rules.d/
            for other in /lib/udev/rules.d/*iio-sensor-proxy*; do
                if [ -e "$other" ]; then mount --bind /dev/null "$other"; fi
            done
            mkdir -p /run/udev upper work
            mount -t tmpfs none /run/udev
            mount -t tmpfs none work
            mkdir work/upper work/work
            mount -t overlay none -o lowerdir=/dev,upperdir=work/upper,workdir=work/work /dev
            SYSTEMD_LOG_LEVEL=debug exec umockdev-run -d device -- \
                udevadm test --action=\(action) /sys/devices/rig/\(device.name)

            """, to: "run")
        let run = try Command.run(
            try #require(Requirement.path(of: "unshare")),
            ["-m", "/bin/sh", "-c", "cd '\(folder.path)' && . ./run"])
        let log = run.output + run.errors
        try #require(run.status == 0 && log.contains("DEVPATH=/devices/rig/\(device.name)"), "\(log.suffix(2000))")
        return log
    }
}
