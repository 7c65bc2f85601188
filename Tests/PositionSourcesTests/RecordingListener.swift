import LocateMeModel

/// Writes down what a source says.
final class RecordingListener: PlaceSourceListener {
    var fixes: [Fix] = []
    var lostFixes = 0
    var states: [SourceState] = []
    /// Called after each fix.
    var onFix: (() -> Void)?

    func placeSource(_ source: any PlaceSource, delivered fix: Fix) {
        fixes.append(fix)
        onFix?()
    }

    func placeSourceHasNoFix(_ source: any PlaceSource) { lostFixes += 1 }

    func placeSourceChanged(_ source: any PlaceSource) {
        if states.last != source.placeState.state { states.append(source.placeState.state) }
    }
}
