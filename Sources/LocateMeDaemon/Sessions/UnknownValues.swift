internal import Geometry
internal import LocateMeModel

extension Fix {
    /// What stands for a place where none is known: everything invalid.
    static let unknown = Fix(
        realMicroseconds: 0, bootMicroseconds: 0, latitude: 0, longitude: 0, horizontalAccuracy: -1)
}

extension Heading {
    /// What stands for a heading where none is known: everything invalid.
    static let unknown = Heading(
        realMicroseconds: 0, bootMicroseconds: 0, magnetic: -1, trueHeading: -1, accuracy: -1, field: .zero,
        orientation: .portrait, calibration: .unknown, source: .tilt)
}
