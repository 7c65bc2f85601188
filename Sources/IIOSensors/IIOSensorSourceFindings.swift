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
        if let chosen = choice.selected.first(where: { $0.description.kind == .magnetometer }) {
            for description in choice.candidates.map(\.description) where !description.selected {
                guard let trouble = failed.reasons[description.id] else { continue }
                findings.append(.replaced(description, trouble: trouble, by: chosen.description))
            }
        }
        for sensor in choice.selected {
            if let finding = scaleCheck.finding(sensor.description) { findings.append(finding) }
            if let finding = gyroscopeUnit.finding(sensor.description) { findings.append(finding) }
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

    /// What is worth knowing about more than one device.
    private var pairingFindings: [Finding] {
        var findings: [Finding] = []
        let accelerometers = choice.candidates.filter { $0.description.kind == .accelerometer && $0.refusal == nil }
        if accelerometers.count > 1 {
            findings.append(
                Finding(
                    code: "two-accelerometers", severity: .info,
                    text: "there are \(accelerometers.count) accelerometers, as in lid and base; one is used",
                    remedy: "if it is the wrong one, set use-sensor or ignore-sensor in the configuration"))
        }
        let devices = Set(choice.candidates.map { "\($0.deviceID) \($0.description.name)" })
        let names = devices.compactMap { $0.split(separator: " ", maxSplits: 1).last }
        if let name = names.first(where: { name in names.filter { $0 == name }.count > 1 }) {
            findings.append(
                Finding(
                    code: "two-devices-same-name", severity: .info,
                    text: "several devices are called \(name); they are told apart by their place on the bus",
                    remedy: "nothing to do"))
        }
        func parent(_ kind: SensorKind) -> Substring? {
            guard let path = choice.selected.first(where: { $0.description.kind == kind })?.description.path,
                path.contains("/HID-SENSOR-")
            else { return nil }
            let parts = path.split(separator: "/")
            return parts.dropLast(2).last
        }
        if let one = parent(.magnetometer), let other = parent(.accelerometer), one != other {
            findings.append(
                Finding(
                    code: "paired-across-hid-devices", severity: .info,
                    text: "magnetometer and accelerometer belong to two HID devices, \(one) and \(other)",
                    remedy: "nothing to do if both are in the same body"))
        }
        return findings
    }

    private var choiceFindings: [Finding] {
        let kinds = Set(choice.selected.map(\.description.kind))
        if choice.selected.contains(where: { $0.channels == SensorType.attitude.axes }) {
            return pairingFindings + [
                Finding(
                    code: "no-magnetometer-but-quaternion", severity: .info,
                    text: "there is no usable magnetometer; the heading is that of the hub's attitude",
                    remedy: "nothing to do; its accuracy is not known")
            ]
        }
        guard !kinds.contains(.hubHeading) else { return pairingFindings }
        var findings = pairingFindings
        if !kinds.contains(.magnetometer) {
            findings.append(
                Finding(
                    code: "no-magnetometer", severity: .error,
                    // Why nothing was found can be a finding of its own.
                    text: uris.contains { scans[$0]?.findings.first?.text == missingText }
                        ? "so there is no magnetometer" : missingText,
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
