/// A thing that delivers fixes: gpsd, a static place, a recording. It lives on the event loop.
public protocol PlaceSource: AnyObject {
    /// Who hears of fixes and changes. Held weakly by convention.
    var placeListener: (any PlaceSourceListener)? { get set }
    /// Row for `Manager1.Sources`.
    var placeState: SourceDescription { get }
    /// Why nothing is delivered, in a sentence for the log that tells no place; nil while all is well. Default nil.
    var problem: String? { get }
    /// Starts delivering; idempotent. Failures show in `placeState`.
    func start()
    /// Stops delivering; idempotent.
    func stop()
}

extension PlaceSource {
    /// Nothing is known to be wrong.
    public var problem: String? { nil }
}

/// Hears a `PlaceSource`.
public protocol PlaceSourceListener: AnyObject {
    /// A fix as the source gave it, not yet validated.
    func placeSource(_ source: any PlaceSource, delivered fix: Fix)
    /// The source says that it has no position now.
    func placeSourceHasNoFix(_ source: any PlaceSource)
    /// `placeState` changed.
    func placeSourceChanged(_ source: any PlaceSource)
}
