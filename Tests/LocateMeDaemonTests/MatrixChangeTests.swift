import EventLoop
import Foundation
import Geometry
import HeadingEstimation
import LocateMeModel
import TestSupport
import Testing

@testable import LocateMeDaemon

/// A calibration that was learned with one mount matrix meets another.
struct MatrixChangeTests {
    private final class Sensors: SensorSource {
        weak var sensorListener: (any SensorSourceListener)?
        var sensors: [SensorDescription] = []
        var sensorStates: [SourceDescription] { [] }
        var rateHertz: Double { 50 }
        let deliversCalibratedField = false
        var magnetometerIdentity: DeviceIdentity? { DeviceIdentity(busPath: "/bus", name: "magn", location: "") }
        var isOff: Bool { true }

        init(_ matrix: Matrix3) {
            for kind in [SensorKind.magnetometer, .accelerometer] {
                var sensor = SensorDescription(id: kind.rawValue, kind: kind, name: kind.rawValue)
                sensor.selected = true
                sensors.append(sensor)
            }
            sensors[0].mountMatrix = matrix
        }
        func start(rateHertz: Double) {}
        func stop() {}
        func diagnose() -> [Finding] { [] }
        func deliver(_ reading: SensorSample.Reading, at seconds: Double) {
            let sample = SensorSample(bootMicroseconds: Int64(seconds * 1e6), reading: reading)
            sensorListener?.sensorSource(self, delivered: sample)
        }
    }

    private final class Store: HeadingStateStore {
        var state: StoredHeadingState
        init(_ state: StoredHeadingState) { self.state = state }
        func devices() -> [DeviceIdentity] { [] }
        func load(for device: DeviceIdentity) -> StoredStateAnswer { .state(state) }
        func save(_ state: StoredHeadingState?, for device: DeviceIdentity) throws(StorageFailure) {
            if let state { self.state = state }
        }
    }

    private static let iron = Vector3(80, -30, 12)

    private static func stored(with matrix: Matrix3?) -> StoredHeadingState {
        var state = StoredHeadingState()
        state.magnetometer = StoredHeadingState.Magnetometer(softIron: .identity, hardIron: iron, hardIronSigma: 0.5)
        state.source = "guided"
        state.createdRealMicroseconds = Clock.realMicroseconds()
        state.mountMatrix = matrix
        return state
    }

    private static func service(_ sensors: Sensors, _ store: Store) throws -> HeadingService {
        let log = Log(level: .error, sink: Log.Sink(write: { _ in }, now: { 0 }, usesPriorityPrefix: false))
        return HeadingService(source: sensors, store: store, loop: try EventLoop(), log: log)
    }

    /// A level device that points north, its iron in the frame of the old matrix; the new one turns all that is read.
    private static func heading(_ sensors: Sensors, _ service: HeadingService, turn: Matrix3, _ owner: AnyObject)
        -> Double
    {
        service.setNeed(owner, rateHertz: 50)
        for index in 0..<50 {
            sensors.deliver(.acceleration(Vector3(0, 0, 9.80665)), at: Double(index) * 0.02)
            sensors.deliver(.magneticField(Vector3(0, 20, -40) + turn * iron), at: Double(index) * 0.02)
        }
        guard let field = service.latest?.field else { return .nan }
        return Angle.degreesPerRadian * atan2(-field.x, field.y)
    }

    @Test("matrix-changes-with-kernel: the calibration is turned with the matrix, and that is told")
    func turned() throws {
        let file = Repository.file("Tests/Fixtures/bug-inputs/sensor/matrix-changes-with-kernel.json")
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let input = try #require(object?["input"] as? [String: String])
        let before = try #require(MountMatrix(kernelText: input["calibration_stored_with_matrix"] ?? "")?.matrix)
        let now = try #require(MountMatrix(kernelText: input["matrix_now"] ?? "")?.matrix)
        let sensors = Sensors(now)
        let store = Store(Self.stored(with: before))
        let service = try Self.service(sensors, store)
        #expect(service.healthFindings.map(\.code) == ["calibration-turned"])
        // before is the identity, so the chip's frame is the old one, in which the iron was learned.
        #expect(abs(Self.heading(sensors, service, turn: now, self.owner)) < 0.5)
        #expect(service.learned.mountMatrix == now)
    }

    @Test func `A matrix that changes while the service runs turns the calibration, too`() throws {
        let sensors = Sensors(.identity)
        let store = Store(Self.stored(with: .identity))
        let service = try Self.service(sensors, store)
        #expect(abs(Self.heading(sensors, service, turn: .identity, owner)) < 0.5)
        let now = Matrix3(Vector3(0, 0, 1), Vector3(1, 0, 0), Vector3(0, 1, 0))
        sensors.sensors[0].mountMatrix = now
        sensors.sensorListener?.sensorSourceChanged(sensors)
        #expect(service.healthFindings.map(\.code).contains("calibration-turned"))
        #expect(abs(Self.heading(sensors, service, turn: now, owner)) < 0.5)
    }

    @Test func `A calibration is dropped with the reason if the new matrix is no turn of the old one`() throws {
        let sensors = Sensors(Matrix3(diagonal: Vector3(1, 1.4, 1)))
        let service = try Self.service(sensors, Store(Self.stored(with: .identity)))
        #expect(service.healthFindings.map(\.code) == ["calibration-dropped"])
        #expect(service.learned.magnetometer == nil)
    }

    @Test func `The same matrix, or one that was not kept, changes nothing`() throws {
        let now = Matrix3(Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))
        for matrix in [now, nil] {
            let service = try Self.service(Sensors(now), Store(Self.stored(with: matrix)))
            #expect(service.healthFindings.isEmpty)
            #expect(service.learned.magnetometer?.hardIron == Self.iron)
            #expect(service.learned.mountMatrix == now)
        }
    }

    private let owner = Owner()
    private final class Owner {}
}
