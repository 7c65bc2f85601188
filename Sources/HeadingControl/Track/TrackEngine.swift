internal import LocateMeModel
internal import LocationEngine

/// What the service makes of the fixes of a file: a source's pipeline and, with a preset, a session's stream.
struct TrackEngine {
    /// A fix as it is told, and its time in the file in µs; nil: unknown.
    struct Told {
        var fix: Fix
        var microseconds: Int64?
    }

    private var pipeline = SourcePipeline(parameters: .init(earliestClock: 0))
    private var stream: LocationStream?
    private var settings = LocationSettings()
    /// How many did not come through the pipeline, by reason.
    private(set) var drops: [String: Int] = [:]

    /// Nil: every fix that the service takes for good is told.
    init(preset: LocationPreset?) {
        guard let preset else { return }
        settings.apply(preset)
        stream = LocationStream()
    }

    /// Takes the next fix of the file. The clock of a file is its own: what it says of the date is not judged by today's.
    mutating func take(_ fix: Fix, hasOwnClock: Bool, tell: (Told) -> Void) {
        var fix = fix
        let hasTime = fix.realMicroseconds > 0
        if !hasOwnClock { fix.bootMicroseconds = max(fix.realMicroseconds, 0) }
        let clock = ClockReading(
            realMicroseconds: max(fix.realMicroseconds, 1), bootMicroseconds: max(fix.bootMicroseconds, 1),
            isSynchronized: hasTime)
        var passed: [Fix] = []
        if let drop = pipeline.take(fix, at: clock, emit: { passed.append($0) }) { drops[drop.text, default: 0] += 1 }
        for fix in passed { filter(fix, hasTime: hasTime, hasOwnClock: hasOwnClock, tell) }
    }

    private mutating func filter(_ fix: Fix, hasTime: Bool, hasOwnClock: Bool, _ tell: (Told) -> Void) {
        func pass(_ fix: Fix) {
            var fix = fix
            if !hasTime { fix.realMicroseconds = 0 }
            tell(
                Told(fix: fix, microseconds: hasOwnClock ? fix.bootMicroseconds : hasTime ? fix.realMicroseconds : nil))
        }
        guard stream != nil else { return pass(fix) }
        if let deadline = stream?.deadline, deadline <= fix.bootMicroseconds,
            let best = stream?.expire(settings: settings)
        {
            pass(best)
        }
        _ = stream?.take(fix, settings: settings, now: fix.bootMicroseconds) { pass($0) }
    }
}
