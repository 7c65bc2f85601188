import Foundation
import Geometry
import Testing

@testable import Simulation

@Suite struct TrajectoryTests {
    static let walks = Walk.names.map(\.name) + ["detour"]

    static func walk(_ name: String) throws -> Walk {
        if name == "detour" {
            // Sharp, obtuse and missing corners, short and empty legs, circles between lines, all grips of gait.
            var walk = Walk([
                .walk(east: 3, north: 4), .walk(east: 3, north: 4), .walk(east: 3, north: 9), .face(degrees: 100),
                .walk(east: -20, north: 8.5), .walk(east: 20, north: 9), .circle(radius: 4, toRight: false),
                .walk(east: 20.3, north: 9.2), .tumble(seconds: 7), .walk(east: 60, north: -50),
                .walk(east: 100, north: -80), .walk(east: 101, north: -80.5), .walk(east: 102, north: -79),
                .stand(seconds: 0),
            ])
            walk.startHeading = 270
            walk.grip = .upright
            return walk
        }
        return try #require(Walk(name: name))
    }

    /// Largest component of a difference.
    private func distance(_ first: Vector3, _ second: Vector3) -> Double {
        max(abs(first.x - second.x), abs(first.y - second.y), abs(first.z - second.z))
    }

    /// rad between two attitudes as a rotation vector in the first one's frame; for small angles.
    private func turn(_ from: Quaternion, _ to: Quaternion) -> Vector3 {
        let difference = from.conjugate * to
        let sign = difference.w < 0 ? -2.0 : 2.0
        return Vector3(difference.x, difference.y, difference.z) * sign
    }

    /// Velocity, acceleration and angular rate against central differences of position, velocity and attitude. A step
    /// of the acceleration at the end of an arc may fall between the two; at most a few of 500 moments do.
    @Test(arguments: walks, [Grip.flat, .upright])
    func ratesAreTheDerivativesOfPlaceAndAttitude(name: String, grip: Grip) throws {
        var walk = try Self.walk(name)
        walk.grip = grip
        let trajectory = Trajectory(walk)
        let step = 1e-4
        var disagreements = 0
        for index in 1..<500 {
            let time = trajectory.duration * Double(index) / 500
            let before = trajectory.state(at: time - step)
            let state = trajectory.state(at: time)
            let after = trajectory.state(at: time + step)
            let half = 1 / (2 * step)
            let isSmooth =
                distance((after.position - before.position) * half, state.velocity) < 1e-4
                && distance((after.velocity - before.velocity) * half, state.acceleration) < 1e-3
                && distance(turn(state.attitude, after.attitude) * (1 / step), state.angularRate)
                    < 1e-3 + state.angularRate.length * 5e-3
            if !isSmooth { disagreements += 1 }
        }
        #expect(disagreements <= 3)
    }

    @Test(arguments: walks)
    func nothingJumps(name: String) throws {
        let trajectory = Trajectory(try Self.walk(name))
        var last = trajectory.state(at: 0)
        let step = 5e-3
        for index in 1...Int(trajectory.duration / step) {
            let state = trajectory.state(at: Double(index) * step)
            // Walking is slower than 2 m/s, turning than 15 rad/s, and no acceleration reaches 40 m/s².
            if distance(state.position, last.position) > 2 * step
                || turn(last.attitude, state.attitude).length > 15 * step
                || distance(state.velocity, last.velocity) > 40 * step
            {
                Issue.record("a jump at \(Double(index) * step) s")
            }
            last = state
        }
        #expect(trajectory.state(at: 0).velocity.length < 1e-12)
        #expect(trajectory.state(at: trajectory.duration).velocity.length < 1e-12)
        #expect(trajectory.state(at: trajectory.duration).angularRate.length < 1e-12)
    }

    @Test(arguments: Walk.names.map(\.name))
    func namedWalksEndAsTheyBegan(name: String) throws {
        let walk = try #require(Walk(name: name))
        #expect(walk.isClosed)
        let trajectory = Trajectory(walk)
        let start = trajectory.state(at: 0)
        let end = trajectory.state(at: trajectory.duration)
        #expect(distance(start.position, end.position) < 1e-9)
        #expect(turn(start.attitude, end.attitude).length < 1e-9)
    }

    @Test func waypointsWithSharpOrNoCornersAreReached() {
        var walk = Walk([.walk(east: 0, north: 10), .walk(east: 0, north: 0), .walk(east: 7, north: 0)])
        walk.gait = .none
        let trajectory = Trajectory(walk)
        var nearest = Double.infinity
        for index in 0...3000 {
            let place = trajectory.state(at: trajectory.duration * Double(index) / 3000).position
            nearest = min(nearest, distance(place, Vector3(0, 10, Trajectory.handHeight)))
        }
        #expect(nearest < 0.01)
        #expect(distance(trajectory.state(at: 1e9).position, Vector3(7, 0, Trajectory.handHeight)) < 1e-9)
    }

