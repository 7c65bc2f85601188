import CompassDiagnosis
import Geometry
import LocateMeModel
import Testing

/// dead-sensor-constant: an LSM303DLM whose magnetometer answers −2, −4096, −1 with a count of noise at every attitude
/// (Arduino forum, "LSM303 compass problem").
@Test func `dead-sensor-constant: readings that do not move while the attitude varies are no compass`() {
    // Gauss per count, lsm303dlm_magn at its most sensitive.
    let scale = 0.000909 * 100
    var health = CompassHealth()
    health.setResolution(magnetometer: scale, accelerometer: 0)
    let noise: [Double] = [-1, 0, -3, -1, -1]
    var number = 0
    for sample in Samples.tumble {
        var sample = sample
        if case .angularRate = sample.reading { continue }
        if case .magneticField = sample.reading {
            sample.reading = .magneticField(Vector3(-2, -4096, noise[number % noise.count]) * scale)
            number += 1
        }
        health.update(sample, arrival: sample.bootMicroseconds)
    }
    let findings = health.findings(CompassHealth.Context())
    #expect(findings.map(\.code) == ["magn-dead"])
    #expect(findings.first?.severity == .error)
}
