/// An object on the bus.
public final class ExportedObject {
    /// Throws if the caller may not know of the object; whatever it calls is answered with that error.
    public typealias Access = (BusCaller) throws(BusError) -> Void

    /// Where it is.
    public let path: ObjectPath
    /// What it offers.
    public let interfaces: [ExportedInterface]
    private let access: Access?

    /// An object; without `access` everybody may call it.
    public init(path: ObjectPath, interfaces: [ExportedInterface], access: Access? = nil) {
        self.path = path
        self.interfaces = interfaces
        self.access = access
    }

    /// The interface of a name.
    public func interface(_ name: String) -> ExportedInterface? { interfaces.first { $0.description.name == name } }

    /// Throws if the caller may not call it.
    func check(_ caller: BusCaller) throws(BusError) { try access?(caller) }

    /// True if the caller may know of it.
    func isVisible(to caller: BusCaller) -> Bool {
        do throws(BusError) {
            try check(caller)
            return true
        } catch {
            return false
        }
    }
}
