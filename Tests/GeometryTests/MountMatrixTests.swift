import Geometry
import Testing

@Suite("Mount matrices")
struct MountMatrixTests {
    /// Texts as kernels print them and the nine numbers they mean. The 10° one is the example of
    /// Documentation/devicetree/bindings/iio/imu/invensense,mpu6050.yaml of Linux.
    static let kernelTexts: [(text: String, numbers: [Double])] = [
        ("1, 0, 0; 0, 1, 0; 0, 0, 1\n", [1, 0, 0, 0, 1, 0, 0, 0, 1]),
        ("0, 1, 0; 1, 0, 0; 0, 0, -1", [0, 1, 0, 1, 0, 0, 0, 0, -1]),
        ("0,1,0;-1,0,0;0,0,1", [0, 1, 0, -1, 0, 0, 0, 0, 1]),
        ("  -1 , 0 , 0 ;\t0 , -1 , 0 ; 0 , 0 , 1 \n", [-1, 0, 0, 0, -1, 0, 0, 0, 1]),
        (
            "-0.984807753012208, 0, -0.173648177666930; 0, -1, 0; -0.173648177666930, 0, 0.984807753012208\n",
            [-0.984807753012208, 0, -0.173648177666930, 0, -1, 0, -0.173648177666930, 0, 0.984807753012208]
        ),
        (
            "0.707107, -0.707107, 0; 0.707107, 0.707107, 0; 0, 0, 1\0",
            [
                0.707107, -0.707107, 0, 0.707107, 0.707107, 0, 0, 0, 1,
            ]
        ),
        ("1e0, 0, 0; 0, +1, 0; 0, 0, 1.000", [1, 0, 0, 0, 1, 0, 0, 0, 1]),
    ]

    @Test("The text of a kernel is read", arguments: kernelTexts.indices)
    func kernelText(index: Int) throws {
        let (text, numbers) = Self.kernelTexts[index]
        let mount = try #require(MountMatrix(kernelText: text))
        #expect(mount.matrix.rowMajor == numbers)
        #expect(mount.isRotation)
        #expect(!mount.isReflection)
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "\n", "identity", "1, 0, 0", "1, 0, 0; 0, 1, 0", "1, 0, 0; 0, 1, 0; 0, 0, 1; 0, 0, 0",
            "1, 0; 0, 1, 0; 0, 0, 1", "1, 0, 0, 0; 0, 1, 0; 0, 0, 1", "1, 0, 0; 0, 1, 0; 0, 0, 1;",
            "1, 0, ; 0, 1, 0; 0, 0, 1", "1, 0, x; 0, 1, 0; 0, 0, 1", "nan, 0, 0; 0, 1, 0; 0, 0, 1",
            "1, 0, 0; 0, inf, 0; 0, 0, 1", "1, 0, 0; 0, 1e999, 0; 0, 0, 1", "1 0 0; 0 1 0; 0 0 1",
            "1 0, 0, 0; 0, 1, 0; 0, 0, 1", "0,707 0 0; 0 1 0; 0 0 1",
        ])
    func garbage(text: String) {
        #expect(MountMatrix(kernelText: text) == nil)
    }

    @Test(
        "A matrix that flattens space is refused",
        arguments: ["0, 0, 0; 0, 0, 0; 0, 0, 0", "1, 0, 0; 1, 0, 0; 0, 0, 1", "1, 0, 0; 0, 1e-7, 0; 0, 0, 1"])
    func singular(text: String) {
        #expect(MountMatrix(kernelText: text) == nil)
    }

    @Test("Reflections, as screen-rotation tables hold them, are told apart and are no turn of a chip")
    func reflection() throws {
        let mount = try #require(MountMatrix(kernelText: "-1, 0, 0; 0, 1, 0; 0, 0, 1"))
        #expect(mount.isReflection)
        #expect(!mount.isRotation)
    }

    @Test("Skewed and scaled matrices are no rotation, one per cent off still is")
    func orthogonality() throws {
        #expect(try !#require(MountMatrix(kernelText: "1, 0.1, 0; 0, 1, 0; 0, 0, 1")).isRotation)
        #expect(try !#require(MountMatrix(kernelText: "2, 0, 0; 0, 2, 0; 0, 0, 2")).isRotation)
        #expect(try #require(MountMatrix(kernelText: "1, 0.004, 0; 0, 1, 0; 0, 0, 1")).isRotation)
    }

    @Test("A matrix that is not finite is refused", arguments: [Double.nan, .infinity])
    func notFinite(value: Double) {
        #expect(MountMatrix(Matrix3(diagonal: Vector3(1, value, 1))) == nil)
        #expect(MountMatrix(.identity) == .identity)
    }

    @Test("The matrix carries the chip's axes to the device's: v' = M v")
    func direction() throws {
        // A chip mounted a quarter turn counter-clockwise: its x axis points to the device's top.
        let mount = try #require(MountMatrix(kernelText: "0, -1, 0; 1, 0, 0; 0, 0, 1"))
        #expect(mount.matrix * Vector3(1, 0, 0) == Vector3(0, 1, 0))
    }

    @Test("A matrix that leaves nothing of a vector is none", arguments: ["1e308", "-1e200", "101", "inf", "nan"])
    func absurdElement(text: String) {
        #expect(MountMatrix(kernelText: "\(text), 0, 0; 0, 1, 0; 0, 0, 1") == nil)
        #expect(MountMatrix(kernelText: "0, \(text), 1; 1, 0, 0; 0, 1, 0") == nil)
    }
}
