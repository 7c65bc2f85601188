import Foundation
import TestSupport
import Testing

@Suite("Access to sysfs attributes")
struct DeviceAccessTests {
    /// Attributes as kernels show them, with the mode before and whether the group may write afterwards.
    static let attributes: [(path: String, before: Int, writable: Bool)] = [
        ("sampling_frequency", 0o644, true), ("in_magn_sampling_frequency", 0o644, true),
        ("current_timestamp_clock", 0o644, true), ("buffer/enable", 0o644, true), ("buffer/length", 0o644, true),
        ("buffer/watermark", 0o644, true), ("buffer/data_available", 0o444, false),
        ("buffer/length_align_bytes", 0o444, false),
        ("buffer0/enable", 0o644, true), ("buffer0/in_magn_x_en", 0o644, true),
        ("buffer0/in_magn_x_index", 0o444, false),
        ("scan_elements/in_magn_x_en", 0o644, true), ("scan_elements/in_magn_x_index", 0o444, false),
        ("scan_elements/in_magn_x_type", 0o444, false), ("trigger/current_trigger", 0o644, true),
        ("in_magn_x_raw", 0o444, false), ("in_magn_scale", 0o644, false), ("in_magn_x_calibbias", 0o644, false),
        ("events/in_magn_x_thresh_rising_en", 0o644, false), ("power/control", 0o644, false), ("uevent", 0o644, false),
        // A driver that fixes its rate.
        ("in_accel_sampling_frequency", 0o444, false),
    ]

    @Test("The group gets what a reader has to set, and nothing else")
    func groupAccess() throws {
        let folder = try TemporaryFolder()
        for (path, mode, _) in Self.attributes {
            try folder.write("1\n", to: path)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path + "/" + path)
        }
        // Any user may give a file of theirs to their own group.
        let run = try Command.run(
            Repository.file("udev/iio-access").path, [folder.path], environment: ["LOCATEME_GROUP": "\(getegid())"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors == "")
        for (path, before, writable) in Self.attributes {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + path)
            let mode = try #require(attributes[.posixPermissions] as? Int)
            #expect(mode == (writable ? before | 0o020 : before), "\(path) has mode \(String(mode, radix: 8))")
        }
    }

    @Test("A link that leads out of the device is not followed")
    func links() throws {
        let folder = try TemporaryFolder()
        try folder.write("secret\n", to: "elsewhere")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path + "/elsewhere")
        try folder.write("", to: "device/uevent")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/device/sampling_frequency", withDestinationPath: folder.path + "/elsewhere")
        let run = try Command.run(
            Repository.file("udev/iio-access").path, [folder.path + "/device"],
            environment: ["LOCATEME_GROUP": "\(getegid())"])
        #expect(run.status == 0)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/elsewhere")[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test("A device that is gone ends the helper with a failure")
    func gone() throws {
        let run = try Command.run(Repository.file("udev/iio-access").path, ["/nonexistent/iio:device0"])
        #expect(run.status != 0)
    }
}
