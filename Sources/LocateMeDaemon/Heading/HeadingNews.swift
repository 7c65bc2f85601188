internal import Geometry
internal import HeadingEstimation
internal import LocateMeModel
internal import MessageBus

/// One estimate on its way through all sessions. Most have the same edge up and may know the same: their heading is
/// composed once, and its signal written once.
struct HeadingNews {
    private let estimate: HeadingEstimate
    private let realMicroseconds: Int64
    private let context: HeadingContext
    /// What `heading` was made for: nil before the first.
    private var made: (before: HeadingReference, orientation: HeadingOrientation, isPermitted: Bool)?
    private var after = HeadingReference()
    /// The heading of the session that was the last to compose one.
    private(set) var heading = Heading(
        realMicroseconds: 0, bootMicroseconds: 0, magnetic: -1, trueHeading: -1, accuracy: -1, field: .zero,
        orientation: .portrait, calibration: .unknown, source: .unknown)
    /// The signal that tells `heading`, of no session yet, once one has been sent it.
    var message: BusMessage?

    init(_ estimate: HeadingEstimate, realMicroseconds: Int64, context: HeadingContext) {
        self.estimate = estimate
        self.realMicroseconds = realMicroseconds
        self.context = context
    }

    /// Makes `heading` that of a session with this reference, edge and permission to know true north.
    mutating func compose(
        _ reference: inout HeadingReference, _ orientation: HeadingOrientation, isPermitted: Bool
    ) {
        if let made, made.before == reference, made.orientation == orientation, made.isPermitted == isPermitted {
            reference = after
            return
        }
        made = (reference, orientation, isPermitted)
        message = nil
        heading = HeadingComposer.heading(
            of: estimate, reference: &reference, orientation: orientation,
            earthField: isPermitted ? context.field : nil, model: context.modelName,
            realMicroseconds: realMicroseconds)
        after = reference
    }
}
