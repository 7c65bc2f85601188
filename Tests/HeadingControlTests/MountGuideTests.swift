import CompassDiagnosis
import Geometry
import LocateMeModel
import SensorRecordings
import Simulation
import Testing

@testable import HeadingControl

@Suite("The guide to mount matrices")
struct MountGuideTests {
    private static let field = EarthField(declination: 3, declinationAccuracy: 0.4, horizontal: 21.5, down: 43)

    /// A hand that holds the poses with some tremor, then tumbles; chips as given.
    private func run(_ guide: inout MountGuide, magnetometer: Matrix3, accelerometer: Matrix3) throws -> [String] {
        var texts: [String] = []
        var time: Int64 = 0
        func show(_ isNew: Bool) { if isNew, texts.last != guide.text { texts.append(guide.text) } }
        for up in [Vector3(0, 0, 1), Vector3(0, 1, 0), Vector3(1, 0, 0)] {
            for step in 0..<100 {
                time += 20_000
                let tremor = Vector3(0.1, -0.1, 0.05) * (step.isMultiple(of: 2) ? 1 : -1)
                show(
                    guide.update(
                        SensorSample(
                            bootMicroseconds: time, reading: .acceleration(accelerometer * (up * 9.8 + tremor)))))
            }
        }
        let walk = try #require(Walk(name: "tumble"))
        let start = time + 20_000
        for var sample in WalkSimulation(walk: walk, field: Self.field).compactMap(\.sample) {
            sample.bootMicroseconds += start
            switch sample.reading {
            case .magneticField(let value): sample.reading = .magneticField(magnetometer * value)
            case .acceleration(let value): sample.reading = .acceleration(accelerometer * value)
            default: break
            }
            show(guide.update(sample))
        }
        return texts
    }

    @Test func `Poses are taken by themselves one after the other, and the turn ends when the answer is clear`() throws
    {
        let wrong = AxisTurn.proper[10]
        var guide = MountGuide(inclination: 63.4, presentMagnetometer: .identity)
        #expect(guide.text.hasPrefix("1 of 4"))
        let texts = try run(&guide, magnetometer: wrong, accelerometer: .identity)
        #expect(texts.prefix(3).map { String($0.prefix(6)) } == ["2 of 4", "3 of 4", "4 of 4"])
        #expect(guide.step == .done)
        #expect(guide.result?.turn == wrong.transposed)
        #expect(guide.result?.accelerometer == .identity)
    }

    @Test func `A pose that is held twice is not taken for the next`() {
        var guide = MountGuide(inclination: .nan, presentMagnetometer: .identity)
        for step in 0..<300 {
            let sample = SensorSample(
                bootMicroseconds: Int64(step) * 20_000, reading: .acceleration(Vector3(0, 0, 9.8)))
            _ = guide.update(sample)
        }
        #expect(guide.step == .pose(.upright))
        #expect(guide.text.hasPrefix("that is the pose before"))
    }

    @Test func `A machine is named by vendor and product, and one without firmware names by a star`() {
        #expect(
            MachineName.pattern(ofModalias: "dmi:bvnX:bvr1.0:bd01/02/2020:svnLENOVO:pn20C0:pvrT:rvnL:rn20C0:")
                == "dmi:*:svnLENOVO:pn20C0:*")
        #expect(MachineName.pattern(ofModalias: "of:Nsensor") == "*")
    }
}
