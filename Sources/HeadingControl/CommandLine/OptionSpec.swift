/// One option as the parser, the help texts, the manual page and the completions see it.
struct OptionSpec: Sendable {
    /// Without the two dashes.
    let name: String
    /// The one-letter form, if there is one.
    let short: Character?
    /// What stands for the value; nil: the option takes none.
    let placeholder: String?
    /// True if the value may be left out; then it is written with "=" only.
    let isValueOptional: Bool
    /// One sentence without a full stop.
    let help: String
    /// True if it may be given several times.
    let isRepeatable: Bool
    /// What a shell offers for the value.
    let completion: Completion
    /// What is accepted, as the end of "… must be …"; empty if the option takes no value.
    let expectation: String
    /// True if the text is an acceptable value.
    let accepts: @Sendable (String) -> Bool

    /// "--wait TIME", with the one-letter form before it.
    var usage: String {
        let long = placeholder.map { isValueOptional ? "--\(name)[=\($0)]" : "--\(name) \($0)" } ?? "--\(name)"
        return short.map { "-\($0), \(long)" } ?? long
    }
}

/// An option without a value.
struct Flag: Sendable {
    /// How the table shows it.
    let spec: OptionSpec

    /// A flag by its name without dashes.
    init(_ name: String, short: Character? = nil, help: String) {
        spec = OptionSpec(
            name: name, short: short, placeholder: nil, isValueOptional: false, help: help, isRepeatable: false,
            completion: .none,
            expectation: "", accepts: { _ in false })
    }
}

/// An option with a value.
struct Option<Value: Sendable>: Sendable {
    /// How the table shows it.
    let spec: OptionSpec
    /// The type of its value.
    let type: ValueType<Value>

    /// An option by its name without dashes.
    init(
        _ name: String, _ type: ValueType<Value>, isRepeatable: Bool = false, isValueOptional: Bool = false,
        help: String
    ) {
        self.type = type
        let parse = type.parse
        spec = OptionSpec(
            name: name, short: nil, placeholder: type.placeholder, isValueOptional: isValueOptional,
            help: Self.naming(type.completion, help),
            isRepeatable: isRepeatable,
            completion: type.completion, expectation: type.expectation, accepts: { parse($0) != nil })
    }

    /// The help with the words that can be given, where it does not name them itself.
    private static func naming(_ completion: Completion, _ help: String) -> String {
        guard case .words(let words) = completion, !words.allSatisfy(help.contains) else { return help }
        return "\(help) (\(words.joined(separator: ", ")))"
    }
}
