internal import MessageBus

extension BusAddress {
    /// How `--bus` is read.
    static let type = ValueType<BusAddress>(
        placeholder: "BUS", completion: .words(["system", "session"]),
        expectation: "system, session or a D-Bus address such as unix:path=/run/user/1000/bus"
    ) { BusAddress(argument: $0) }

    /// For sentences: "the system bus", "the bus at unix:path=…".
    var phrase: String {
        switch self {
        case .system: "the system bus"
        case .session: "the session bus"
        case .address(let address): "the bus at \(address)"
        }
    }
}
