public import LocateMeModel

/// The speed over ground for decisions: what a fix says, or, where it says nothing, what the places of the last seconds
/// say. A missing speed is published as missing all the same: it is neither zero nor known.
public struct DerivedSpeed: Hashable, Sendable {
    /// Microseconds between the places that are compared: shorter ones would measure the noise.
    static let span: Int64 = 5_000_000
    /// Microseconds after which a place is too old to compare with.
    static let oldest: Int64 = 60_000_000

    private var reference: Fix?
    private var candidate: Fix?

    /// Nothing is known.
    public init() {}

    /// Takes the next fix; returns m/s, nil if neither it nor the places tell.
    public mutating func update(_ fix: Fix) -> Double? {
        let derived = derive(fix)
        if let candidate {
            if fix.bootMicroseconds - candidate.bootMicroseconds >= Self.span {
                reference = candidate
                self.candidate = fix
            }
        } else {
            candidate = fix
        }
        return fix.speed >= 0 ? fix.speed : derived
    }

    private func derive(_ fix: Fix) -> Double? {
        for earlier in [candidate, reference] {
            guard let earlier else { continue }
            let time = fix.bootMicroseconds - earlier.bootMicroseconds
            if time >= Self.span, time <= Self.oldest { return earlier.metres(to: fix) / (Double(time) * 1e-6) }
        }
        return nil
    }
}
