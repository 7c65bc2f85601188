import Foundation
import Geometry
import LocateMeModel
import SensorRecordings
import Testing

@testable import Simulation

@Suite struct WalkSimulationTests {
    /// A field like that of central Europe.
    static let field = EarthField(declination: 3, declinationAccuracy: 0.4, horizontal: 21.5, down: 43)

    private func samples(_ records: some Sequence<Record>) -> [SensorSample] { records.compactMap(\.sample) }

    private func distance(_ first: Vector3, _ second: Vector3) -> Double { (first - second).length }

    @Test func aPerfectPhoneAtRestReadsGravityAndTheFieldThatTheModelGives() throws {
        var walk = Walk([.stand(seconds: 1)])
        walk.startHeading = 90
        let simulation = WalkSimulation(walk: walk, phone: .perfect(), field: Self.field)
        // Facing true east: the right edge points south, the top edge east. North and east components of the field
        // are H cos D and H sin D.
        let north = 21.5 * cos(3 * Double.pi / 180)
        let east = 21.5 * sin(3 * Double.pi / 180)
        for record in simulation {
            switch record.content {
            case .sample(let sample):
                switch sample.reading {
                case .magneticField(let field): #expect(distance(field, Vector3(-north, east, -43)) < 1e-9)
                case .acceleration(let force): #expect(distance(force, Vector3(0, 0, 9.80665)) < 1e-9)
                case .angularRate(let rate): #expect(rate == .zero)
                default: Issue.record("unexpected \(sample)")
                }
            case .truth(let attitude):
                // 90° true is 87° magnetic.
                let top = attitude.rotate(Vector3(0, 1, 0))
                #expect(abs(atan2(top.x, top.y) * 180 / .pi - 87) < 1e-9)
            case .fix(let fix):
                #expect(fix.latitude == walk.latitude)
                #expect(fix.longitude == walk.longitude)
                #expect(fix.speed == 0)
            default: Issue.record("unexpected \(record)")
            }
        }
        #expect(Array(simulation).count == 101 * 4 + 2)
    }

    /// What an attitude filter without errors would do: integrate the rates from the first true attitude.
    @Test(arguments: TrajectoryTests.walks)
    func theGyroscopeIntegratesToTheTrueAttitude(name: String) throws {
        var attitude: Quaternion?
        var lastRate: Vector3?
        var worst = 0.0
        let rate = 250.0
        var phone = SimulatedPhone.perfect(rateHertz: rate)
        phone.magnetometer = nil
        phone.accelerometer = nil
        phone.truthRateHertz = 10
        for record in WalkSimulation(walk: try TrajectoryTests.walk(name), phone: phone, field: Self.field) {
            switch record.content {
            case .sample(let sample):
                guard case .angularRate(let value) = sample.reading else { continue }
                if let last = lastRate, let now = attitude {
                    attitude = (now * Quaternion(rotationVector: (last + value) * (0.5 / rate))).normalized
                }
                lastRate = value
            case .truth(let truth):
                guard let now = attitude else {
                    attitude = truth
                    continue
                }
                let difference = now.conjugate * truth
                let sine = Vector3(difference.x, difference.y, difference.z).length
                worst = max(worst, 2 * asin(min(1, sine)) * 180 / .pi)
            default: break
            }
        }
        // What trapezoids leave over at steps of the rate: at most half a sample each, 0.08° at 1.4 m/s on 2 m radius.
        #expect(worst < 0.5)
    }

    @Test(arguments: ["square", "figure-eight", "demo"])
    func theAccelerationIntegratesToTheWay(name: String) throws {
        let walk = try TrajectoryTests.walk(name)
        let rate = 500.0
        var phone = SimulatedPhone.perfect(rateHertz: rate)
        phone.magnetometer = nil
        phone.gyroscope = nil
        phone.truthRateHertz = 0
        let simulation = WalkSimulation(walk: walk, phone: phone, field: Self.field)
        let trajectory = simulation.trajectory
        var velocity = Vector3.zero
        var place = trajectory.state(at: 0).position
        var last: Vector3?
        var worst = 0.0
        for sample in samples(simulation) {
            guard case .acceleration(let force) = sample.reading else { continue }
            let state = trajectory.state(at: Double(sample.bootMicroseconds) * 1e-6)
            let acceleration = state.attitude.rotate(force) - Vector3(0, 0, WalkSimulation.gravity)
            if let last {
                let next = velocity + (last + acceleration) * (0.5 / rate)
                place += (velocity + next) * (0.5 / rate)
                velocity = next
            }
            last = acceleration
            worst = max(worst, distance(place, state.position))
        }
        // Steps of 1 m/s² at the ends of arcs leave up to 1 mm/s each, which add up over a minute.
        #expect(worst < 0.2)
    }

