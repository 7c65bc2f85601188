/// Where sentences go. Nothing a reader does or leaves undone may hold the writer up: what cannot be delivered at once is
/// lost, since the next sentence says it anew.
protocol LineSink: AnyObject {
    /// What people are told about it, such as "/dev/pts/3".
    var name: String { get }
    /// Sends whole lines.
    func send(_ lines: String)
    /// Why nothing can be sent any more; nil while something can.
    var failure: String? { get }
}
