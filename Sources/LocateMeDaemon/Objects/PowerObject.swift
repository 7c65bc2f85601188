internal import LocateMeBusInterface
internal import LocateMeModel
internal import LocationEngine
internal import MessageBus

/// `Power1` at `/org/locateme/power`.
enum PowerObject {
    /// The interface. `ownsApplication` says whether a caller has a session of an application.
    static func interface(
        _ power: PowerService, authorizer: Authorizer, ownsApplication: @escaping (BusCaller, String) -> Bool
    ) -> ExportedInterface {
        let interface = ExportedInterface(LocateMeInterfaces.power1)
        interface.method("GetPolicy") { call, reader throws(BusError) in
            let application = try application(&reader)
            let client = ClientIdentity(userID: call.caller.credentials.userID, applicationID: application)
            let answer = {
                let policy = power.policy(of: client)
                call.reply { writer throws(BusError) in try writer.append(dictionary(policy)) }
            }
            if ownsApplication(call.caller, application) { return answer() }
            authorizer.require(.manage, of: call, answer)
        }
        interface.method("SetPolicy") { call, reader throws(BusError) in
            let application = try application(&reader)
            let user = call.caller.credentials.userID
            let client = ClientIdentity(userID: user, applicationID: application)
            let wanted = try policy(OptionDictionary(reading: &reader))
            let present = power.policy(of: client)
            if ownsApplication(call.caller, application), PowerService.isNarrower(wanted, than: present) {
                return put(wanted, client, power, call)
            }
            authorizer.require(.manage, of: call) {
                let all = ClientIdentity(userID: PowerService.everybody, applicationID: application)
                put(wanted, user == 0 ? all : client, power, call)
            }
        }
        interface.property("PowerState") { _ in .uint32(power.state.rawValue) }
        interface.property("Profile") { _ in .string(power.profile) }
        return interface
    }

    private static func put(
        _ policy: StoredPolicy, _ client: ClientIdentity, _ power: PowerService, _ call: BusCall
    ) {
        do throws(BusError) {
            try power.set(policy, for: client)
            call.reply()
        } catch {
            call.fail(error)
        }
    }

    private static func application(_ reader: inout BusReader) throws(BusError) -> String {
        let name = try reader.readString()
        guard (1...SessionOptions.maximumApplicationIDBytes).contains(name.utf8.count) else {
            throw BusError(
                .invalidArgs, "the application's id has 1 to \(SessionOptions.maximumApplicationIDBytes) bytes")
        }
        return name
    }

    private static func policy(_ options: OptionDictionary) throws(BusError) -> StoredPolicy {
        func number(_ key: String, _ range: ClosedRange<UInt32>) throws(BusError) -> UInt32 {
            let number = try options.uint32(key) ?? 0
            guard range.contains(number) else {
                throw BusError(
                    .invalidArgs, "'\(key)' is from \(range.lowerBound) to \(range.upperBound), not \(number)")
            }
            return number
        }
        for key in ["Wake", "Notify", "Geocode"] {
            guard try options.bool(key) != true else {
                throw BusError(.notSupported, "'\(key)': this service neither wakes nor notifies nor geocodes")
            }
        }
        return StoredPolicy(
            background: try number("BackgroundMode", 0...4), onBattery: try number("OnBattery", 0...4),
            onLowBattery: try number("LowBattery", 0...4))
    }

    private static func dictionary(_ policy: StoredPolicy) -> [String: BusValue] {
        [
            "BackgroundMode": .uint32(policy.background == 0 ? BackgroundMode.standard.rawValue : policy.background),
            "OnBattery": .uint32(policy.onBattery), "LowBattery": .uint32(policy.onLowBattery), "Wake": .bool(false),
            "Notify": .bool(false), "Geocode": .bool(false),
        ]
    }
}
