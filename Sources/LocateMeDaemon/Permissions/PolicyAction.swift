/// The actions of `polkit/org.locateme.policy` and `polkit/net.hadess.SensorProxy.policy`.
enum PolicyAction: String, Hashable, CaseIterable {
    /// To know places to about 3 km.
    case reduced = "org.locateme.location.reduced"
    /// To know places as they are known.
    case precise = "org.locateme.location.precise"
    /// To know them while not in use.
    case background = "org.locateme.location.background"
    /// To change settings of the service for everybody.
    case manage = "org.locateme.manage"
    /// To calibrate the compass.
    case calibrate = "org.locateme.calibrate"
    /// To claim and release sensors at net.hadess.SensorProxy.
    case claimSensor = "net.hadess.SensorProxy.claim-sensor"

    /// True if the user of the active session may do it where there is no polkit to say otherwise.
    var isForActiveUser: Bool { self != .manage }
}
