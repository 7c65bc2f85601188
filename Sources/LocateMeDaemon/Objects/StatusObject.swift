internal import LocateMeBusInterface
internal import LocateMeModel
internal import MessageBus

/// `Status1` at `/org/locateme`: the newest heading and place for a glance. Reading wakes nothing.
enum StatusObject {
    /// The interface. `heading` gives the newest heading for those who may know the place (true) or may not (false),
    /// `place` the last known fix.
    static func interface(
        permission: LocationPermission, heading: @escaping (Bool) -> Heading?, place: @escaping () -> Fix?
    ) -> ExportedInterface {
        let interface = ExportedInterface(LocateMeInterfaces.status1)
        let isPermitted = { (caller: BusCaller?) in caller.map { permission.allows($0) } ?? false }
        let valid = { (caller: BusCaller?) -> Heading? in
            heading(isPermitted(caller)).flatMap { $0.accuracy >= 0 ? $0 : nil }
        }
        let fix = { (caller: BusCaller?) in isPermitted(caller) ? place() : nil }
        interface.property("MagneticHeading") { .double(valid($0)?.magnetic ?? -1) }
        interface.property("TrueHeading") { .double(valid($0)?.trueHeading ?? -1) }
        interface.property("HeadingAccuracy") { .double(valid($0)?.accuracy ?? -1) }
        interface.property("HeadingTime") { .int64(valid($0)?.realMicroseconds ?? 0) }
        interface.property("Latitude") { .double(fix($0)?.latitude ?? .nan) }
        interface.property("Longitude") { .double(fix($0)?.longitude ?? .nan) }
        interface.property("HorizontalAccuracy") { .double(fix($0)?.horizontalAccuracy ?? -1) }
        interface.property("LocationTime") { .int64(fix($0)?.realMicroseconds ?? 0) }
        return interface
    }
}
