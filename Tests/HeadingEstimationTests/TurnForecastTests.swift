import Geometry
import Testing

@testable import HeadingEstimation

/// Uniformly accelerated turns, by stepping through them: no formula of the forecast is used.
struct TurnForecastTests {
    /// Degrees turned after `seconds` from a rate in °/s, at the acceleration that a hand is trusted with.
    private func turned(_ seconds: Double, from rate: Double) -> Double {
        var angle = 0.0
        var speed = rate
        let step = 1e-6
        for _ in 0..<Int((seconds / step).rounded()) {
            angle += speed * step + TurnForecast.acceleration * step * step / 2
            speed += TurnForecast.acceleration * step
        }
        return angle
    }

    @Test(
        "A level device that speeds up as a hand can has turned by the headroom at the forecast, not before",
        arguments: [
            (0.0, 1.0), (50, 0.5), (50, 2.25), (300, 5), (2000, 60),
        ])
    func closedForm(rate: Double, headroom: Double) {
        let seconds = TurnForecast.seconds(
            headroomDegrees: headroom, rate: Vector3(0, 0, -rate * Angle.radiansPerDegree), up: Vector3(0, 0, 1))
        #expect(seconds < TurnForecast.longest)
        #expect(abs(turned(seconds, from: rate) - headroom) < 1e-3)
    }

    @Test("No forecast is longer than what a flick may be told late")
    func longest() {
        let still = TurnForecast.seconds(headroomDegrees: 180, rate: .zero, up: Vector3(0, 0, 1))
        #expect(still == TurnForecast.longest)
    }

    @Test("A tilted device's heading can turn faster than the device, so it is forecast sooner")
    func tilted() {
        let rate = Vector3(0, 0, 1)
        var last = 1.0
        for up in [Vector3(0, 0, 1), Vector3(0, 0.6, 0.8), Vector3(0, 0.8, -0.6), Vector3(0, 1, 0)] {
            let seconds = TurnForecast.seconds(headroomDegrees: 1, rate: rate, up: up)
            #expect(seconds > 0 && seconds < last)
            last = seconds
        }
    }

    @Test("What is not known is not forecast")
    func unknown() {
        let up = Vector3(0, 0, 1)
        #expect(TurnForecast.seconds(headroomDegrees: 0, rate: .zero, up: up) == 0)
        #expect(TurnForecast.seconds(headroomDegrees: -1, rate: .zero, up: up) == 0)
        #expect(TurnForecast.seconds(headroomDegrees: .nan, rate: .zero, up: up) == 0)
        #expect(TurnForecast.seconds(headroomDegrees: 1, rate: Vector3(.nan, 0, 0), up: up) == 0)
        #expect(TurnForecast.seconds(headroomDegrees: 1, rate: Vector3(.infinity, 0, 0), up: up) == 0)
        #expect(TurnForecast.seconds(headroomDegrees: 1, rate: .zero, up: Vector3(.nan, .nan, .nan)) == 0)
    }
}
