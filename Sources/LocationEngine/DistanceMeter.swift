public import LocateMeModel

/// Adds up the way that was travelled, and does not take noise for a way.
///
/// A stretch counts once two fixes in a row are farther from the last counted one than the accuracies explain: by half
/// of their sum while the device says that it moves (above 0.5 m/s), by twice their sum while it does not say so or
/// says that it does not. While the device stands still nothing counts.
public struct DistanceMeter: Hashable, Sendable {
    /// Metres so far.
    public private(set) var metres = 0.0

    private var anchor: Fix?
    private var hasCandidate = false

    /// Nothing travelled.
    public init() {}

    /// Takes the next fix.
    public mutating func update(_ fix: Fix, isStationary: Bool) {
        guard let anchor else {
            self.anchor = fix
            return
        }
        guard !isStationary else {
            hasCandidate = false
            return
        }
        let accuracies = max(anchor.horizontalAccuracy + fix.horizontalAccuracy, 10)
        let distance = anchor.metres(to: fix)
        guard distance > (fix.speed > 0.5 ? 0.5 : 2) * accuracies else {
            hasCandidate = false
            return
        }
        guard hasCandidate else {
            hasCandidate = true
            return
        }
        metres += distance
        self.anchor = fix
        hasCandidate = false
    }
}
