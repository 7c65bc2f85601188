internal import LocateMeModel

extension SourceState {
    /// The state in a word, for messages.
    var word: String {
        switch self {
        case .off: "off"
        case .starting: "starting"
        case .ok: "delivering"
        case .lost: "lost"
        case .failed: "failed"
        }
    }
}
