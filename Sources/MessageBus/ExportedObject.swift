/// An object on the bus.
public final class ExportedObject {
    /// Throws if the caller may not know of the object; whatever it calls is answered with that error.
    public typealias Access = (BusCaller) throws(BusError) -> Void

    /// An interface whose code is made for each call anew: an object of which there are hundreds would otherwise keep some
    /// kilobytes of closures.
    public struct Part {
        /// What the interface offers.
        public let description: InterfaceDescription
        fileprivate let make: () -> ExportedInterface

        /// An interface; `make` is called whenever it is needed and must give the same one.
        public init(_ description: InterfaceDescription, _ make: @escaping () -> ExportedInterface) {
            self.description = description
            self.make = make
        }
    }

    /// Where it is.
    public let path: ObjectPath
    private let parts: [Part]
    private let access: Access?

    /// An object; without `access` everybody may call it.
    public convenience init(path: ObjectPath, interfaces: [ExportedInterface], access: Access? = nil) {
        self.init(
            path: path, parts: interfaces.map { interface in Part(interface.description) { interface } }, access: access
        )
    }

    /// An object that makes its interfaces when they are called.
    public init(path: ObjectPath, parts: [Part], access: Access? = nil) {
        self.path = path
        self.parts = parts
        self.access = access
    }

    /// What it offers.
    var descriptions: [InterfaceDescription] { parts.map(\.description) }

    /// What it offers, with its code.
    public var interfaces: [ExportedInterface] { parts.map { $0.make() } }

    /// The interface of a name.
    public func interface(_ name: String) -> ExportedInterface? {
        parts.first { $0.description.name == name }?.make()
    }

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