    /// A rounded right angle of radius 2 m keeps 2 (√2 − 1) = 0.828 m off the corner.
    @Test func cornersAreRoundedWithTheirRadius() {
        var walk = Walk([.walk(east: 0, north: 20), .walk(east: 20, north: 20)])
        walk.gait = .none
        let trajectory = Trajectory(walk)
        let nearest = (0...10_000).map { index in
            let place = trajectory.state(at: trajectory.duration * Double(index) / 10_000).position
            return ((place.x * place.x) + (place.y - 20) * (place.y - 20)).squareRoot()
        }.min()
        #expect(abs((nearest ?? 0) - 2 * (2.0.squareRoot() - 1)) < 1e-3)
        // The way: two legs of 18 m and a quarter of a circle, one ramp of 1 s in all.
        #expect(abs(trajectory.duration - (36 + .pi) / 1.4 - 1) < 1e-9)
    }

    /// On a circle at full speed: ω = v / r about the vertical, a = v² / r towards the centre.
    @Test(arguments: [true, false])
    func aCircleHasItsCentripetalAccelerationAndRate(toRight: Bool) {
        var walk = Walk([.circle(radius: 5, toRight: toRight)])
        walk.gait = .none
        let trajectory = Trajectory(walk)
        let centre = Vector3(toRight ? 5 : -5, 0, Trajectory.handHeight)
        for time in [2.0, 7.5, 12, 20] {
            let state = trajectory.state(at: time)
            let inward = centre - state.position
            #expect(abs(inward.length - 5) < 1e-9)
            #expect(abs(state.velocity.length - 1.4) < 1e-9)
            #expect(distance(state.acceleration, inward * (1.4 * 1.4 / 25)) < 1e-9)
            #expect(distance(state.angularRate, Vector3(0, 0, toRight ? -0.28 : 0.28)) < 1e-9)
        }
    }

    @Test func standingFacesTheStartHeading() {
        var walk = Walk([.stand(seconds: 10)])
        walk.startHeading = 90
        let state = Trajectory(walk).state(at: 5)
        // The top edge points east, the right edge south.
        #expect(distance(state.attitude.rotate(Vector3(0, 1, 0)), Vector3(1, 0, 0)) < 1e-12)
        #expect(distance(state.attitude.rotate(Vector3(1, 0, 0)), Vector3(0, -1, 0)) < 1e-12)
        #expect(state.angularRate == .zero)
    }

    /// Directions of the device's axes in the earth frame when the walker faces north.
    @Test(arguments: [
        (Grip.flat, Vector3(0, 1, 0), Vector3(0, 0, 1)),
        (.upright, Vector3(0, 0, 1), Vector3(0, -1, 0)),
        (.landscape, Vector3(-1, 0, 0), Vector3(0, 0, 1)),
        // 40° up: cos 40° = 0.766044, sin 40° = 0.642788.
        (.reading, Vector3(0, 0.766_044, 0.642_788), Vector3(0, -0.642_788, 0.766_044)),
    ])
    func aGripHoldsThePhoneAsItSays(grip: Grip, top: Vector3, screen: Vector3) {
        var walk = Walk([.stand(seconds: 1)])
        walk.grip = grip
        let attitude = Trajectory(walk).state(at: 0).attitude
        #expect(distance(attitude.rotate(Vector3(0, 1, 0)), top) < 1e-6)
        #expect(distance(attitude.rotate(Vector3(0, 0, 1)), screen) < 1e-6)
    }

    /// The sphere in 48 cells of equal area: 6 bands of equal height by 8 sectors.
    @Test(arguments: [10.0, 15, 20, 30])
    func aTumbleTurnsThePhoneThroughAllDirections(seconds: Double) {
        let trajectory = Trajectory(Walk([.tumble(seconds: seconds)]))
        var cells = Set<Int>()
        for index in 0..<Int(seconds * 50) {
            let down = trajectory.state(at: Double(index) / 50).attitude.conjugate.rotate(Vector3(0.4, 0.3, -0.866))
            let unit = down.normalized ?? down
            let band = min(5, Int((unit.z + 1) * 3))
            let sector = min(7, Int((atan2(unit.y, unit.x) / .pi + 1) * 4))
            cells.insert(band * 8 + sector)
        }
        #expect(cells.count >= (seconds < 15 ? 30 : 38))
    }

    @Test func anEmptyWalkIsAPhoneAtRest() {
        for walk in [
            Walk([]), Walk([.stand(seconds: 0)]), Walk([.walk(east: 0, north: 0)]),
            Walk([.circle(radius: 0, toRight: true)]),
        ] {
            let trajectory = Trajectory(walk)
            #expect(trajectory.duration == 0)
            #expect(trajectory.state(at: 3).position == Vector3(0, 0, Trajectory.handHeight))
        }
    }

    @Test func textsNameWalksOrPlaces() throws {
        #expect(Walk(text: "square") == Walk(name: "square"))
        let walk = try #require(Walk(text: "47.3769,8.5417 47.38589456279,8.5417"))
        #expect(walk.latitude == 47.3769)
        guard case .walk(let east, let north)? = walk.legs.last else {
            Issue.record("no walk to the second place")
            return
        }
        // 1000 m north by GeographicLib's GeodSolve: echo 47.3769 8.5417 0 1000 | GeodSolve.
        #expect(abs(east) < 1e-6)
        #expect(abs(north - 1000) < 0.1)
        for text in [
            "", "circle", "47.3769,8.5417", "91,0 90,0", "47,8 x", "47,8,1 47,9,1", "0,0 5,5", "90,0 89.95,0",
            "nan,0 1,1",
        ] {
            #expect(Walk(text: text) == nil, "\(text)")
        }
    }
}
