/// Which triggers can drive a device's buffer, best first.
struct TriggerChoice: Hashable, Sendable {
    /// Names in the order to try.
    let names: [String]

    /// The trigger already set (somebody meant it), the device's own (`<name>-dev<N>`, `<name>-trigger`,
    /// `<name>-drdy<N>`, `<name>-trig<N>`), then timers, which are the triggers with a rate of their own (hrtimer).
    ///
    /// - Parameter all: every device of the context; triggers are picked out.
    init(for device: DeviceDescription, among all: [DeviceDescription]) {
        let triggers = all.filter { $0.isTrigger && $0.uri == device.uri && !$0.name.isEmpty }
        let own = triggers.filter { Self.belongs($0.name, to: device) }
        let others = Set(all.filter { !$0.isTrigger && !$0.name.isEmpty && $0.id != device.id })
        let timers = triggers.filter { trigger in
            trigger.attributeNames.contains("sampling_frequency")
                && !others.contains { Self.belongs(trigger.name, to: $0) }
        }
        var names: [String] = []
        let current = triggers.filter { $0.name == device.currentTrigger }
        for trigger in current + own + timers where !names.contains(trigger.name) { names.append(trigger.name) }
        self.names = names
    }

    /// True for a data-ready trigger of the device; with a number it must be the device's own, since two chips of
    /// one kind have two such triggers.
    static func belongs(_ trigger: String, to device: DeviceDescription) -> Bool {
        guard !device.name.isEmpty, trigger.hasPrefix(device.name + "-") else { return false }
        let rest = trigger.dropFirst(device.name.count + 1)
        if rest == "trigger" { return true }
        for word in ["dev", "drdy", "trig-", "trig"] where rest.hasPrefix(word) {
            guard let number = Int(rest.dropFirst(word.count)) else { continue }
            return number == device.number
        }
        return false
    }
}
