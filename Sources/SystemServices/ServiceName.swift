/// Well-known bus names of the services that locateme talks to.
public enum ServiceName {
    /// systemd's login manager: sleep, seats, active sessions (org.freedesktop.login1(5)).
    public static let login = "org.freedesktop.login1"
    /// polkit's authority (polkit reference manual, D-Bus API).
    public static let policyKit = "org.freedesktop.PolicyKit1"
    /// UPower: battery or mains.
    public static let powerSupply = "org.freedesktop.UPower"
    /// power-profiles-daemon: the profile that the user chose.
    public static let powerProfiles = "net.hadess.PowerProfiles"
    /// GeoClue 2.
    public static let geoClue = "org.freedesktop.GeoClue2"
    /// ModemManager.
    public static let modemManager = "org.freedesktop.ModemManager1"
}
