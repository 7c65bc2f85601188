public import Testing

extension Trait where Self == ConditionTrait {
    /// Skips the test, with the reason, where IIO rigs cannot run, unless nothing may be skipped.
    public static func needsIIORig(sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        .enabled(
            if: IIORig.obstacle == nil || Requirement.allRequired, "\(IIORig.obstacle ?? "")",
            sourceLocation: sourceLocation)
    }
}
