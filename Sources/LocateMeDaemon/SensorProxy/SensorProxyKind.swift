/// What can be claimed through net.hadess.SensorProxy.
enum SensorProxyKind: String, CaseIterable {
    case accelerometer = "Accelerometer"
    case light = "Light"
    case proximity = "Proximity"
    case compass = "Compass"
}
