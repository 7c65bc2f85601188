import DeviceOrientation
import Geometry
import Glibc
import Testing

struct OrientationTrackerTests {
    /// Specific force at rest of a device whose top edge leans `raised` degrees up from lying on its back, and that is
    /// then turned counter-clockwise in its own plane, as seen by who looks at the screen.
    private func force(raised: Double, turnedLeft: Double = 0, gravity: Double = 9.80665) -> Vector3 {
        let rise = raised * .pi / 180
        let turn = turnedLeft * .pi / 180
        // A device turned to its left has its right edge up.
        return Vector3(sin(rise) * sin(turn), sin(rise) * cos(turn), cos(rise)) * gravity
    }

    /// A tracker that has seen a force for a second.
    private func settled(_ force: Vector3, after tracker: OrientationTracker = OrientationTracker())
        -> OrientationTracker
    {
        var tracker = tracker
        for step in 0..<11 { tracker.update(force, bootMicroseconds: Int64(step) * 100_000) }
        return tracker
    }

    /// The words are those of the documentation of net.hadess.SensorProxy: the edge that is named is up.
    @Test(arguments: [
        (Vector3(0, 9.81, 0), ScreenOrientation.normal), (Vector3(0, -9.81, 0), .bottomUp),
        (Vector3(9.81, 0, 0), .rightUp), (Vector3(-9.81, 0, 0), .leftUp),
    ])
    func `The edge that is up gives its name`(force: Vector3, expected: ScreenOrientation) {
        #expect(settled(force).orientation == expected)
    }

    @Test func `A device on a table has no orientation yet, and keeps the one it had`() {
        #expect(settled(Vector3(0, 0, 9.81)).orientation == .undefined)
        let turned = settled(Vector3(-9.81, 0, 0))
        #expect(settled(Vector3(0, 0, 9.81), after: turned).orientation == .leftUp)
    }

    @Test(arguments: [
        (0.0, ScreenTilt.faceUp), (45, .tiltedUp), (90, .vertical), (135, .tiltedDown), (180, .faceDown),
    ])
    func `The tilt goes from the back over upright to the face`(raised: Double, expected: ScreenTilt) {
        #expect(settled(force(raised: raised)).tilt == expected)
    }

    @Test func `Turning slowly through all sides changes four times, trembling at a border never`() {
        var tracker = settled(force(raised: 70))
        var changes: [ScreenOrientation] = []
        for step in 0...3600 {
            let before = tracker.orientation
            tracker.update(
                force(raised: 70, turnedLeft: Double(step) * 0.1), bootMicroseconds: 2_000_000 + Int64(step) * 20_000)
            if tracker.orientation != before { changes.append(tracker.orientation) }
        }
        #expect(changes == [.rightUp, .bottomUp, .leftUp, .normal])
        // 45° lies between two sides, 55° begins the next: trembling by 8° about 45° must change nothing.
        for step in 0..<500 {
            let angle = 45 + (step % 2 == 0 ? 8.0 : -8.0)
            tracker.update(
                force(raised: 70, turnedLeft: angle), bootMicroseconds: 80_000_000 + Int64(step) * 20_000)
            #expect(tracker.orientation == .normal)
        }
    }

    @Test func `A jolt of less than the holding time does not turn the screen`() {
        var tracker = settled(force(raised: 80))
        for step in 0..<5 {
            tracker.update(force(raised: 80, turnedLeft: 90), bootMicroseconds: 2_000_000 + Int64(step) * 20_000)
        }
        tracker.update(force(raised: 80), bootMicroseconds: 2_120_000)
        tracker.update(force(raised: 80, turnedLeft: 90), bootMicroseconds: 2_140_000)
        #expect(tracker.orientation == .normal)
    }

    @Test(arguments: [
        Vector3(.nan, 0, 0), Vector3(.infinity, 0, 0), Vector3(0, 0, 0), Vector3(25, 0, 0), Vector3(3, 0, 0),
    ])
    func `What cannot be gravity is not taken for it`(force: Vector3) {
        var tracker = OrientationTracker()
        let changed = tracker.update(force, bootMicroseconds: 0)
        #expect(!changed)
        #expect(!tracker.hasReading)
        #expect(tracker.orientation == .undefined)
        #expect(tracker.tilt == .undefined)
    }

    @Test func `The tilt does not flap at a border`() {
        var tracker = settled(force(raised: 60))
        #expect(tracker.tilt == .tiltedUp)
        // 70° of the normal's elevation is 20° of raising: a few degrees beyond it are not enough, more are.
        for (raised, expected) in [
            (19.0, ScreenTilt.tiltedUp), (16, .tiltedUp), (14, .faceUp), (19, .faceUp), (26, .tiltedUp),
        ] {
            tracker = settled(force(raised: raised), after: tracker)
            #expect(tracker.tilt == expected, "raised \(raised)°")
        }
    }
}
