/// Something that happened to the device while it recorded: the kind `event` of a recording.
public enum RecordingEvent: Hashable, Sendable {
    /// The device went to sleep.
    case suspend
    /// The device woke up.
    case resume
    /// A sensor or source vanished; the word is the record kind, such as `magn`.
    case unplug(String)
    /// A sensor or source came back; the word is the record kind, such as `magn`.
    case plug(String)
    /// Any other word or words.
    case other(String)

    /// The event of the text after `event `; nil for `plug` and `unplug` without a kind.
    init?(text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        switch (words.first, words.count) {
        case ("suspend", 1): self = .suspend
        case ("resume", 1): self = .resume
        case ("unplug", 2): self = .unplug(words[1])
        case ("plug", 2): self = .plug(words[1])
        case ("unplug", 1), ("plug", 1), (nil, _): return nil
        default: self = .other(text)
        }
    }

    /// The text after `event `.
    public var text: String {
        switch self {
        case .suspend: "suspend"
        case .resume: "resume"
        case .unplug(let kind): "unplug " + kind
        case .plug(let kind): "plug " + kind
        case .other(let text): text
        }
    }
}
