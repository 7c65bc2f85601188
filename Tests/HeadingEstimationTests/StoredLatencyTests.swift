import HeadingEstimation
import LocateMeModel
import SensorRecordings
import Simulation
import Testing

/// A latency that no store takes must not cost the calibration: buffered samples whose stamps run early make it negative.
@Test(arguments: [-0.04, -0.01, 0, 0.05])
func `What is learned can be stored whatever the latency comes out as`(seconds: Double) throws {
    var phone = SimulatedPhone()
    phone.magnetometer?.latency = seconds
    let field = EarthField(declination: 3, declinationAccuracy: 0.4, horizontal: 21.5, down: 43)
    var estimator = HeadingEstimator()
    let walk = try #require(Walk(name: "tumble"))
    for sample in WalkSimulation(walk: walk, phone: phone, field: field).compactMap(\.sample) {
        _ = estimator.update(sample)
    }
    let state = estimator.storedState
    #expect(state.defect == nil, "\(state.defect ?? "")")
    #expect(state.magnetometer != nil)
    if seconds == 0.05 { #expect(abs((state.latency?.seconds ?? 0.05) - 0.05) < 0.02) }
}
