import Geometry
import LocateMeModel
import MagnetometerCalibration
import Testing

@Suite("Stored heading state as text")
struct StoredHeadingStateTextTests {
    private var state: StoredHeadingState {
        var state = StoredHeadingState()
        var magnetometer = StoredHeadingState.Magnetometer(
            softIron: Matrix3(Vector3(1.04, 0.01, 0), Vector3(0.01, 0.98, 0.1), Vector3(0, 0.1, 0.98)),
            hardIron: Vector3(46.1, -64.4, 1.0 / 3), hardIronSigma: 0.7)
        magnetometer.hardIronCovariance = Matrix3(diagonal: Vector3(0.5, 0.25, 900))
        magnetometer.fieldMicrotesla = 47.3
        magnetometer.residualMicrotesla = 0.9
        magnetometer.coverage = 0.88
        magnetometer.samples = 400
        state.magnetometer = magnetometer
        state.gyroscope = StoredHeadingState.Gyroscope(bias: Vector3(0.01, -0.02, 1e-7), sigma: 0.0005)
        state.latency = StoredHeadingState.Latency(seconds: 0.029, sigma: 0.002)
        state.createdRealMicroseconds = 1_764_504_001_000_000
        state.temperature = 31.5
        state.latitude = 45.2
        state.longitude = -5.7
        state.source = "guided"
        state.fieldScale = 0.01
        return state
    }

    @Test("Survives the round trip bit by bit")
    func roundTrip() throws {
        let text = StoredHeadingStateText.text(of: state, device: "i2c-0/af8133j")
        #expect(try StoredHeadingStateText.state(of: text, device: "i2c-0/af8133j") == state)
        #expect(text.hasPrefix("locateme-state 1\ndevice i2c-0/af8133j\n"))
    }

    @Test("A state that knows nothing survives too")
    func empty() throws {
        let read = try StoredHeadingStateText.state(of: StoredHeadingStateText.text(of: StoredHeadingState()))
        #expect(read.magnetometer == nil && read.gyroscope == nil && read.latency == nil)
        #expect(read.temperature.isNaN && read.source == "online")
    }

    @Test(
        "Is refused with the reason",
        arguments: [
            ("", StoredStateError.Code.format), ("hello", .format), ("locateme-state 2\n", .version),
            ("locateme-state\n", .format), ("locateme-state 1\ndevice other\n", .device),
            ("locateme-state 1\ngyro-bias 0 nan 0 0.1\n", .value), ("locateme-state 1\ngyro-bias 0 0 0\n", .value),
            ("locateme-state 1\ngyro-bias 0 0 0 1\ngyro-scale 0.3 0 0 0.01\n", .value),
            ("locateme-state 1\ngyro-scale 0.01 0 0 0.01\n", .format),
            ("locateme-state 1\ngyro-bias 0 0 inf 1\n", .value), ("locateme-state 1\nlatency -1 0.1\n", .value),
            ("locateme-state 1\nwhat 1\n", .format), ("locateme-state 1\nhard-iron 1 2 3 1\n", .format),
            ("locateme-state 1\nsoft-iron 1 0 0 0 1 0 0 0 -1\nhard-iron 1 2 3 1\n", .value),
            ("locateme-state 1\nsoft-iron 1 0.2 0 0 1 0 0 0 1\nhard-iron 1 2 3 1\n", .value),
            ("locateme-state 1\nsoft-iron 1 0 0 0 1 0 0 0 1\nhard-iron 1 2 3 -1\n", .value),
            ("locateme-state 1\nlatency 0 1\nlatency 0 1\n", .format), ("locateme-state 1\ncreated x\n", .value),
            ("locateme-state 1\nplace 91 0\n", .value), ("locateme-state 1\nfit 47 1 0.9 300\n", .format),
        ])
    func refused(text: String, code: StoredStateError.Code) {
        do {
            _ = try StoredHeadingStateText.state(of: text, device: "mine")
            Issue.record("accepted: \(text)")
        } catch {
            #expect(error.code == code)
            #expect(error.description.count > 10)
        }
    }

    @Test("Cut anywhere, it is either refused or says no more than the whole")
    func cut() throws {
        let text = StoredHeadingStateText.text(of: state)
        for length in 0..<text.count {
            if let read = try? StoredHeadingStateText.state(of: String(text.prefix(length))) {
                #expect(read.magnetometer?.hardIron.isFinite ?? true)
                #expect(read.gyroscope?.bias.isFinite ?? true)
            }
        }
    }
}
