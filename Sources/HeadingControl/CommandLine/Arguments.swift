internal import MessageBus

/// What was on the command line behind the command's name, checked against its table.
struct Arguments: Sendable {
    /// Texts of the options given, by name, in order; an empty list for a flag.
    fileprivate(set) var options: [String: [String]] = [:]
    /// Texts of the operands given, in order.
    fileprivate(set) var operands: [String] = []

    /// True if the flag was given.
    subscript(flag: Flag) -> Bool { options[flag.spec.name] != nil }

    /// The option's value, nil if it was not given.
    subscript<Value>(option: Option<Value>) -> Value? { self[all: option].last }

    /// True if the option was given, with a value or, where that is optional, without.
    func has<Value>(_ option: Option<Value>) -> Bool { options[option.spec.name] != nil }

    /// True if an option of that name was given.
    func has(_ name: String) -> Bool { options[name] != nil }

    /// All values of a repeatable option.
    subscript<Value>(all option: Option<Value>) -> [Value] {
        (options[option.spec.name] ?? []).compactMap(option.type.parse)
    }

    /// The operand's value by its position, nil if it was not given.
    subscript<Value>(operand: Operand<Value>, at position: Int) -> Value? {
        operands.indices.contains(position) ? operand.type.parse(operands[position]) : nil
    }

    /// The bus chosen, by default the system bus.
    var bus: BusAddress { self[CommonOptions.bus] ?? .system }

    /// The same with another bus.
    func replacing(bus: BusAddress) -> Arguments {
        var arguments = self
        arguments.options[CommonOptions.bus.spec.name] = [bus.description]
        return arguments
    }

    mutating func add(option spec: OptionSpec, _ text: String?) {
        options[spec.name, default: []] += text.map { [$0] } ?? []
    }

    mutating func add(operand text: String) { operands.append(text) }
}
