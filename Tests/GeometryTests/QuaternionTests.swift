import Geometry
import Testing

import func Glibc.cos
import func Glibc.sin

@Suite("Quaternions")
struct QuaternionTests {
    /// Rotation vectors with quaternion (w, x, y, z), and what (1, 2, 3) becomes, by
    /// scipy.spatial.transform.Rotation (scipy 1.x: from_rotvec, as_quat, apply).
    static let references: [(vector: Vector3, quaternion: Quaternion, turned: Vector3)] = [
        (
            Vector3(0.3, -0.2, 0.1),
            Quaternion(
                w: 0.9825509821552589, x: 0.14912652997457843, y: -0.09941768664971895, z: 0.049708843324859475),
            Vector3(0.17900092903459203, 1.0603944120092117, 3.5837860369146464)
        ),
        (
            Vector3(1.2, -2.1, 0.4),
            Quaternion(w: 0.338226094707613, x: 0.46064204573864476, y: -0.8061235800426284, z: 0.15354734857954827),
            Vector3(-3.2514265628528305, -1.259348711352664, -1.3573010460429986)
        ),
        (
            Vector3(0, 0, 3),
            Quaternion(w: 0.0707372016677029, x: 0, y: 0, z: 0.9974949866040546),
            Vector3(-1.2722325127201801, -1.838864985141024, 3)
        ),
        (
            Vector3(-2.5, 1, 2),
            Quaternion(
                w: -0.10605483239871265, x: -0.7411523956818421, y: 0.29646095827273683, z: 0.5929219165454737),
            Vector3(-3.331572754514717, -1.5856106201248001, -0.6216606330809962)
        ),
    ]

    @Test("A rotation vector gives the quaternion and the turn that scipy gives", arguments: references.indices)
    func reference(index: Int) {
        let (vector, expected, turned) = Self.references[index]
        let quaternion = Quaternion(rotationVector: vector)
        expectEqual(quaternion, expected)
        #expect((quaternion.rotate(Vector3(1, 2, 3)) - turned).length < 1e-14)
    }

    @Test("A quarter turn about each axis carries the next axis to the one after it", arguments: 0..<3)
    func quarterTurn(axis: Int) {
        let axes = Vector3Tests.axes
        let turn = Quaternion(rotationVector: axes[axis] * (Double.pi / 2))
        #expect((turn.rotate(axes[(axis + 1) % 3]) - axes[(axis + 2) % 3]).length < 1e-15)
        #expect((turn.rotate(axes[axis]) - axes[axis]).length < 1e-15)
    }

    // Rodrigues: v cos φ + (k × v) sin φ + k (k · v) (1 − cos φ)
    @Test("Turning agrees with Rodrigues' formula", arguments: [-3.1, -1, -1e-3, 1e-7, 0.5, 2, 3.14, 6, 9.5])
    func rodrigues(angle: Double) throws {
        let axis = try #require(Vector3(2, -1, 0.5).normalized)
        let vector = Vector3(-0.3, 4, 1.7)
        let expected =
            vector * cos(angle) + axis.cross(vector) * sin(angle) + axis * (axis.dot(vector) * (1 - cos(angle)))
        #expect((Quaternion(rotationVector: axis * angle).rotate(vector) - expected).length < 2e-14)
    }

    @Test("A tiny rotation is half its vector, and none at all is the identity")
    func tiny() {
        #expect(Quaternion(rotationVector: .zero) == .identity)
        let tiny = Quaternion(rotationVector: Vector3(2e-12, -4e-12, 6e-12))
        #expect(tiny.w == 1)
        #expect((Vector3(tiny.x, tiny.y, tiny.z) - Vector3(1e-12, -2e-12, 3e-12)).length < 1e-26)
    }

    @Test("The switch to the series for small angles shows no step")
    func seriesSwitch() {
        let below = Quaternion(rotationVector: Vector3(0.999e-9, 0, 0))
        let above = Quaternion(rotationVector: Vector3(1.001e-9, 0, 0))
        #expect(abs(below.x / 0.999e-9 - 0.5) < 1e-15)
        #expect(abs(above.x / 1.001e-9 - 0.5) < 1e-15)
    }

    @Test("A product turns by the right factor first")
    func composition() {
        let first = Quaternion(rotationVector: Vector3(0.3, -0.2, 0.1))
        let second = Quaternion(rotationVector: Vector3(1.2, -2.1, 0.4))
        let vector = Vector3(1, 2, 3)
        let stepByStep = second.rotate(first.rotate(vector))
        #expect(((second * first).rotate(vector) - stepByStep).length < 1e-14)
        #expect(((first * second).rotate(vector) - stepByStep).length > 0.1)
    }

    // Hamilton: i² = j² = k² = ijk = −1
    @Test("The units multiply as Hamilton's")
    func units() {
        let minusOne = Quaternion(w: -1, x: 0, y: 0, z: 0)
        let (i, j, k) = (
            Quaternion(w: 0, x: 1, y: 0, z: 0), Quaternion(w: 0, x: 0, y: 1, z: 0), Quaternion(w: 0, x: 0, y: 0, z: 1)
        )
        #expect(i * i == minusOne)
        #expect(j * j == minusOne)
        #expect(k * k == minusOne)
        #expect(i * j * k == minusOne)
        #expect(i * j == k)
    }

    @Test("The conjugate turns back", arguments: references.indices)
    func conjugate(index: Int) {
        let quaternion = Quaternion(rotationVector: Self.references[index].vector)
        expectEqual(quaternion.conjugate * quaternion, .identity)
        #expect((quaternion.conjugate.rotate(quaternion.rotate(Vector3(1, 2, 3))) - Vector3(1, 2, 3)).length < 1e-14)
    }

    @Test("The matrix of a unit quaternion is a rotation", arguments: references.indices)
    func matrix(index: Int) {
        let matrix = Quaternion(rotationVector: Self.references[index].vector).matrix
        #expect(abs(matrix.determinant - 1) < 1e-14)
        for (element, expected) in zip((matrix * matrix.transposed).rowMajor, Matrix3.identity.rowMajor) {
            #expect(abs(element - expected) < 1e-14)
        }
    }

    @Test("A turn about z is the rotation vector along z", arguments: [-3, -0.5, 0, 1e-10, 1, 3.1])
    func aboutZ(radians: Double) {
        expectEqual(Quaternion(aboutZ: radians), Quaternion(rotationVector: Vector3(0, 0, radians)))
    }

    @Test("Normalising gives length 1 in the same direction")
    func normalized() {
        expectEqual(
            Quaternion(w: 1, x: -2, y: 2, z: 4).normalized, Quaternion(w: 0.2, x: -0.4, y: 0.4, z: 0.8))
    }

    @Test(
        "What cannot be normalised becomes the identity",
        arguments: [
            Quaternion(w: 0, x: 0, y: 0, z: 0), Quaternion(w: .nan, x: 0, y: 0, z: 0),
            Quaternion(w: 1, x: .infinity, y: 0, z: 0), Quaternion(w: 1, x: 0, y: 0, z: -.infinity),
        ])
    func cannotNormalise(quaternion: Quaternion) {
        #expect(quaternion.normalized == .identity)
    }

    private func expectEqual(
        _ actual: Quaternion, _ expected: Quaternion, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let difference = max(
            abs(actual.w - expected.w), abs(actual.x - expected.x), abs(actual.y - expected.y),
            abs(actual.z - expected.z))
        #expect(difference < 1e-15, "\(actual) is not \(expected)", sourceLocation: sourceLocation)
    }
}
