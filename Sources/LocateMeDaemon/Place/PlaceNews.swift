internal import LocateMeModel
internal import MessageBus

/// The place that was told last and its signal, for sessions that are told the same.
final class PlaceNews {
    private var fix: Fix?
    /// The signal that tells the place, of no session yet, once one has been sent it.
    var message: BusMessage?

    /// Begins with a place as a session tells it, number included; one that was told before keeps its signal.
    func begin(_ fix: Fix) {
        guard fix != self.fix else { return }
        self.fix = fix
        message = nil
    }
}
