internal import DeviceOrientation
internal import LocateMeBusInterface
internal import MessageBus

/// The two objects of net.hadess.SensorProxy.
enum SensorProxyObjects {
    static let busName = "net.hadess.SensorProxy"
    static let path: ObjectPath = "/net/hadess/SensorProxy"
    static let compassPath: ObjectPath = "/net/hadess/SensorProxy/Compass"

    /// The main object.
    static func main(
        values: @escaping () -> SensorProxyValues, claim: @escaping (SensorProxyKind, BusCall) -> Void,
        release: @escaping (SensorProxyKind, BusCall) -> Void
    ) -> ExportedObject {
        let interface = ExportedInterface(LocateMeInterfaces.sensorProxy)
        addMethods(interface, [.accelerometer, .light, .proximity], claim: claim, release: release)
        interface.property("HasAccelerometer") { _ in .bool(values().hasAccelerometer) }
        interface.property("AccelerometerOrientation") { _ in .string(values().orientation.rawValue) }
        interface.property("AccelerometerTilt") { _ in .string(values().tilt.rawValue) }
        interface.property("HasAmbientLight") { _ in .bool(values().hasLight) }
        interface.property("LightLevelUnit") { _ in .string(values().lightIsLux ? "lux" : "vendor") }
        interface.property("LightLevel") { _ in .double(values().lightLevel) }
        interface.property("HasProximity") { _ in .bool(values().hasProximity) }
        interface.property("ProximityNear") { _ in .bool(values().isNear) }
        return ExportedObject(path: path, interfaces: [interface])
    }

    /// The compass.
    static func compass(
        values: @escaping () -> SensorProxyValues, claim: @escaping (SensorProxyKind, BusCall) -> Void,
        release: @escaping (SensorProxyKind, BusCall) -> Void
    ) -> ExportedObject {
        let interface = ExportedInterface(LocateMeInterfaces.sensorProxyCompass)
        addMethods(interface, [.compass], claim: claim, release: release)
        interface.property("HasCompass") { _ in .bool(values().hasCompass) }
        interface.property("CompassHeading") { _ in .double(values().heading) }
        return ExportedObject(path: compassPath, interfaces: [interface])
    }

    private static func addMethods(
        _ interface: ExportedInterface, _ kinds: [SensorProxyKind],
        claim: @escaping (SensorProxyKind, BusCall) -> Void, release: @escaping (SensorProxyKind, BusCall) -> Void
    ) {
        for kind in kinds {
            interface.method("Claim\(kind.rawValue)") { call, _ in claim(kind, call) }
            interface.method("Release\(kind.rawValue)") { call, _ in release(kind, call) }
        }
    }
}
