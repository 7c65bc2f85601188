public import LocateMeModel

extension IIOSensorSource {
    /// What is wrong with contexts, choice and sensors. Before the first `discover()` or `start(rateHertz:)` nothing
    /// is known, and so nothing is wrong.
    public func diagnose() -> [Finding] {
        guard !scans.isEmpty || !stuckJobs.isEmpty else { return [] }
        var findings = uris.flatMap { scans[$0]?.findings ?? [] }
        findings += choiceFindings
        for candidate in choice.candidates {
            if candidate.description.selected {
                findings += candidate.findings
            } else {
                findings += candidate.findings.filter { $0.code.hasPrefix("output-direction") }
            }
        }
        findings += problems
        for sensor in choice.selected {
            if let finding = scaleCheck.finding(sensor.description) { findings.append(finding) }
        }
        return findings
    }

    /// Why there is no heading, as one sentence.
    var missingText: String {
        let kinds = Set(choice.selected.map(\.description.kind))
        let missing: SensorKind = kinds.contains(.magnetometer) ? .accelerometer : .magnetometer
        let refused = choice.candidates.map(\.description).first { $0.kind == missing && !$0.selected }
        if let refused { return "no usable \(missing.rawValue): \(refused.name): \(refused.reason)" }
        if let finding = uris.lazy.compactMap({ self.scans[$0]?.findings.first }).first { return finding.text }
        return "no \(missing.rawValue) found in \(uris.joined(separator: ", "))"
    }

    private var choiceFindings: [Finding] {
        let kinds = Set(choice.selected.map(\.description.kind))
        guard !kinds.contains(.hubHeading) else { return [] }
        var findings: [Finding] = []
        if !kinds.contains(.magnetometer) {
            findings.append(
                Finding(
                    code: "no-magnetometer", severity: .error, text: missingText,
                    remedy:
                        "check that the magnetometer's driver is loaded; phones and boards can be used over the network with --iio-uri ip:HOST"
                ))
        } else if !kinds.contains(.accelerometer) {
            findings.append(
                Finding(
                    code: "accel-missing", severity: .error, text: missingText,
                    remedy: "a tilted compass needs an accelerometer: check that its driver is loaded"))
        } else if !kinds.contains(.gyroscope) {
            findings.append(
                Finding(
                    code: "gyro-missing", severity: .info,
                    text: "there is no gyroscope; headings follow fast turns less well", remedy: "nothing to do"))
        }
        return findings
    }
}
