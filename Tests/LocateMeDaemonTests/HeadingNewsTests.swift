import Geometry
import HeadingEstimation
import LocateMeModel
import MessageBus
import Testing

@testable import LocateMeDaemon

/// One estimate for sessions that differ: what is shared is what each would have got alone.
struct HeadingNewsTests {
    private static func estimate(pitch: Double) -> HeadingEstimate {
        var estimate = HeadingEstimate(bootMicroseconds: 5, field: Vector3(1, 20, -40), source: .fused9)
        // Turned left by 0.5 rad, then tilted up about the right edge.
        let turn = Quaternion(aboutZ: 0.5)
        estimate.attitude = (turn * Quaternion(rotationVector: Vector3(pitch, 0, 0))).normalized
        estimate.hasTilt = true
        estimate.accuracyDegrees = 4
        return estimate
    }

    @Test func `Each session gets the heading of its own edge, history and permission`() {
        var context = HeadingContext()
        context.earthField = EarthField(declination: 3, declinationAccuracy: 0.5, horizontal: 20, down: 40)
        context.model = "model"
        struct Session {
            var orientation: HeadingOrientation
            var isPermitted: Bool
            var shared = HeadingReference()
            var alone = HeadingReference()
        }
        var sessions: [Session] = []
        for orientation in [HeadingOrientation.portrait, .portrait, .landscapeLeft, .portrait, .upsideDown] {
            for isPermitted in [true, true, false] {
                sessions.append(Session(orientation: orientation, isPermitted: isPermitted))
            }
        }
        // 50° is between the two thresholds: what the heading is of depends on what it was of before.
        for (round, degrees) in [0.0, 50, 70, 50, 30, 50].enumerated() {
            // One that joins later has another history.
            if round == 3 { sessions.append(Session(orientation: .portrait, isPermitted: true)) }
            let estimate = Self.estimate(pitch: degrees * .pi / 180)
            var news = HeadingNews(estimate, realMicroseconds: 9, context: context)
            for index in sessions.indices {
                news.compose(
                    &sessions[index].shared, sessions[index].orientation,
                    field: sessions[index].isPermitted ? context.field : nil)
                let alone = HeadingComposer.heading(
                    of: estimate, reference: &sessions[index].alone, orientation: sessions[index].orientation,
                    earthField: sessions[index].isPermitted ? context.field : nil, model: "model",
                    realMicroseconds: 9)
                #expect(news.heading.magnetic == alone.magnetic && news.heading.trueHeading == alone.trueHeading)
                #expect(news.heading.orientation == alone.orientation && news.heading.model == alone.model)
                #expect(news.heading.accuracy == alone.accuracy && news.heading.roll == alone.roll)
                #expect(sessions[index].shared == sessions[index].alone)
                #expect((news.heading.trueHeading >= 0) == sessions[index].isPermitted)
            }
        }
    }

    @Test func `A signal is shared only by those whose heading it tells`() throws {
        var news = HeadingNews(Self.estimate(pitch: 0), realMicroseconds: 9, context: HeadingContext())
        var first = HeadingReference()
        var second = HeadingReference()
        news.compose(&first, .portrait, field: nil)
        news.message = try BusMessage.signalOfMany(interface: "org.example.I", member: "S")
        news.compose(&second, .portrait, field: nil)
        #expect(news.message != nil)
        news.compose(&second, .upsideDown, field: nil)
        #expect(news.message == nil)
    }
}
