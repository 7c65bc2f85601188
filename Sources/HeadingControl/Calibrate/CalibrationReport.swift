internal import Geometry
internal import LocateMeModel
internal import MagnetometerCalibration

import func Glibc.exp

/// The picture of a calibration: the samples before and after in three projections, the covered directions, and how far
/// the calibrated samples lie from the sphere.
struct CalibrationReport {
    /// What is drawn.
    let outcome: RecordingCalibration.Outcome
    /// Of whom it is.
    let title: String

    private static let panel = 230.0
    private static let gap = 30.0
    private static let before = "#9e9e9e"
    private static let after = "#1f6fb4"

    /// The whole SVG file.
    var svg: String {
        var picture = SVGPicture(width: 820, height: 920)
        picture.text(title, 30, 34, size: 18)
        picture.text(verdict, 30, 56, size: 13, fill: outcome.rejection == nil ? "#2e7d32" : "#b22222")
        drawClouds(&picture, top: 80)
        drawCoverage(&picture, left: 30, top: 655)
        drawResiduals(&picture, left: 300, top: 655)
        drawFigures(&picture, left: 575, top: 672)
        return picture.text
    }

    private var verdict: String {
        guard let rejection = outcome.rejection else { return "good: this calibration can be used" }
        return "not usable: \(rejection.sentence)"
    }

    // MARK: - Clouds

    private func drawClouds(_ picture: inout SVGPicture, top: Double) {
        let axes = [(0, 1, "x right, y top"), (0, 2, "x right, z out"), (1, 2, "y top, z out")]
        var extent = outcome.fit.field
        for point in outcome.points {
            let offset = point - rawMiddle
            extent = max(extent, abs(offset.x), abs(offset.y), abs(offset.z))
        }
        for (index, (horizontal, vertical, name)) in axes.enumerated() {
            let left = 30 + Double(index) * (Self.panel + Self.gap)
            drawCloud(
                &picture, left: left, top: top, extent: extent * 1.1, horizontal, vertical,
                name: "before, \(name)", isCalibrated: false)
            drawCloud(
                &picture, left: left, top: top + Self.panel + 40, extent: outcome.fit.field * 1.3, horizontal, vertical,
                name: "after, \(name)", isCalibrated: true)
        }
    }

    private var rawMiddle: Vector3 {
        guard !outcome.points.isEmpty else { return .zero }
        var sum = Vector3.zero
        for point in outcome.points { sum += point }
        return sum * (1 / Double(outcome.points.count))
    }

    private func drawCloud(
        _ picture: inout SVGPicture, left: Double, top: Double, extent: Double, _ horizontal: Int, _ vertical: Int,
        name: String, isCalibrated: Bool
    ) {
        let size = Self.panel
        let scale = size / 2 / max(extent, 1e-9)
        let (middleX, middleY) = (left + size / 2, top + size / 2)
        picture.box(left, top, width: size, height: size, fill: "#fafafa", stroke: "#ddd")
        picture.line(left, middleY, left + size, middleY, stroke: "#e0e0e0")
        picture.line(middleX, top, middleX, top + size, stroke: "#e0e0e0")
        let reference = isCalibrated ? Vector3.zero : rawMiddle
        let centre = isCalibrated ? Vector3.zero : outcome.fit.center - reference
        picture.circle(
            middleX + centre[horizontal] * scale, middleY - centre[vertical] * scale,
            radius: outcome.fit.field * scale, stroke: "#e6550d")
        for point in thinned {
            let shown = isCalibrated ? calibrated(point) : point - reference
            // A stray sample must not be drawn over a neighbour.
            guard abs(shown[horizontal]) < extent, abs(shown[vertical]) < extent else { continue }
            picture.dot(
                middleX + shown[horizontal] * scale, middleY - shown[vertical] * scale, radius: 1.4,
                fill: isCalibrated ? Self.after : Self.before, opacity: 0.6)
        }
        picture.text(name, left, top + size + 16)
        picture.text(
            "±\(DecimalText.fixed(extent, decimals: 0)) µT", left + size, top + size + 16, anchor: "end", fill: "#777")
    }

