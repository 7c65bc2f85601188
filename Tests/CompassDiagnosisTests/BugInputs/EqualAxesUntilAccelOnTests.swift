import CompassDiagnosis
import Geometry
import LocateMeModel
import Testing

/// equal-axes-until-accel-on: the magnetometer of an MPU-9150 shows 27 27 27 until its accelerometer was used once
/// (linux-iio, 2025-03-28).
@Test func `equal-axes-until-accel-on: three equal axes are no field`() {
    var health = CompassHealth()
    health.setResolution(magnetometer: 0.3, accelerometer: 0)
    func feed(_ counts: [Double], at index: Int) {
        let field = Vector3(counts[0], counts[1], counts[2]) * 0.3
        let sample = SensorSample(bootMicroseconds: Int64(index) * 20_000, reading: .magneticField(field))
        health.update(sample, arrival: sample.bootMicroseconds)
    }
    for index in 0..<20 { feed(index.isMultiple(of: 2) ? [27, 27, 27] : [26, 26, 26], at: index) }
    #expect(health.findings(CompassHealth.Context()).map(\.code) == ["magn-dead-until-accel-powered"])
    for index in 20..<40 { feed(index.isMultiple(of: 2) ? [54, 54, -2] : [61, 57, 1], at: index) }
    #expect(health.findings(CompassHealth.Context()) == [])
}
