/// One operand, an argument that is no option, as parser, help and completions see it.
struct OperandSpec: Sendable {
    /// What stands for it in help texts.
    let placeholder: String
    /// One sentence without a full stop.
    let help: String
    /// True if the command needs it.
    let isRequired: Bool
    /// What a shell offers.
    let completion: Completion
    /// What is accepted, as the end of "… must be …".
    let expectation: String
    /// True if the text is acceptable.
    let accepts: @Sendable (String) -> Bool

    /// "LAT" or "[DATE]".
    var usage: String { isRequired ? placeholder : "[\(placeholder)]" }
}

/// An operand with its type.
struct Operand<Value: Sendable>: Sendable {
    /// How the table shows it.
    let spec: OperandSpec
    /// The type of its value.
    let type: ValueType<Value>

    /// An operand; its name in help texts is the type's placeholder.
    init(_ type: ValueType<Value>, isRequired: Bool = true, help: String) {
        self.type = type
        let parse = type.parse
        spec = OperandSpec(
            placeholder: type.placeholder, help: help, isRequired: isRequired, completion: type.completion,
            expectation: type.expectation, accepts: { parse($0) != nil })
    }
}
