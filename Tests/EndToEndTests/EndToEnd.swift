import TestSupport
import Testing

/// The real programs on real buses. One test at a time: each of them starts several processes, and some measure time.
@Suite(.serialized, .ownThread)
enum EndToEnd {}

/// Long ones that measure no time, beside the others: sensors that come, go and fail.
@Suite(.serialized, .ownThread)
enum SensorEndToEnd {}

/// Long ones that measure no time, beside the others: what is kept, hostile clients, desktops.
@Suite(.serialized, .ownThread)
enum LongEndToEnd {}

/// Places beside the others: sources, permission, power.
@Suite(.serialized, .ownThread)
enum PlaceEndToEnd {}
