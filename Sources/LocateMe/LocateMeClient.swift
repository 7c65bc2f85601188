public import EventLoop
public import LocateMeBusInterface
public import LocateMeModel
public import MessageBus

/// A connection to the location service, on an `EventLoop` and its thread. Answers come on the loop, never from
/// within a call. Start here; `LocationManager` gives headings and places.
public final class LocateMeClient {
    /// The loop everything happens on.
    public let loop: EventLoop
    let connection: BusConnection
    private var service: NameWatch?
    private var keepers: [WeakKeeper] = []

    private struct WeakKeeper {
        weak var keeper: SessionKeeper?
    }

    /// Connects to a bus; the service need not run. Throws `.noBus`.
    public init(_ bus: BusAddress = .system, loop: EventLoop) throws(LocateMeError) {
        self.loop = loop
        do throws(BusError) {
            connection = try BusConnection(bus, loop: loop)
        } catch {
            throw LocateMeError(.noBus, error.text, busError: error)
        }
        connection.onDisconnected = { [weak self] in
            guard let self else { return }
            for entry in keepers { entry.keeper?.busIsGone() }
            onDisconnected?()
        }
        service = connection.watchName(LocateMeBus.name) { [weak self] owner in
            self?.onServiceChange?(owner != nil)
        }
    }

    deinit { connection.close() }

    /// True if the service owns its name. False before the bus has answered, and false if the service would only be
    /// started by a request.
    public var isServiceRunning: Bool { service?.owner != nil }

    /// Called with true when the service appears, with false when it leaves; once at the beginning.
    public var onServiceChange: ((_ isRunning: Bool) -> Void)?

    /// Called once if the bus itself goes away; nothing works any more then.
    public var onDisconnected: (() -> Void)?

    /// Leaves the bus: the service ends all sessions of this client. Nothing is called any more. Idempotent.
    public func close() {
        keepers = []
        connection.close()
    }

    /// Starts something that answers through a closure, and runs the loop until it has. For small tools; must not be
    /// called from within a handler of the loop. `.cancelled` if somebody stops the loop meanwhile.
    ///
    ///     let status = try client.wait { client.status(reply: $0) }
    public func wait<Value>(
        _ start: (@escaping (Result<Value, LocateMeError>) -> Void) -> Void
    ) throws(LocateMeError) -> Value {
        var answer: Result<Value, LocateMeError>?
        start { [loop] in
            answer = $0
            loop.stop()
        }
        do throws(Errno) {
            try loop.run()
        } catch {
            throw LocateMeError(.failed, "waiting for the location service failed: \(error)")
        }
        guard let answer else { throw LocateMeError(.cancelled, "interrupted") }
        return try answer.get()
    }

    // MARK: - What the service tells of itself

    /// `Manager1`: what this machine can do.
    public func information(reply: @escaping (Result<ServiceInformation, LocateMeError>) -> Void) {
        properties(LocateMeBus.managerPath, LocateMeInterfaces.manager1.name, ServiceInformation.init, reply)
    }

    /// `Status1`: the latest heading and place, without waking anything.
    public func status(reply: @escaping (Result<StatusSnapshot, LocateMeError>) -> Void) {
        properties(LocateMeBus.managerPath, LocateMeInterfaces.status1.name, StatusSnapshot.init, reply)
    }

    /// `Compass1`: the compass hardware.
    public func compass(reply: @escaping (Result<CompassInformation, LocateMeError>) -> Void) {
        properties(LocateMeBus.compassPath, LocateMeInterfaces.compass1.name, CompassInformation.init, reply)
    }

    /// All sensors, used or not.
    public func sensors(reply: @escaping (Result<[SensorDescription], LocateMeError>) -> Void) {
        call(LocateMeBus.compassPath, LocateMeInterfaces.compass1.name, "ListSensors") { result in
            reply(
                result.decoded { reader throws(BusError) in
                    try reader.readDictionaries().compactMap(SensorDescription.init)
                })
        }
    }

    /// What is wrong with the sensors and what to do.
    public func diagnose(reply: @escaping (Result<[Finding], LocateMeError>) -> Void) {
        call(LocateMeBus.compassPath, LocateMeInterfaces.compass1.name, "Diagnose") { result in
            reply(
                result.decoded { reader throws(BusError) in
                    try reader.readDictionaries().compactMap(Finding.init)
                })
        }
    }

    /// `Calibration1`: how well the magnetometer is calibrated. `.notSupported` if the service has none.
    public func calibration(reply: @escaping (Result<CalibrationInformation, LocateMeError>) -> Void) {
        let interface = LocateMeInterfaces.calibration1.name
        properties(LocateMeBus.compassPath, interface, { $0 }) { [weak self] properties in
            guard let self, case .success(let state) = properties else {
                reply(properties.map { CalibrationInformation($0, [:]) })
                return
            }
            call(LocateMeBus.compassPath, interface, "Get") { result in
                reply(
                    result.decoded { reader throws(BusError) in
                        CalibrationInformation(state, try reader.readDictionary())
                    })
            }
        }
    }

