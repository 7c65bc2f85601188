internal import LocationEngine
internal import MessageBus

/// What became of the samples and fixes of one session: the answer of `Session1.Statistics`.
struct SessionCounters: Hashable {
    /// Headings that were made for the session.
    var headingsReceived: UInt64 = 0
    /// Headings that went out, alone or in a pose.
    var headingsDelivered: UInt64 = 0
    /// Headings that the heading filter kept back.
    var headingsFiltered: UInt64 = 0
    /// Fixes that came while the session wanted them.
    var fixesReceived: UInt64 = 0
    /// Fixes that went out, alone or in a pose.
    var fixesDelivered: UInt64 = 0
    /// Fixes that the location filters kept back.
    private(set) var fixesFiltered: UInt64 = 0
    /// The same by reason, at the reason's index.
    private var fixesByReason = [UInt64](repeating: 0, count: FilterReason.allCases.count)

    /// Counts a fix that was kept back.
    mutating func withhold(_ reason: FilterReason) {
        fixesFiltered += 1
        fixesByReason[reason.index] += 1
    }

    /// As an `a{sv}`. `superseded` are the signals that were replaced by newer ones since the client did not read.
    func values(superseded: UInt64) -> [String: BusValue] {
        var entries: [String: BusValue] = [
            "HeadingsReceived": .uint64(headingsReceived), "HeadingsDelivered": .uint64(headingsDelivered),
            "HeadingsFiltered": .uint64(headingsFiltered), "FixesReceived": .uint64(fixesReceived),
            "FixesDelivered": .uint64(fixesDelivered), "FixesFiltered": .uint64(fixesFiltered),
            "SignalsSuperseded": .uint64(superseded),
        ]
        for reason in FilterReason.allCases { entries[reason.rawValue] = .uint64(fixesByReason[reason.index]) }
        return entries
    }
}
