import Foundation

extension Double {
    /// Of an angle in radians.
    var sine: Double { sin(self) }
    /// Of an angle in radians.
    var cosine: Double { cos(self) }
}