    /// The field turns with the phone: carried back by the true attitude it points to magnetic north and down.
    @Test(arguments: TrajectoryTests.walks)
    func theFieldCarriedBackByTheTrueAttitudeIsTheEarths(name: String) throws {
        var phone = SimulatedPhone.perfect(rateHertz: 25)
        phone.accelerometer = nil
        phone.gyroscope = nil
        var fields: [Int64: Vector3] = [:]
        var worst = 0.0
        for record in WalkSimulation(
            walk: try TrajectoryTests.walk(name), phone: phone, field: Self.field)
        {
            if case .magneticField(let field)? = record.sample?.reading { fields[record.microseconds] = field }
            if case .truth(let attitude) = record.content, let field = fields[record.microseconds] {
                worst = max(worst, distance(attitude.rotate(field), Vector3(0, 21.5, -43)))
            }
        }
        #expect(!fields.isEmpty)
        #expect(worst < 1e-9)
    }

    @Test func theTrueCalibrationUndoesHardAndSoftIron() throws {
        var phone = SimulatedPhone()
        phone.magnetometer?.noise = 0
        phone.magnetometer?.resolution = 0
        let calibration = try #require(phone.magnetometer?.calibration)
        var count = 0
        for sample in samples(WalkSimulation(walk: try TrajectoryTests.walk("tumble"), phone: phone, field: Self.field))
        {
            guard case .magneticField(let raw) = sample.reading else { continue }
            let field = calibration.softIron * raw - calibration.hardIron
            #expect(abs(field.length - Self.field.total) < 1e-9)
            count += 1
        }
        #expect(count == 1301)
    }

    @Test func theMagnetometerLagsByItsLatency() throws {
        let walk = try TrajectoryTests.walk("tumble")
        var phone = SimulatedPhone.perfect()
        phone.magnetometer?.latency = 0.02
        let late = samples(WalkSimulation(walk: walk, phone: phone, field: Self.field))
        let prompt = samples(WalkSimulation(walk: walk, phone: .perfect(), field: Self.field))
        func fields(_ samples: [SensorSample]) -> [Vector3] {
            samples.compactMap { if case .magneticField(let field) = $0.reading { field } else { nil } }
        }
        // 20 ms are two samples of 100 Hz.
        let worst = zip(fields(late).dropFirst(2), fields(prompt)).map { distance($0, $1) }.max()
        #expect((worst ?? 1) < 1e-9)
    }

    @Test func aShiftOfTheHardIronBeginsAtItsTime() throws {
        var phone = SimulatedPhone.perfect(rateHertz: 10)
        phone.magnetometer?.shifts = [.init(seconds: 2, change: Vector3(5, -6, 7))]
        let before = samples(
            WalkSimulation(walk: Walk([.stand(seconds: 4)]), phone: .perfect(rateHertz: 10), field: Self.field))
        let after = samples(WalkSimulation(walk: Walk([.stand(seconds: 4)]), phone: phone, field: Self.field))
        for (first, second) in zip(before, after) {
            guard case .magneticField(let expected) = first.reading, case .magneticField(let field) = second.reading
            else { continue }
            let change = first.bootMicroseconds >= 2_000_000 ? Vector3(5, -6, 7) : .zero
            #expect(distance(field, expected + change) < 1e-9)
        }
        #expect(before.count == after.count)
    }

