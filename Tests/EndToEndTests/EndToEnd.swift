import Testing

/// The real programs on real buses. One test at a time: each of them starts several processes, and some measure time.
@Suite(.serialized)
enum EndToEnd {}

/// The long ones that measure no time, beside the others.
@Suite(.serialized)
enum LongEndToEnd {}
