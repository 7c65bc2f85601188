/// Where sentences go. Nothing a reader does or leaves undone may hold the writer up: what cannot be delivered at once is
/// lost, since the next sentence says it anew. It lives on the event loop.
public protocol LineSink: AnyObject {
    /// What people are told about it, such as "/dev/pts/3".
    var name: String { get }
    /// Sends whole lines.
    func send(_ lines: String)
    /// Why nothing can be sent any more; nil while something can.
    var failure: String? { get }
    /// Why the last lines were not sent, though the next may be; nil if they were. Default nil.
    var trouble: String? { get }
    /// False while it is known that nobody reads. Default true.
    var hasReaders: Bool { get }
    /// Called when `hasReaders` may have changed. Default: kept nowhere, since nothing changes.
    var readersChanged: () -> Void { get set }
}

extension LineSink {
    /// Nil, as it is where nothing goes wrong by itself.
    public var trouble: String? { nil }
    /// True, as it is where nobody can be counted.
    public var hasReaders: Bool { true }
    /// Nothing.
    public var readersChanged: () -> Void {
        get { {} }
        set {}
    }
}
