import Foundation
import TestSupport
import Testing

/// Devices of which one makes libiio show none.
@Suite(.needsIIORig())
struct ContextObstacleTests {
    struct Shape: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var attribute: String
        var fault: IIORig.Fault?
        var said: String
    }

    @Test(
        .ownThread,
        arguments: [
            Shape(testDescription: "empty name", attribute: "name", fault: .empty, said: "its name is empty"),
            Shape(
                testDescription: "name that fails", attribute: "name", fault: .inputOutputError,
                said: "its name cannot be read"),
            Shape(
                testDescription: "endless name", attribute: "name", fault: .text(String(repeating: "x", count: 5000)),
                said: "its name is too long"),
            Shape(testDescription: "empty label", attribute: "label", fault: .empty, said: "its label is empty"),
            Shape(
                testDescription: "index that is no number", attribute: "scan_elements/in_light_x_index",
                fault: .text("banana"), said: "scan_elements/in_light_x_index is no number"),
            Shape(
                testDescription: "entry that leads nowhere", attribute: "odd", fault: nil, said: "odd cannot be read"),
        ])
    func `A device that hides all others is named, and the others come back once it is well`(shape: Shape) throws {
        let rig = try IIORig(devices: [
            .magnetometer(type: nil), .accelerometer(),
            .threeAxis("light", name: "odd", scale: "1", attributes: ["label": "lid"]),
        ])
        let file = rig.path(2, shape.attribute)
        let before = rig.get(2, shape.attribute)
        if let fault = shape.fault {
            try rig.breakAttribute(2, shape.attribute, fault)
        } else {
            try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/nowhere")
        }
        let probe = try Probe(in: rig)
        try probe.ask("start 50")
        try probe.waitForFinding("device-unreadable", seconds: 30)
        let finding = try probe.ask("findings").first { $0.hasPrefix("finding device-unreadable") } ?? ""
        #expect(finding.contains("iio:device2") && finding.contains(shape.said), "\(finding)")
        try probe.wait("the reason of the loss") { $0.contains { $0.hasPrefix("lost") && $0.contains(shape.said) } }
        if let before {
            try rig.set(2, shape.attribute, before)
        } else {
            try FileManager.default.removeItem(atPath: file)
        }
        try probe.waitForMore(5, seconds: 30)
        try probe.waitForFinding("device-unreadable", isThere: false)
    }

    @Test(.ownThread) func `Devices at work go on when one comes that hides all others`() throws {
        let rig = try IIORig(devices: [
            .magnetometer(type: nil), .accelerometer(), .threeAxis("light", name: "odd", scale: "1"),
        ])
        let probe = try Probe(in: rig)
        try probe.ask("start 50")
        try probe.waitForMore(5)
        try rig.breakAttribute(2, "name", .empty)
        try probe.ask("discover")
        try probe.waitForFinding("device-unreadable")
        try probe.waitForMore(20)
        #expect(!probe.lines.contains { $0.hasPrefix("lost") })
    }
}
