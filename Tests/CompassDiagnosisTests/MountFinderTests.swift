import CompassDiagnosis
import Geometry
import LocateMeModel
import Testing

struct MountFinderTests {
    /// Feeds poses as an unsteady hand holds them, 10° off, and the tumble, from chips mounted as given.
    private func finder(magnetometer: Matrix3, accelerometer: Matrix3, withPoses: Bool = true) -> MountFinder {
        var finder = MountFinder()
        if withPoses {
            for (pose, up) in [
                (MountFinder.Pose.flat, Vector3(0.17, -0.03, 0.98)), (.upright, Vector3(0.05, 0.98, 0.17)),
                (.right, Vector3(0.98, 0.12, -0.12)),
            ] {
                let isTaken = finder.add(pose, force: accelerometer * up * 9.80665)
                #expect(isTaken)
            }
        }
        var force: Vector3?
        for sample in Samples.turned(Samples.tumble, magnetometer: magnetometer, accelerometer: accelerometer) {
            switch sample.reading {
            case .acceleration(let value): force = value
            case .magneticField(let field): if let force { finder.add(force: force, field: field) }
            default: break
            }
        }
        return finder
    }

    @Test(arguments: AxisTurn.all)
    func `Each of the 24 mounts and their mirror images is found at a known place, and the accelerometer left alone`(
        turn: Matrix3
    ) throws {
        let result = try finder(magnetometer: turn, accelerometer: .identity).result(inclination: 63.4)
        #expect(result.turn == turn.transposed)
        #expect(result.accelerometer == .identity && !result.accelerometerIsWrong)
        #expect(result.magnetometerIsWrong == (turn != .identity))
        #expect(!result.isSignAssumed)
    }

    @Test(arguments: [0, 5, 11, 17, 23, 26, 40])
    func `With the accelerometer's matrix wrong, that is said, and the magnetometer's is found all the same`(
        number: Int
    )
        throws
    {
        let wrong = AxisTurn.all[number]
        for other in [Matrix3.identity, AxisTurn.proper[9]] {
            let result = try finder(magnetometer: other, accelerometer: wrong).result(inclination: 63.4)
            #expect(result.accelerometer == wrong.transposed)
            #expect(result.accelerometerIsWrong == (wrong != .identity))
            #expect(result.turn == other.transposed)
        }
    }

    @Test func `Without a place the axes are taken for right-handed, and that is said`() throws {
        for turn in [AxisTurn.proper[3], AxisTurn.proper[14]] {
            let result = try finder(magnetometer: turn, accelerometer: .identity).result()
            #expect(result.turn == turn.transposed && result.isSignAssumed)
        }
        // A matrix in force that mirrors: the chip itself is right-handed, so the answer takes the mirror back.
        let mirror = Matrix3(diagonal: Vector3(1, 1, -1))
        let result = try finder(magnetometer: mirror, accelerometer: .identity).result(presentMagnetometer: mirror)
        #expect(result.turn == mirror)
    }

    @Test(arguments: [0.0, 6, 10])
    func `A chip that is soldered askew is found within 2 degrees`(degrees: Double) throws {
        let axis = Vector3(0.6, -0.48, 0.64)
        let skew = Quaternion(rotationVector: axis * (degrees * .pi / 180)).matrix
        let turn = AxisTurn.proper[7]
        // The phone has soft iron, which looks like a small turn until it is fitted.
        let result = try finder(magnetometer: turn * skew, accelerometer: .identity).result(inclination: 63.4)
        #expect(result.turn == turn.transposed)
        let straight = try finder(magnetometer: turn, accelerometer: .identity).result(inclination: 63.4)
        let found = (result.magnetometer * turn * skew) * (straight.magnetometer * turn).transposed
        let trace = found[0, 0] + found[1, 1] + found[2, 2]
        #expect(trace > 1 + 2 * (2 * Double.pi / 180).cosine, "\(AxisTurn.text(result.magnetometer))")
    }

    @Test func `A device that was not moved between two poses is not taken`() {
        var finder = MountFinder()
        let added = [
            finder.add(.flat, force: Vector3(0, 0, 9.8)), finder.add(.upright, force: Vector3(0, 0.5, 9.8)),
            finder.add(.upright, force: Vector3(0, 9.8, 0.5)), finder.add(.right, force: Vector3(0, -9.8, 0)),
        ]
        #expect(added == [true, false, true, false])
        #expect(finder.known == [.flat, .upright])
    }

    @Test func `Too little of a turn is no answer`() {
        var finder = MountFinder()
        for step in 0..<200 {
            let angle = Double(step) * 0.05
            finder.add(
                force: Vector3(0, 0, 9.8), field: Vector3(20 * angle.sine, 20 * angle.cosine, -40))
        }
        #expect(throws: MountFinder.Failure.turnUnclear) { try finder.result(inclination: 60) }
    }
}