    private func calibrated(_ point: Vector3) -> Vector3 { outcome.fit.softIron * (point - outcome.fit.center) }

    private var thinned: [Vector3] {
        let step = max(1, outcome.points.count / 1200)
        return stride(from: 0, to: outcome.points.count, by: step).map { outcome.points[$0] }
    }

    // MARK: - Coverage and residuals

    /// Ten bands of equal height by ten sectors: equal areas of the sphere, so of the picture.
    private func drawCoverage(_ picture: inout SVGPicture, left: Double, top: Double) {
        var coverage = SphereCoverage()
        for point in outcome.points { coverage.add(calibrated(point)) }
        picture.text("directions covered, z up: \(percent(outcome.fit.coverage))", left, top - 8)
        for cell in 0..<SphereCoverage.cells {
            let count = Double(coverage[cell])
            let shade = 1 - exp(-count / 4)
            let level = Int(255 - shade * 190)
            picture.box(
                left + Double(cell % 10) * 23, top + Double(9 - cell / 10) * 23, width: 22, height: 22,
                fill: count == 0 ? "#fff" : "rgb(\(level),\(min(255, level + 40)),255)", stroke: "#ddd")
        }
    }

    private func drawResiduals(_ picture: inout SVGPicture, left: Double, top: Double) {
        let (width, height) = (240.0, 200.0)
        let limit = max(1, 4 * outcome.fit.residual)
        var counts = [Int](repeating: 0, count: 25)
        for point in outcome.points {
            let deviation = calibrated(point).length - outcome.fit.field
            guard deviation.isFinite else { continue }
            counts[min(24, max(0, Int((deviation / limit + 1) * 12.5)))] += 1
        }
        let highest = Double(counts.max() ?? 1)
        picture.text("distance from the sphere: \(microtesla(outcome.fit.residual)) rms", left, top - 8)
        for (index, count) in counts.enumerated() {
            let bar = Double(count) / max(highest, 1) * height
            picture.box(
                left + Double(index) * width / 25, top + height - bar, width: width / 25 - 1, height: bar,
                fill: Self.after)
        }
        picture.line(left, top + height, left + width, top + height, stroke: "#999")
        picture.text("−\(microtesla(limit))", left, top + height + 16, fill: "#777")
        picture.text("+\(microtesla(limit))", left + width, top + height + 16, anchor: "end", fill: "#777")
    }

    private func drawFigures(_ picture: inout SVGPicture, left: Double, top: Double) {
        let fit = outcome.fit
        let hard = fit.hardIron
        var lines = [
            "model: \(fit.model.rawValue), \(fit.samples) samples",
            "hard iron: " + [hard.x, hard.y, hard.z].map { DecimalText.fixed($0, decimals: 1) }.joined(separator: ", ")
                + " µT",
            fit.model == .planar
                ? "known in the plane of the turn only" : "known to ±\(microtesla(2 * fit.hardIronSigma)) (95 %)",
            "field: \(microtesla(fit.field))",
        ]
        if let earthField = outcome.earthField { lines.append("model's field here: \(microtesla(earthField.total))") }
        lines.append("soft iron:")
        for row in 0..<3 {
            lines.append(
                "   " + (0..<3).map { DecimalText.fixed(fit.softIron[row, $0], decimals: 4) }.joined(separator: "  "))
        }
        if let error = outcome.headingError {
            lines.append("heading error: ±\(DecimalText.fixed(error, decimals: 1))° (95 %)")
        }
        for (index, line) in lines.enumerated() { picture.text(line, left, top + Double(index) * 19) }
    }

    private func microtesla(_ value: Double) -> String { DecimalText.fixed(value, decimals: 1) + " µT" }
    private func percent(_ share: Double) -> String { DecimalText.fixed(share * 100, decimals: 0) + " %" }
}
