public import LocateMeModel
public import MessageBus

/// UPower (battery or mains, charge) and power-profiles-daemon (the user's choice) on the system bus. Without UPower,
/// and on a machine without a battery, power is external; until UPower has answered it is unknown.
public final class PowerServices: PowerMonitor {
    /// What is known now.
    public private(set) var reading = PowerReading()
    /// Called when `reading` has changed.
    public var readingChanged: () -> Void = {}

    private let connection: BusConnection
    private var watches: [NameWatch] = []
    private var matches: [BusMatch] = []

    private static let power: ObjectPath = "/org/freedesktop/UPower"
    private static let display: ObjectPath = "/org/freedesktop/UPower/devices/DisplayDevice"
    private static let profiles: ObjectPath = "/net/hadess/PowerProfiles"
    private static let properties = "org.freedesktop.DBus.Properties"

    /// Begins to listen, and starts UPower if the bus can.
    public init(connection: BusConnection) {
        self.connection = connection
        listen(ServiceName.powerSupply, Self.power) { [weak self] in self?.readPower() }
        listen(ServiceName.powerSupply, Self.display) { [weak self] in self?.readBattery() }
        listen(ServiceName.powerProfiles, Self.profiles) { [weak self] in self?.readProfile() }
        watches = [
            connection.watchName(ServiceName.powerSupply) { [weak self] _ in
                self?.readPower()
                self?.readBattery()
            },
            connection.watchName(ServiceName.powerProfiles) { [weak self] owner in
                if owner == nil { self?.change { $0.profile = "" } } else { self?.readProfile() }
            },
        ]
    }

    deinit {
        for watch in watches { watch.cancel() }
        for match in matches { match.cancel() }
    }

    /// Reads everything again: after a resume, signals may have been missed.
    public func refresh() {
        readPower()
        readBattery()
        readProfile()
    }

    // MARK: - Private

    private func listen(_ service: String, _ path: ObjectPath, _ read: @escaping () -> Void) {
        matches.append(
            connection.addMatch(
                BusMatchRule(sender: service, interface: Self.properties, member: "PropertiesChanged", path: path)
            ) { _ in read() })
    }

    private func change(_ edit: (inout PowerReading) -> Void) {
        var changed = reading
        edit(&changed)
        guard changed != reading else { return }
        reading = changed
        readingChanged()
    }

    private func readPower() {
        getAll(ServiceName.powerSupply, Self.power, ServiceName.powerSupply) { [weak self] result in
            switch result {
            case .success(let values):
                self?.change {
                    $0.isKnown = true
                    $0.isOnBattery = values["OnBattery"]?.boolValue ?? false
                }
            case .failure(let error):
                // Gone with the connection: nothing new is known.
                guard error.code != .disconnected else { return }
                let isAbsent = error.code == .serviceUnknown || error.code == .nameHasNoOwner
                self?.change {
                    $0.isKnown = isAbsent
                    $0.isOnBattery = false
                    $0.percent = nil
                }
            }
        }
    }

    private func readBattery() {
        getAll(ServiceName.powerSupply, Self.display, "org.freedesktop.UPower.Device") { [weak self] result in
            guard case .success(let values) = result else { return }
            let isPresent = values["IsPresent"]?.boolValue ?? false
            let percent = values["Percentage"]?.doubleValue
            self?.change { $0.percent = isPresent ? percent.flatMap { $0.isFinite ? $0 : nil } : nil }
        }
    }

    private func readProfile() {
        getAll(ServiceName.powerProfiles, Self.profiles, ServiceName.powerProfiles, mayStart: false) {
            [weak self] result in
            guard case .success(let values) = result else { return }
            self?.change { $0.profile = values["ActiveProfile"]?.stringValue ?? "" }
        }
    }

    private func getAll(
        _ service: String, _ path: ObjectPath, _ interface: String, mayStart: Bool = true,
        _ reply: @escaping (Result<[String: BusValue], BusError>) -> Void
    ) {
        do throws(BusError) {
            let call = try BusMessage.methodCall(
                destination: service, path: path, interface: Self.properties, member: "GetAll")
            call.mayStartService = mayStart
            try call.append(.string(interface))
            connection.call(call, timeoutMilliseconds: 10_000) { result in
                do throws(BusError) {
                    var reader = try result.get().reader()
                    reply(.success(try reader.readDictionary()))
                } catch {
                    reply(.failure(error))
                }
            }
        } catch {
            reply(.failure(error))
        }
    }
}
