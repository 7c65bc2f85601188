/// One attempt at a wire that brings bytes. It begins with its making; after `.closed` nothing follows.
protocol ByteStream: AnyObject {
    /// No event follows.
    func close()
    /// Sets another rate, where there is such a thing.
    func setRate(_ baud: Int)
}

extension ByteStream {
    func setRate(_ baud: Int) {}
}

/// What happens to a `ByteStream`. Its handler is called on the loop, never while it is made.
enum ByteStreamEvent {
    /// Bytes can come from now on.
    case opened
    /// Bytes came; valid only during the call. A datagram comes whole.
    case received(UnsafeRawBufferPointer)
    /// It failed, with the reason.
    case closed(String)
}
