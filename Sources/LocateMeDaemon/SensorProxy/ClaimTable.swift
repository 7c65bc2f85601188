internal import EventLoop
internal import MessageBus

/// Who has claimed one kind of sensor, and whose claims still wait for the first reading.
final class ClaimTable {
    /// Called when the first claim comes (true) or the last one goes (false).
    var demandChanged: (Bool) -> Void = { _ in }
    private(set) var claimants: [String: BusCaller] = [:]
    private var waiting: [PendingAnswer] = []
    private let loop: EventLoop

    /// How long a claim waits for the first reading.
    static let answerMilliseconds: Int64 = 2000

    init(loop: EventLoop) { self.loop = loop }

    /// True while somebody has claimed.
    var isClaimed: Bool { !claimants.isEmpty }

    /// Adds the caller; a second claim of the same connection changes nothing.
    func claim(_ caller: BusCaller) {
        let isFirst = claimants.isEmpty
        claimants[caller.uniqueName] = caller
        if isFirst { demandChanged(true) }
    }

    /// Removes a connection, if it is in the table, with what it waits for.
    func release(_ uniqueName: String) {
        answer { $0.caller.uniqueName == uniqueName }
        guard claimants.removeValue(forKey: uniqueName) != nil, claimants.isEmpty else { return }
        demandChanged(false)
    }

    /// Lets a call wait for the first reading, but not for long: a client that waits in vain hangs its desktop.
    func wait(_ call: BusCall) {
        waiting.append(
            PendingAnswer(call, loop: loop, timeoutMilliseconds: Self.answerMilliseconds) { [weak self] answer in
                self?.waiting.removeAll { $0 === answer }
                answer.call.reply()
            })
    }

    /// Answers the calls that wait, after what has been sent before.
    func answerWaiting() { answer { _ in true } }

    private func answer(_ chosen: (BusCall) -> Bool) {
        guard !waiting.isEmpty else { return }
        let answers = waiting.filter { chosen($0.call) }
        waiting.removeAll { chosen($0.call) }
        for answer in answers { answer.call.reply() }
    }
}
