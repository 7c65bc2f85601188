import Foundation
import TestSupport

/// A recording of a level device that turns as a function says: closed form, no noise. x is the right edge, y the top
/// edge, z up, so at heading h in a field of N µT north and D µT down the magnetometer reads (−N sin h, N cos h, −D) and
/// the gyroscope −dh/dt about z.
struct TurningPhone {
    var seconds = 20.0
    var hertz = 50.0
    var withGyroscope = true
    /// µT.
    var north = 20.0
    /// µT.
    var down = 40.0
    /// A line such as `fix 47.37 8.54 5 400 8 - - - -`, or empty.
    var fix = ""
    /// Lines to put in by their time in seconds.
    var extra: [(seconds: Double, text: String)] = []
    /// Heading in degrees at a time in seconds.
    var heading: (Double) -> Double = { 36 * $0 }

    /// Writes it to a file of its own, which is the caller's to remove.
    func write() throws -> String {
        var lines = [
            "#lmrec 1", "#device turning-phone", "#sensor magn test rate=\(hertz) calibrated=yes",
            "#sensor accel test rate=\(hertz)",
        ]
        if withGyroscope { lines.append("#sensor gyro test rate=\(hertz)") }
        var pending = extra.sorted { $0.seconds < $1.seconds }[...]
        if !fix.isEmpty { lines.append("0 \(fix)") }
        for index in 0..<Int(seconds * hertz) {
            let time = Double(index) / hertz
            while let next = pending.first, next.seconds <= time {
                lines.append("\(Int64(time * 1e6)) \(next.text)")
                pending = pending.dropFirst()
            }
            let microseconds = Int64((time * 1e6).rounded())
            let angle = heading(time) * .pi / 180
            let rate = -(heading(time + 1e-3) - heading(time - 1e-3)) / 2e-3 * .pi / 180
            lines.append("\(microseconds) accel 0 0 9.80665")
            if withGyroscope { lines.append("\(microseconds) gyro 0 0 \(rate)") }
            lines.append("\(microseconds) magn \(-north * sin(angle)) \(north * cos(angle)) \(-down)")
        }
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("turning-\(UUID().uuidString).lmrec")
        try (lines.joined(separator: "\n") + "\n").write(to: path, atomically: true, encoding: .utf8)
        return path.path
    }
}
