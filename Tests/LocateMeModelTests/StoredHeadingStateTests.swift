import Geometry
import LocateMeModel
import Testing

@Suite("Stored heading states")
struct StoredHeadingStateTests {
    static let sound = StoredHeadingState.Magnetometer(
        softIron: Matrix3(Vector3(1.02, 0.01, -0.02), Vector3(0.01, 0.97, 0), Vector3(-0.02, 0, 1.05)),
        hardIron: Vector3(30, -120, 8), hardIronSigma: 0.5)

    /// What is wrong with a sound state after a change.
    private func defectAfter(_ change: (inout StoredHeadingState) -> Void) -> String? {
        var state = StoredHeadingState()
        state.magnetometer = Self.sound
        state.gyroscope = .init(bias: Vector3(0.01, -0.002, 0), sigma: 1e-4)
        state.latency = .init(seconds: 0.02, sigma: 0.005)
        change(&state)
        return state.defect
    }

    @Test("A sound state has no defect")
    func noDefect() {
        #expect(defectAfter({ _ in }) == nil)
        #expect(defectAfter({ $0.magnetometer?.hardIron = Vector3(0, 10_000, 0) }) == nil)
        #expect(defectAfter({ $0.magnetometer?.fieldMicrotesla = 48 }) == nil)
        #expect(defectAfter({ $0.latency?.seconds = 0.5 }) == nil)
    }

    @Test(
        "A soft iron that is no small symmetric stretch is refused",
        arguments: [
            (Matrix3(diagonal: Vector3(1, .nan, 1)), "not finite"),
            (Matrix3(Vector3(1, 0.1, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)), "not symmetric"),
            (Matrix3(diagonal: Vector3(1, 1, -1)), "gain"), (Matrix3(diagonal: Vector3(1, 1, 0.19)), "gain"),
            (Matrix3(diagonal: Vector3(5.1, 1, 1)), "gain"),
            // Eigenvalues 1 ± 0.9: each element looks harmless.
            (Matrix3(Vector3(1, 0.9, 0), Vector3(0.9, 1, 0), Vector3(0, 0, 1)), "gain"),
            (.zero, "gain"),
        ] as [(Matrix3, String)])
    func softIron(matrix: Matrix3, word: String) throws {
        let defect = try #require(defectAfter({ $0.magnetometer?.softIron = matrix }))
        #expect(defect.contains(word))
    }

    @Test(
        "Eigenvalues from 0.2 to 5 are sound in any direction",
        arguments: [Vector3(0.21, 1, 4.9), Vector3(4.9, 0.21, 1), Vector3(0.21, 0.21, 0.21), Vector3(4.9, 4.9, 4.9)])
    func gains(eigenvalues: Vector3) {
        let turn = Quaternion(rotationVector: Vector3(0.5, -1, 0.7)).matrix
        var matrix = turn * Matrix3(diagonal: eigenvalues) * turn.transposed
        matrix = (matrix + matrix.transposed) * 0.5
        #expect(defectAfter({ $0.magnetometer?.softIron = matrix }) == nil)
    }

    @Test(
        "A hard iron that no device has is refused",
        arguments: [Vector3(.nan, 0, 0), Vector3(0, .infinity, 0), Vector3(0, 0, -10_001), Vector3(6000, 6000, 6000)])
    func hardIron(vector: Vector3) throws {
        let defect = try #require(defectAfter({ $0.magnetometer?.hardIron = vector }))
        #expect(defect.contains("hard iron"))
    }

