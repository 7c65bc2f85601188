/// How the text of an option or operand becomes a value, and how shells may complete it.
struct ValueType<Value: Sendable>: Sendable {
    /// What stands for the value in help texts, in capitals.
    let placeholder: String
    /// What a shell offers.
    let completion: Completion
    /// What is accepted, as the end of the sentence "… must be …".
    let expectation: String
    /// The value, nil if the text is not acceptable.
    let parse: @Sendable (String) -> Value?
}

/// What a shell offers for a value.
enum Completion: Hashable, Sendable {
    /// Nothing.
    case none
    /// These words.
    case words([String])
    /// Names of files, of any kind if the list of name endings is empty.
    case files([String])
    /// Names of folders.
    case folders
}

extension ValueType where Value == Double {
    /// A finite decimal number within a range; `unit` completes "a number of …" and may be empty.
    static func number(_ placeholder: String, unit: String, in range: ClosedRange<Double>) -> ValueType {
        let limits =
            range.upperBound == .greatestFiniteMagnitude
            ? "\(DecimalText.trimmed(range.lowerBound, decimals: 6)) or more"
            : "from \(DecimalText.trimmed(range.lowerBound, decimals: 6)) to "
                + DecimalText.trimmed(range.upperBound, decimals: 6)
        return ValueType(
            placeholder: placeholder, completion: .none,
            expectation: unit.isEmpty ? "a number \(limits)" : "a number of \(unit) \(limits)"
        ) { text in
            guard let value = DecimalParser.number(text), range.contains(value) else { return nil }
            return value
        }
    }
}

extension ValueType where Value == Int64 {
    /// A span of time in microseconds, more than zero and at most 366 days: "5", "5s", "500ms", "2m", "1.5h".
    static var duration: ValueType {
        ValueType(
            placeholder: "TIME", completion: .none,
            expectation: "a time greater than zero such as 5s, 500ms, 2m or 1h (seconds without a unit)",
            parse: { DurationText.microseconds($0).flatMap { $0 > 0 ? $0 : nil } })
    }

    /// A span of time in microseconds that may be zero.
    static var offset: ValueType {
        ValueType(
            placeholder: "TIME", completion: .none,
            expectation: "a time such as 0, 5s, 500ms, 2m or 1h (seconds without a unit)",
            parse: { DurationText.microseconds($0) })
    }
}

extension ValueType where Value == Int {
    /// A whole number within a range.
    static func count(_ placeholder: String, in range: ClosedRange<Int>) -> ValueType {
        ValueType(
            placeholder: placeholder, completion: .none,
            expectation: range.upperBound == .max
                ? "a whole number, \(range.lowerBound) or more"
                : "a whole number from \(range.lowerBound) to \(range.upperBound)"
        ) { text in
            guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let value = Int(text),
                range.contains(value)
            else { return nil }
            return value
        }
    }
}

extension ValueType where Value == String {
    /// Any text that is not empty.
    static func text(_ placeholder: String, expectation: String = "a text that is not empty") -> ValueType {
        ValueType(placeholder: placeholder, completion: .none, expectation: expectation) { $0.isEmpty ? nil : $0 }
    }

    /// The name of a file, "-" where the command reads or writes streams.
    static func file(_ placeholder: String = "FILE", endings: [String] = []) -> ValueType {
        ValueType(placeholder: placeholder, completion: .files(endings), expectation: "the name of a file") {
            $0.isEmpty || $0.utf8.contains(0) ? nil : $0
        }
    }

    /// One of some words.
    static func choice(_ placeholder: String, _ words: [String]) -> ValueType {
        ValueType(
            placeholder: placeholder, completion: .words(words),
            expectation: "one of \(words.joined(separator: ", "))"
        ) { words.contains($0) ? $0 : nil }
    }
}

extension ValueType {
    /// One of some words, each standing for a value.
    static func choice(_ placeholder: String, _ values: [(word: String, value: Value)]) -> ValueType {
        ValueType(
            placeholder: placeholder, completion: .words(values.map(\.word)),
            expectation: "one of \(values.map(\.word).joined(separator: ", "))"
        ) { text in values.first { $0.word == text }?.value }
    }
}
