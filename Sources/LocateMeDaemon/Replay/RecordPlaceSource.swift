public import LocateMeModel

/// The fixes of a recording or a simulation.
public final class RecordPlaceSource: PlaceSource {
    /// Who hears of fixes and changes.
    public weak var placeListener: (any PlaceSourceListener)?
    weak var player: RecordPlayer?
    private(set) var isStarted = false
    private let identifier: String
    private let kind: String
    private var state: SourceState = .off

    init(options: RecordPlayer.Options) {
        identifier = "\(options.kind):\(options.publicName)/fix"
        kind = options.kind
    }

    /// Row for `Manager1.Sources`.
    public var placeState: SourceDescription { SourceDescription(id: identifier, kind: kind, state: state) }

    /// Delivers from now on.
    public func start() {
        guard !isStarted else { return }
        isStarted = true
        change(to: .starting)
        player?.demandChanged()
        player?.placesStarted()
    }

    /// Delivers nothing more.
    public func stop() {
        guard isStarted else { return }
        isStarted = false
        change(to: .off)
        player?.demandChanged()
    }

    // MARK: - For the player

    func deliver(_ fix: Fix) {
        guard isStarted else { return }
        change(to: .ok)
        placeListener?.placeSource(self, delivered: fix)
    }

    func deliverNoFix() {
        guard isStarted else { return }
        placeListener?.placeSourceHasNoFix(self)
    }

    func ended() {
        guard isStarted else { return }
        change(to: .lost)
        placeListener?.placeSourceHasNoFix(self)
    }

    private func change(to state: SourceState) {
        guard state != self.state else { return }
        self.state = state
        placeListener?.placeSourceChanged(self)
    }
}