    /// Sets a declination in degrees, east positive, in place of the magnetic model; NaN returns to the model. Needs
    /// the right to manage the service.
    public func setDeclinationOverride(
        _ degrees: Double, reply: @escaping (Result<Void, LocateMeError>) -> Void
    ) {
        set(LocateMeBus.compassPath, LocateMeInterfaces.compass1.name, "DeclinationOverride", .double(degrees), reply)
    }

    /// Asks for permission to learn places. `reply` gets the decision, which may take as long as the user does.
    public func requestAuthorization(
        _ wanted: AuthorizationStatus = .whenInUse, accuracy: AccuracyAuthorization = .full, reason: String,
        reply: @escaping (Result<(AuthorizationStatus, AccuracyAuthorization), LocateMeError>) -> Void
    ) {
        let arguments: [BusValue] = [
            .uint32(wanted == .always ? 2 : 1), .uint32(accuracy.rawValue), .string(reason), .dictionary([:]),
        ]
        call(
            LocateMeBus.managerPath, LocateMeInterfaces.manager1.name, "RequestAuthorization", arguments,
            timeoutMilliseconds: nil
        ) { result in
            reply(
                result.decoded { reader throws(BusError) in
                    let status = AuthorizationStatus(rawValue: try reader.readUInt32()) ?? .notDetermined
                    return (status, AccuracyAuthorization(rawValue: try reader.readUInt32()) ?? .none)
                })
        }
    }

    /// Calls `handler` with the properties of `Manager1` whenever some have changed, until the watch is cancelled.
    public func watchInformation(_ handler: @escaping (Result<ServiceInformation, LocateMeError>) -> Void) -> BusMatch {
        connection.addMatch(
            BusMatchRule(
                sender: LocateMeBus.name, interface: Self.propertiesInterface, member: "PropertiesChanged",
                path: LocateMeBus.managerPath, firstArgument: LocateMeInterfaces.manager1.name)
        ) { [weak self] _ in self?.information(reply: handler) }
    }

    // MARK: - For LocationManager

    /// Tells the keeper when the bus goes away.
    func register(_ keeper: SessionKeeper) {
        keepers.removeAll { $0.keeper == nil }
        keepers.append(WeakKeeper(keeper: keeper))
    }

    /// Calls a method; errors come as the service's or the bus's.
    @discardableResult
    func call(
        _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [BusValue] = [],
        timeoutMilliseconds: Int32? = 25_000, destination: String = LocateMeBus.name,
        _ reply: @escaping (Result<BusMessage, BusError>) -> Void
    ) -> PendingCall? {
        do throws(BusError) {
            let message = try BusMessage.methodCall(
                destination: destination, path: path, interface: interface, member: member)
            try message.write { writer throws(BusError) in
                for argument in arguments { try writer.append(argument) }
            }
            return connection.call(message, timeoutMilliseconds: timeoutMilliseconds, reply: reply)
        } catch {
            // Answers never come from within a call.
            let timer = loop.makeTimer { reply(.failure(error)) }
            timer.arm(afterMicroseconds: 0)
            return nil
        }
    }

    func set(
        _ path: ObjectPath, _ interface: String, _ property: String, _ value: BusValue,
        destination: String = LocateMeBus.name, _ reply: @escaping (Result<Void, LocateMeError>) -> Void
    ) {
        call(
            path, Self.propertiesInterface, "Set", [.string(interface), .string(property), .variant(value)],
            destination: destination
        ) { result in
            reply(result.map { _ in }.mapError(LocateMeError.init))
        }
    }

    func properties<Value>(
        _ path: ObjectPath, _ interface: String, _ make: @escaping ([String: BusValue]) -> Value,
        destination: String = LocateMeBus.name, _ reply: @escaping (Result<Value, LocateMeError>) -> Void
    ) {
        call(path, Self.propertiesInterface, "GetAll", [.string(interface)], destination: destination) { result in
            reply(result.decoded { reader throws(BusError) in make(try reader.readDictionary()) })
        }
    }

    private static let propertiesInterface = "org.freedesktop.DBus.Properties"
}

extension Result where Success == BusMessage, Failure == BusError {
    /// The answer read by `body`; what cannot be read becomes an error of this client.
    func decoded<Value>(
        _ body: (inout BusReader) throws(BusError) -> Value
    ) -> Result<Value, LocateMeError> {
        switch self {
        case .failure(let error):
            return .failure(LocateMeError(error))
        case .success(let message):
            do throws(BusError) {
                var reader = message.reader()
                return .success(try body(&reader))
            } catch {
                return .failure(
                    LocateMeError(
                        .failed, "the location service answered what this program cannot read: \(error.text)",
                        busError: error))
            }
        }
    }
}