    /// On the axis of a dipole 2 · 0.1 µT·m³/(A·m²) · m / r³, beside it half of that and opposite (Jackson 5.56).
    @Test func aMagnetHasTheFieldOfADipole() {
        let magnet = Magnet(position: Vector3(1, 2, 3), moment: Vector3(0, 0, 1))
        #expect(distance(magnet.field(at: Vector3(1, 2, 3.1)), Vector3(0, 0, 200)) < 1e-9)
        #expect(distance(magnet.field(at: Vector3(1.1, 2, 3)), Vector3(0, 0, -100)) < 1e-9)
        #expect(distance(magnet.field(at: Vector3(1, 2, 1)), Vector3(0, 0, 0.025)) < 1e-12)
        #expect(magnet.field(at: Vector3(1, 2, 3)).isFinite)
        #expect(magnet.field(at: Vector3(1, 2, 3.000_001)).length < 2000)
    }

    @Test func walkingPastAMagnetDisturbsTheFieldOnlyThere() throws {
        let walk = try TrajectoryTests.walk("straight")
        let magnet = Magnet(position: Vector3(0.5, 50, 1), moment: Vector3(30, 0, 0))
        let simulation = WalkSimulation(
            walk: walk, phone: .perfect(rateHertz: 20), field: Self.field, magnets: [magnet])
        for sample in samples(simulation) {
            guard case .magneticField(let field) = sample.reading else { continue }
            let north = simulation.trajectory.state(at: Double(sample.bootMicroseconds) * 1e-6).position.y
            let change = abs(field.length - Self.field.total)
            if abs(north - 50) < 0.2 { #expect(change > 5) }
            if abs(north - 50) > 10 { #expect(change < 0.01) }
        }
    }

    @Test func noiseHasItsSizeAndCountsTheirStep() throws {
        var phone = SimulatedPhone.perfect()
        phone.magnetometer?.noise = 0.5
        phone.accelerometer?.noise = 0.02
        phone.gyroscope?.noise = 0.003
        phone.gyroscope?.bias = Vector3(0.01, 0, 0)
        let exact = samples(WalkSimulation(walk: Walk([.stand(seconds: 100)]), phone: .perfect(), field: Self.field))
        let noisy = samples(WalkSimulation(walk: Walk([.stand(seconds: 100)]), phone: phone, field: Self.field))
        var squares = [0.0, 0.0, 0.0]
        for (first, second) in zip(exact, noisy) {
            switch (first.reading, second.reading) {
            case (.magneticField(let a), .magneticField(let b)): squares[0] += (a - b).squaredLength
            case (.acceleration(let a), .acceleration(let b)): squares[1] += (a - b).squaredLength
            case (.angularRate, .angularRate(let b)): squares[2] += (b - Vector3(0.01, 0, 0)).squaredLength
            default: Issue.record("other samples")
            }
        }
        // Five standard deviations of the estimate from 30 003 numbers are 2 %.
        for (sum, sigma) in zip(squares, [0.5, 0.02, 0.003]) {
            #expect(abs((sum / 30_003).squareRoot() / sigma - 1) < 0.02)
        }
        phone.magnetometer?.resolution = 0.15
        for sample in samples(WalkSimulation(walk: Walk([.stand(seconds: 2)]), phone: phone, field: Self.field)) {
            guard case .magneticField(let field) = sample.reading else { continue }
            let counts = field.x / 0.15
            #expect(abs(counts - counts.rounded()) < 1e-9)
        }
    }

    @Test func theGyroscopesBiasWandersAsFastAsItSays() {
        var phone = SimulatedPhone.perfect(rateHertz: 10)
        phone.gyroscope?.biasWalk = 0.001
        phone.magnetometer = nil
        phone.accelerometer = nil
        phone.receiver = nil
        phone.truthRateHertz = 0
        // After 400 s the bias is normal with 0.001 · √400 = 0.02 rad/s; 60 axes give that within 5/√120 = 46 %.
        var squares = 0.0
        for seed in UInt64(1)...20 {
            let simulation = WalkSimulation(
                walk: Walk([.stand(seconds: 400)]), phone: phone, field: Self.field, seed: seed)
            let last = samples(simulation).last { if case .angularRate = $0.reading { true } else { false } }
            guard case .angularRate(let bias)? = last?.reading else { continue }
            squares += bias.squaredLength
        }
        #expect(abs((squares / 60).squareRoot() / 0.02 - 1) < 0.46)
    }

    @Test func theReceiversErrorHasItsSizeAndWanders() throws {
        var phone = SimulatedPhone()
        phone.magnetometer = nil
        phone.accelerometer = nil
        phone.gyroscope = nil
        phone.truthRateHertz = 0
        let plane = LocalPlane(latitude: 47.3769, longitude: 8.5417, altitude: 408)
        let errors = WalkSimulation(walk: Walk([.stand(seconds: 100_000)]), phone: phone, field: Self.field).compactMap
        { record in
            if case .fix(let fix) = record.content {
                plane.meters(latitude: fix.latitude, longitude: fix.longitude).east
            } else {
                nil
            }
        }
        #expect(errors.count == 100_001)
        let variance = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
        let product = zip(errors, errors.dropFirst(30)).reduce(0) { $0 + $1.0 * $1.1 } / Double(errors.count)
        // The squares are correlated over 15 s, so 100 000 s hold about 3300 of them: five standard deviations are 12 %.
        #expect(abs(variance / 9 - 1) < 0.13)
        // After 30 s, the correlation time, 1/e = 0.368 is left.
        #expect(abs(product / variance - 0.368) < 0.1)
    }

    /// 68 % of the errors lie within the stated accuracy.
    @Test func theStatedAccuracyHoldsForTwoThirdsOfTheFixes() {
        var phone = SimulatedPhone()
        phone.receiver?.correlationTime = 0.1
        phone.truthRateHertz = 0
        phone.magnetometer = nil
        phone.accelerometer = nil
        phone.gyroscope = nil
        let plane = LocalPlane(latitude: 47.3769, longitude: 8.5417, altitude: 408)
        var (inside, count) = (0.0, 0.0)
        for record in WalkSimulation(walk: Walk([.stand(seconds: 20_000)]), phone: phone, field: Self.field) {
            guard case .fix(let fix) = record.content else { continue }
            let (east, north) = plane.meters(latitude: fix.latitude, longitude: fix.longitude)
            count += 1
            if (east * east + north * north).squareRoot() <= fix.horizontalAccuracy { inside += 1 }
        }
        // Five standard deviations: 5 √(0.68 · 0.32 / 20 000).
        #expect(abs(inside / count - 0.68) < 0.017)
    }

    @Test func recordsComeInOrderOfTimeAtTheirRates() {
        var phone = SimulatedPhone()
        phone.magnetometer?.rateHertz = 7
        phone.accelerometer?.rateHertz = 104.17
        phone.gyroscope?.rateHertz = 3.3
        phone.truthRateHertz = 1
        let records = Array(WalkSimulation(walk: Walk([.stand(seconds: 30)]), phone: phone, field: Self.field))
        let times = records.map(\.microseconds)
        #expect(times == times.sorted())
        func count(_ matches: (SensorSample.Reading) -> Bool) -> Int {
            samples(records).filter { matches($0.reading) }.count
        }
        let fields = count { if case .magneticField = $0 { true } else { false } }
        #expect(fields == 211)
        let forces = count { if case .acceleration = $0 { true } else { false } }
        #expect(forces == 3126)
        let rates = count { if case .angularRate = $0 { true } else { false } }
        #expect(rates == 100)
        let truths = records.filter { if case .truth = $0.content { true } else { false } }
        #expect(truths.count == 31)
    }

    @Test func theSameSeedGivesTheSameRecordsAndASensorsNoiseIsItsOwn() {
        let walk = Walk([.stand(seconds: 5)])
        let first = Array(WalkSimulation(walk: walk, field: Self.field, seed: 4))
        #expect(texts(first) == texts(Array(WalkSimulation(walk: walk, field: Self.field, seed: 4))))
        #expect(texts(first) != texts(Array(WalkSimulation(walk: walk, field: Self.field, seed: 5))))
        var phone = SimulatedPhone()
        phone.gyroscope = nil
        phone.accelerometer?.rateHertz = 400
        func fields(_ records: [Record]) -> [SensorSample] {
            samples(records).filter { if case .magneticField = $0.reading { true } else { false } }
        }
        #expect(fields(first) == fields(Array(WalkSimulation(walk: walk, phone: phone, field: Self.field, seed: 4))))
    }

    /// Fixes hold a NaN, which is unequal to itself.
    private func texts(_ records: [Record]) -> [String] { records.map { "\($0)" } }

    @Test(arguments: Walk.names.map(\.name))
    func aRepeatedWalkGoesOnWithoutAJump(name: String) throws {
        let walk = try #require(Walk(name: name))
        var phone = SimulatedPhone.perfect(rateHertz: 20)
        phone.magnetometer = nil
        phone.accelerometer = nil
        phone.gyroscope = nil
        phone.receiver = nil
        let simulation = WalkSimulation(walk: walk, phone: phone, field: Self.field, repeats: true)
        var last: (time: Int64, attitude: Quaternion)?
        for record in simulation.lazy.prefix(Int(simulation.trajectory.duration * 2.5 * 20)) {
            guard case .truth(let attitude) = record.content else { continue }
            if let last {
                let difference = last.attitude.conjugate * attitude
                let angle = 2 * asin(min(1, Vector3(difference.x, difference.y, difference.z).length))
                if angle > 12.0 / 20 { Issue.record("a jump at \(record.microseconds)") }
                #expect(record.microseconds == last.time + 50_000)
            }
            last = (record.microseconds, attitude)
        }
        #expect(Double(last?.time ?? 0) > simulation.trajectory.duration * 2e6)
    }

    @Test func aWalkThatDoesNotEndAsItBeganIsLedBackWhenRepeated() throws {
        let walk = Walk([.walk(east: 30, north: 40)])
        #expect(!walk.isClosed)
        #expect(walk.closed.isClosed)
        let simulation = WalkSimulation(walk: walk, field: Self.field, repeats: true)
        #expect(simulation.trajectory.duration > 2 * 50 / 1.4)
    }

    @Test func aSimulationIsASoundRecording() throws {
        let simulation = WalkSimulation(
            walk: try TrajectoryTests.walk("demo"), field: Self.field, startRealMicroseconds: 1_796_040_000_000_000)
        var encoder = RecordingEncoder(header: simulation.header)
        let records = Array(simulation)
        for record in records { try encoder.append(record) }
        var decoder = RecordingDecoder(mode: .strict)
        decoder.feed(encoder.bytes.span)
        decoder.endInput()
        var read: [Record] = []
        while let record = try decoder.next() { read.append(record) }
        #expect(decoder.header == simulation.header)
        #expect(decoder.header.stream("magn")?.resolution == 0.15)
        #expect(samples(read) == samples(records))
        #expect(read.count == records.count)
        let real = read.compactMap { if case .fix(let fix) = $0.content { fix.realMicroseconds } else { nil } }
        #expect(real.first == 1_796_040_000_000_000)
        #expect(real.count > 100)
    }

    @Test func aPhoneWithoutSensorsOrAWalkWithoutLegsEnds() {
        var phone = SimulatedPhone()
        phone.magnetometer = nil
        phone.accelerometer = nil
        phone.gyroscope = nil
        phone.receiver = nil
        phone.truthRateHertz = .nan
        var simulation = WalkSimulation(
            walk: Walk([.stand(seconds: 9)]), phone: phone, field: Self.field, repeats: true)
        #expect(simulation.next() == nil)
        #expect(simulation.nextMicroseconds == nil)
        let still = WalkSimulation(walk: Walk([]), field: Self.field, repeats: true)
        #expect(Array(still).count == 5)
    }

    /// GeographicLib's GeodSolve, `echo LAT LON AZIMUTH 1000 | GeodSolve`: 1000 m north and east of a place.
    @Test func metresBecomeDegreesOnTheEllipsoid() {
        let plane = LocalPlane(latitude: 47.3769, longitude: 8.5417, altitude: 0)
        let north = plane.place(east: 0, north: 1000)
        // 1e-6° are 0.11 m.
        #expect(abs(north.latitude - 47.385_894_562_79) < 1e-6)
        #expect(abs(north.longitude - 8.5417) < 1e-12)
        let east = plane.place(east: 1000, north: 0)
        #expect(abs(east.longitude - 8.554_941_611_83) < 1e-6)
        #expect(abs(east.latitude - 47.376_899_235_21) < 1e-6)
        let beyond = LocalPlane(latitude: -33, longitude: 179.999, altitude: 0)
        #expect(abs(beyond.place(east: 500, north: 0).longitude - -179.995_649_729_27) < 1e-6)
        #expect(abs(beyond.meters(latitude: -33, longitude: -179.995_649_729_27).east - 500) < 0.01)
    }
}
