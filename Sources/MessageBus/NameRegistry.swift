/// The name watches of one connection: one `NameOwnerChanged` rule per watched name, shared by its watches.
///
/// A rule per name keeps a daemon asleep while strangers come and go. The bus limits the rules of a connection (512
/// on the system bus), so past `maximumRules` names one rule for all names takes over.
final class NameRegistry {
    static let maximumRules = 256

    private struct Entry {
        var watches: [NameWatch] = []
        var rule: BusMatch?
        var query: PendingCall?
    }

    private var entries: [String: Entry] = [:]
    private var broadRule: BusMatch?

    /// True for names such as `org.locateme`; false for unique names and for the bus itself.
    static func isWellKnown(_ name: String) -> Bool { !name.hasPrefix(":") && name != BusConnection.busName }

    func watch(_ name: String, on connection: BusConnection, _ handler: @escaping (String?) -> Void) -> NameWatch {
        let watch = NameWatch(name: name, registry: self, handler: handler)
        var entry = entries[name] ?? Entry()
        entry.watches.append(watch)
        if entry.rule == nil, broadRule == nil {
            if entries.count < Self.maximumRules {
                entry.rule = connection.addMatch(Self.rule(name)) { [weak self] in self?.changed($0) }
            } else {
                broadRule = connection.addMatch(Self.rule(nil)) { [weak self] in self?.changed($0) }
            }
        }
        // Asked after the rule was added, so no change can fall between the two.
        entry.query?.cancel()
        if let request = BusConnection.busCall("GetNameOwner", name) {
            entry.query = connection.call(request, timeoutMilliseconds: nil) { [weak self] in
                self?.answered(name, $0)
            }
        }
        entries[name] = entry
        return watch
    }

    func remove(_ watch: NameWatch) {
        guard var entry = entries[watch.name] else { return }
        entry.watches.removeAll { $0 === watch }
        if entry.watches.isEmpty {
            entry.rule?.cancel()
            entry.query?.cancel()
            entries[watch.name] = nil
            if entries.isEmpty {
                broadRule?.cancel()
                broadRule = nil
            }
        } else {
            entries[watch.name] = entry
        }
    }

    func removeAll() {
        entries = [:]
        broadRule = nil
    }

    private static func rule(_ name: String?) -> BusMatchRule {
        BusMatchRule(
            sender: BusConnection.busName, interface: BusConnection.busName, member: "NameOwnerChanged",
            path: "/org/freedesktop/DBus", firstArgument: name)
    }

    private func answered(_ name: String, _ result: Result<BusMessage, BusError>) {
        entries[name]?.query = nil
        switch result {
        case .success(let message):
            var reader = message.reader()
            update(name, try? reader.readString())
        case .failure(let error):
            // With the connection gone nothing is known; its owner hears of that elsewhere.
            if error.code != .disconnected, error.code != .noReply { update(name, nil) }
        }
    }

    private func changed(_ message: BusMessage) {
        var reader = message.reader()
        guard let name = try? reader.readString(), (try? reader.readString()) != nil,
            let owner = try? reader.readString()
        else { return }
        update(name, owner.isEmpty ? nil : owner)
    }

    private func update(_ name: String, _ owner: String?) {
        for watch in entries[name]?.watches ?? [] { watch.update(owner) }
    }
}
