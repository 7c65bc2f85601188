internal import LocateMe

/// How `headingctl watch` shows what it hears.
protocol WatchView: AnyObject {
    /// What is shown; every change is followed by `update`.
    var state: RoseState { get set }
    /// Gets ready to show; the first thing called.
    func begin(on service: ServiceConnection, _ manager: LocationManager)
    /// `state` has changed. `isNews`: by a new heading or place.
    func update(isNews: Bool)
    /// A signal other than those that end the program.
    func receive(_ signal: Int32)
    /// True if the program should go on without a compass, saying so.
    var toleratesNoCompass: Bool { get }
    /// Gives the terminal back. Idempotent.
    func end()
}

/// What the user wants to see.
struct WatchOptions {
    /// One line.
    var isCompact = false
    /// Objects instead of lines.
    var isJSON = false
    /// False: ASCII only.
    var unicode = true
    /// Which north counts.
    var reference = RoseState.Reference.magnetic
    /// What is up.
    var dial = RoseState.Dial.headingUp
    /// Lines to print before the end.
    var count = Int.max
    /// Where the data come from.
    var title = ""
}

extension WatchView {
    /// What the user wants to see.
    typealias Options = WatchOptions
}
