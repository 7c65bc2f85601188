public import LocateMeModel

/// The way of one source's fixes to the arbiter: each moment once, valid, with a right time, plausible.
public struct SourcePipeline: Sendable {
    /// Why a fix does not come through.
    public enum Drop: Hashable, Sendable {
        /// Its moment was delivered before.
        case repeated
        /// It is not valid.
        case invalid(FixValidator.DropReason)
        /// Nothing moves that fast; it waits for another that agrees.
        case implausible

        /// For messages.
        public var text: String {
            switch self {
            case .repeated: "repeated"
            case .invalid(let reason): reason.rawValue
            case .implausible: "implausible"
            }
        }
    }

    private var validator: FixValidator
    private var duplicates = DuplicateGate()
    private var plausibility = PlausibilityGate()
    /// Fixes that came in.
    public private(set) var received: UInt64 = 0

    /// A pipeline that has seen nothing.
    public init(parameters: FixValidator.Parameters) { validator = FixValidator(parameters: parameters) }

    /// Takes a fix as the source gave it; calls `emit` for what comes through, usually once. Returns why the fix itself
    /// does not.
    public mutating func take(_ fix: Fix, at clock: ClockReading, emit: (Fix) -> Void) -> Drop? {
        received += 1
        guard duplicates.passes(fix) else { return .repeated }
        let valid: Fix
        switch validator.validate(fix, at: clock) {
        case .dropped(let reason): return .invalid(reason)
        case .accepted(let accepted): valid = accepted
        }
        switch plausibility.judge(valid, limit: PlausibilityGate.Limit.other) {
        case .held: return .implausible
        case .confirmed(let held): emit(held)
        case .passed: break
        }
        emit(valid)
        return nil
    }
}
