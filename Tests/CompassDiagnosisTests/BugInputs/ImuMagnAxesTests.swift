import CompassDiagnosis
import Geometry
import LocateMeModel
import Testing

/// imu-magn-axes-xy-swapped (MPU-9250: kriswiner/MPU9250#34, #2; bolderflight/invensense-imu#121) and
/// imu-magn-axes-yz-inverted (ICM-20948: micropython-IMU/micropython-fusion#10, sparkfun/SparkFun_ICM-20948_ArduinoLibrary#59):
/// the magnetometer in the same package has other axes than the accelerometer. The cases give level readings; a diagnosis
/// needs attitudes, so the same chip is tumbled here.
struct ImuMagnAxesTests {
    private struct Case: Sendable {
        var id: String
        var matrix: Matrix3
        /// Heading in degrees and what the chip then shows, G.
        var readings: [(heading: Double, chip: Vector3)]
    }

    private static let cases = [
        Case(
            id: "imu-magn-axes-xy-swapped", matrix: Matrix3(Vector3(0, 1, 0), Vector3(1, 0, 0), Vector3(0, 0, -1)),
            readings: [
                (0, Vector3(0.21, 0, 0.42)), (60, Vector3(0.105, -0.1819, 0.42)), (90, Vector3(0, -0.21, 0.42)),
                (200, Vector3(-0.1973, 0.0718, 0.42)),
            ]),
        Case(
            id: "imu-magn-axes-yz-inverted", matrix: Matrix3(diagonal: Vector3(1, -1, -1)),
            readings: [
                (0, Vector3(0, -0.21, 0.42)), (90, Vector3(-0.21, 0, 0.42)), (180, Vector3(0, 0.21, 0.42)),
                (270, Vector3(0.21, 0, 0.42)),
            ]),
    ]

    @Test(arguments: 0..<2)
    func `The matrix that is found turns the level readings into their headings`(number: Int) throws {
        let kind = Self.cases[number]
        let chip = kind.matrix.transposed
        let (health, context) = Samples.health(Samples.turned(Samples.tumble, magnetometer: chip))
        let found = try #require(health.findings(context).first { Samples.axisCodes.contains($0.code) })
        #expect(found.code == "magn-axes-disagree", "\(kind.id)")
        #expect(found.remedy.contains(AxisTurn.text(kind.matrix)), "\(kind.id): \(found.remedy)")
        let matrix = try #require(health.axes.judgement()?.matrix)
        for (heading, reading) in kind.readings {
            let field = matrix * reading
            #expect(
                (field - Vector3(-0.21 * (heading * .pi / 180).sine, 0.21 * (heading * .pi / 180).cosine, -0.42)).length
                    < 1e-3)
        }
    }
}
