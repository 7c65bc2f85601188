internal import Geometry
internal import HeadingEstimation
internal import LocateMeModel
internal import MessageBus

/// One estimate on its way through all sessions. Most have the same edge up and may know the same: their heading is
/// composed once, and its signal written once.
struct HeadingNews {
    private let estimate: HeadingEstimate
    private let realMicroseconds: Int64
    /// What all know who may know the exact place.
    let context: HeadingContext
    /// What `heading` was made for: nil before the first.
    private var made: (before: HeadingReference, orientation: HeadingOrientation, field: EarthField?)?
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

    /// Makes `heading` that of a session with this reference and edge, which may know of this field of the magnetic model; nil:
    /// of none.
    mutating func compose(
        _ reference: inout HeadingReference, _ orientation: HeadingOrientation, field: EarthField?
    ) {
        if let made, made.before == reference, made.orientation == orientation, made.field == field {
            reference = after
            return
        }
        made = (reference, orientation, field)
        message = nil
        heading = HeadingComposer.heading(
            of: estimate, reference: &reference, orientation: orientation,
            earthField: field, model: context.modelName,
            realMicroseconds: realMicroseconds)
        after = reference
    }
}
