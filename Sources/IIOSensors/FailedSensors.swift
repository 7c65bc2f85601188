internal import LocateMeModel

/// Which magnetometers have failed for so long that another one is used in their place, and why. Pure: time is an argument.
///
/// One that was given up is not taken up again while the other works, so that nothing goes to and fro: its turn comes when the
/// other fails as well, when it is plugged in anew, or after ten minutes in which nobody needed a heading. Each change
/// doubles the time that the next one takes.
struct FailedSensors: Sendable {
    /// How long a magnetometer may fail, in µs, before another one is used for the first time: longer than what a sensor
    /// needs that is reset or asked again, a second or two.
    static let firstPatience: Int64 = 5_000_000
    /// The same for later changes at most.
    static let longestPatience: Int64 = 320_000_000
    /// After so long without need, in µs, all get another chance.
    static let memory: Int64 = 600_000_000

    /// What is wrong with each, by id.
    private(set) var reasons: [String: String] = [:]
    private var failing: (id: String, since: Int64)?
    private var patience = FailedSensors.firstPatience
    private var lastNeed: Int64?

    /// Whether the chosen magnetometer works at a time in µs.
    ///
    /// - Parameters:
    ///   - id: of the chosen magnetometer.
    ///   - trouble: what is wrong with it; nil if nothing is.
    ///   - rivals: ids of the other usable magnetometers.
    /// - Returns: true if another one is to be used from now on.
    mutating func update(_ id: String, trouble: String?, rivals: [String], at now: Int64) -> Bool {
        lastNeed = now
        guard let trouble else {
            failing = nil
            return false
        }
        guard let failing, failing.id == id else {
            self.failing = (id, now)
            return false
        }
        guard now - failing.since >= patience, !rivals.isEmpty else { return false }
        // With all of them failed, the others have had the longest time to recover.
        if rivals.allSatisfy({ reasons[$0] != nil }) { reasons = [:] }
        reasons[id] = trouble
        self.failing = nil
        patience = min(2 * patience, Self.longestPatience)
        return true
    }

    /// Headings are needed from a time in µs on, after nobody needed any.
    mutating func begin(at now: Int64) {
        failing = nil
        if let lastNeed, now - lastNeed >= Self.memory { self = FailedSensors() }
        lastNeed = now
    }

    /// Forgets those that are not there any more.
    mutating func keep(_ known: Set<String>) { reasons = reasons.filter { known.contains($0.key) } }
}

extension Finding {
    /// Another magnetometer is used.
    static func replaced(_ sensor: SensorDescription, trouble: String, by other: SensorDescription) -> Finding {
        Finding(
            code: "magn-replaced", severity: .warning, sensor: sensor.id,
            text: "\(sensor.name) has failed (\(trouble)); \(other.name) is used in its place",
            remedy:
                "repair or unplug it, or name it in ignore-sensor; it is used again if the other fails, if it is plugged in anew, or after ten minutes without need for a heading"
        )
    }
}
