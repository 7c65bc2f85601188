import Geometry
import HeadingEstimation
import LocateMeModel
import Testing

/// Expected numbers are the closed form of the attitudes: heading, then pitch, then roll.
@Suite("Heading reference")
struct HeadingReferenceTests {
    @Test(
        "A flat device's heading is its top edge's azimuth", arguments: [0.0, 45, 90, 135, 180, 225, 270, 315, 359.9])
    func flat(heading: Double) {
        var reference = HeadingReference()
        let value = reference.heading(of: attitude(heading: heading), orientation: .portrait)
        #expect(abs(Angle.turn(from: heading, to: value)) < 1e-9)
    }

    @Test(
        "Each orientation counts its own edge as top", arguments: zip(HeadingOrientation.allCases, [0.0, 180, 90, 270]))
    func orientations(orientation: HeadingOrientation, turn: Double) {
        var reference = HeadingReference()
        let value = reference.heading(of: attitude(heading: 30), orientation: orientation)
        #expect(abs(Angle.turn(from: 30 + turn, to: value)) < 1e-9)
    }

    @Test("Tilted up from flat to upright and beyond, the heading does not move", arguments: [0.0, 77, 200])
    func tiltUp(heading: Double) {
        var reference = HeadingReference()
        for pitch in stride(from: 0.0, through: 130, by: 1) {
            let value = reference.heading(of: attitude(heading: heading, pitch: pitch), orientation: .portrait)
            #expect(abs(Angle.turn(from: heading, to: value)) < 1e-6, "pitch \(pitch)")
        }
    }

    @Test("Tilted down from flat, the heading does not move either")
    func tiltDown() {
        var reference = HeadingReference()
        for pitch in stride(from: 0.0, through: -100, by: -1) {
            let value = reference.heading(of: attitude(heading: 20, pitch: pitch), orientation: .portrait)
            #expect(abs(Angle.turn(from: 20, to: value)) < 1e-6, "pitch \(pitch)")
        }
    }

    @Test("Face down, the top edge still counts, also when tilted up")
    func faceDown() {
        var reference = HeadingReference()
        for pitch in stride(from: 0.0, through: 80, by: 1) {
            let value = reference.heading(of: attitude(heading: 310, pitch: pitch, roll: 180), orientation: .portrait)
            #expect(abs(Angle.turn(from: 310, to: value)) < 1e-6, "pitch \(pitch)")
        }
    }

    @Test("A device first seen upright has the heading of its back camera")
    func upright() {
        var reference = HeadingReference()
        let value = reference.heading(of: attitude(heading: 135, pitch: 90), orientation: .portrait)
        #expect(abs(Angle.turn(from: 135, to: value)) < 1e-6)
        #expect(reference.axis == .back)
    }

    @Test("The reference switches beyond 60° and back below 45°")
    func hysteresis() {
        var reference = HeadingReference()
        func axis(_ pitch: Double) -> HeadingReference.Axis {
            _ = reference.heading(of: attitude(heading: 0, pitch: pitch), orientation: .portrait)
            return reference.axis
        }
        let axes = [59.9, 60.1, 50, 45.1, 44.9, 55].map(axis)
        #expect(axes == [.edge, .back, .back, .back, .edge, .edge])
    }

    @Test(
        "Pitch and roll are those of the closed form", arguments: [(10.0, 0.0), (-30, 0), (0, 25), (0, -170), (40, 60)])
    func pitchAndRoll(pitch: Double, roll: Double) {
        let tilt = HeadingReference.tilt(of: attitude(heading: 123, pitch: pitch, roll: roll), orientation: .portrait)
        #expect(abs(tilt.pitch - pitch) < 1e-9)
        #expect(abs(Angle.turn(from: roll, to: tilt.roll)) < 1e-9)
    }

    @Test("An attitude that is not finite has no heading")
    func notFinite() {
        var reference = HeadingReference()
        let value = reference.heading(of: Quaternion(w: .nan, x: 0, y: 0, z: 0), orientation: .portrait)
        #expect(value.isNaN)
    }
}
