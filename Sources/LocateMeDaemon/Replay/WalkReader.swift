public import Geomagnetism
internal import LocateMeModel
public import SensorRecordings
internal import Simulation

/// A simulated phone on a walk that begins again without end, as records.
public final class WalkReader: RecordReader {
    private let start: WalkSimulation
    private var simulation: WalkSimulation

    /// A walk by its name or its places, as `headingctl simulate` takes them; nil: the demo. Throws `UsageError` for
    /// anything else, and `GeomagnetismError` where the model has no field.
    public init(walk text: String?, model: MagneticModel, realMicroseconds: Int64) throws {
        let name = text ?? "demo"
        guard let walk = Walk(text: name) else {
            let names = Walk.names.map(\.name).joined(separator: ", ")
            throw UsageError("'\(name)' is no walk; there are \(names), or write places as 'LAT,LON LAT,LON'")
        }
        var phone = SimulatedPhone()
        // The true attitude is for whoever tests; nobody reads it here.
        phone.truthRateHertz = 0
        let field = try model.earthField(
            latitude: walk.latitude, longitude: walk.longitude, height: 0,
            year: try DecimalYear(unixSeconds: Double(realMicroseconds) * 1e-6).value)
        start = WalkSimulation(walk: walk, phone: phone, field: field, repeats: true)
        simulation = start
    }

    /// What the simulated phone says of its sensors.
    public var header: RecordingHeader { start.header }

    /// The next record; there always is one.
    public func next() -> Record? { simulation.next() }

    /// From the first step again.
    public func rewind() { simulation = start }
}