    @Test("What a fit says of itself is possible")
    func fit() {
        for coverage in [-0.01, 1.01, 55, .infinity] {
            #expect(defectAfter({ $0.magnetometer?.coverage = coverage })?.contains("coverage") == true)
        }
        for residual in [-5, 1e300, .infinity] {
            #expect(defectAfter({ $0.magnetometer?.residualMicrotesla = residual })?.contains("residual") == true)
        }
        #expect(defectAfter({ $0.magnetometer?.samples = -1 })?.contains("samples") == true)
        #expect(
            defectAfter({
                $0.magnetometer?.coverage = 1
                $0.magnetometer?.residualMicrotesla = 0
            }) == nil)
        #expect(
            defectAfter({
                $0.magnetometer?.coverage = .nan
                $0.magnetometer?.residualMicrotesla = .nan
            }) == nil)
    }

    @Test("A covariance, a mount matrix and a temperature are possible ones")
    func others() {
        let impossible = Matrix3(Vector3(1, 3, 0), Vector3(3, 1, 0), Vector3(0, 0, 1))
        #expect(defectAfter({ $0.magnetometer?.hardIronCovariance = impossible })?.contains("covariance") == true)
        #expect(defectAfter({ $0.magnetometer?.hardIronCovariance = .identity * 1e9 })?.contains("covariance") == true)
        #expect(defectAfter({ $0.magnetometer?.hardIronCovariance = .identity }) == nil)
        #expect(defectAfter({ $0.mountMatrix = .identity * 1e9 })?.contains("mount matrix") == true)
        #expect(defectAfter({ $0.mountMatrix = .identity }) == nil)
        #expect(defectAfter({ $0.temperature = 1e300 })?.contains("temperature") == true)
        #expect(defectAfter({ $0.temperature = -40 }) == nil)
    }

    @Test("A standard deviation is a number from 0 on", arguments: [Double.nan, .infinity, -1e-9, 1e300])
    func sigmas(value: Double) {
        #expect(defectAfter({ $0.magnetometer?.hardIronSigma = value })?.contains("hard iron") == true)
        #expect(defectAfter({ $0.gyroscope?.sigma = value })?.contains("gyroscope") == true)
        #expect(defectAfter({ $0.latency?.sigma = value })?.contains("latency") == true)
    }

    @Test("A field strength that is nowhere on earth is refused", arguments: [Double.nan, 4, 151, -48, .infinity])
    func fieldStrength(value: Double) {
        #expect(defectAfter({ $0.magnetometer?.fieldMicrotesla = value })?.contains("field strength") == true)
    }

    @Test("A gyroscope bias beyond 1 rad/s is refused", arguments: [Vector3(1.01, 0, 0), Vector3(0, .nan, 0)])
    func gyroscopeBias(bias: Vector3) {
        #expect(defectAfter({ $0.gyroscope?.bias = bias })?.contains("gyroscope") == true)
    }

    @Test("A latency outside 0…0.5 s is refused", arguments: [Double.nan, -0.001, 0.501, .infinity])
    func latency(seconds: Double) {
        #expect(defectAfter({ $0.latency?.seconds = seconds })?.contains("latency") == true)
    }
}

@Suite struct StoredHeadingStateTurningTests {
    @Test func `What is calibrated with the turned state is what was calibrated, turned`() throws {
        var state = StoredHeadingState()
        let soft = Matrix3(Vector3(1.1, 0.05, -0.02), Vector3(0.05, 0.95, 0.03), Vector3(-0.02, 0.03, 1.02))
        state.magnetometer = StoredHeadingState.Magnetometer(
            softIron: soft, hardIron: Vector3(30, -12, 5), hardIronSigma: 1)
        state.gyroscope = StoredHeadingState.Gyroscope(bias: Vector3(0.01, 0, 0), sigma: 0.001)
        let before = Matrix3(Vector3(0, 1, 0), Vector3(1, 0, 0), Vector3(0, 0, 1))
        let now = Matrix3(Vector3(0.6, 0, 0.8), Vector3(0, -1, 0), Vector3(-0.8, 0, 0.6))
        state.mountMatrix = before
        let turned = try #require(state.turned(to: now))
        let magnetometer = try #require(turned.magnetometer)
        #expect(turned.mountMatrix == now && turned.gyroscope == nil && turned.defect == nil)
        let turn = now * before.transposed
        for chip in [Vector3(20, 0, 0), Vector3(0, -31, 7), Vector3(3, 4, 50)] {
            let one = turn * (soft * (before * chip) - Vector3(30, -12, 5))
            let other = magnetometer.softIron * (now * chip) - magnetometer.hardIron
            #expect((one - other).length < 1e-9)
        }
        #expect(state.turned(to: before)?.magnetometer?.hardIron == Vector3(30, -12, 5))
        #expect(state.turned(to: Matrix3(diagonal: Vector3(1, 1, 1.1))) == nil)
        #expect(state.turned(to: .zero) == nil)
    }
}
