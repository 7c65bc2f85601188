internal import LocateMeBusInterface
internal import LocateMeModel
internal import MessageBus

/// `Status1` at `/org/locateme`: the newest heading and place for a glance. Reading wakes nothing.
enum StatusObject {
    /// The interface. `heading` gives the newest heading as a caller may know it, `place` the last known fix.
    static func interface(
        authorizer: Authorizer, heading: @escaping (BusCaller?) -> Heading?, place: @escaping (BusCaller) -> Fix?
    ) -> ExportedInterface {
        let interface = ExportedInterface(LocateMeInterfaces.status1)
        // Found out before a call reaches this interface, and remembered.
        interface.gate = { call, proceed in authorizer.grant(call.caller) { _ in proceed() } }
        let isPermitted = { (caller: BusCaller?) in
            caller.flatMap { authorizer.knownGrant($0)?.isGranted } ?? false
        }
        let valid = { (caller: BusCaller?) -> Heading? in
            heading(caller).flatMap { $0.accuracy >= 0 ? $0 : nil }
        }
        let fix = { (caller: BusCaller?) in caller.flatMap { isPermitted($0) ? place($0) : nil } }
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
