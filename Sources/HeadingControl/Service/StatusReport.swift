internal import Geomagnetism
internal import LocateMe
internal import LocateMeBusInterface
internal import LocateMeModel
internal import MessageBus

/// What `headingctl status` shows.
struct StatusReport {
    var bus: BusAddress
    var service: ServiceInformation
    var compass: CompassInformation
    var snapshot: StatusSnapshot?
    var sensors: [SensorDescription] = []
    var calibration: CalibrationInformation?
    var heading: Heading?
    var fix: Fix?
    var permission: AuthorizationStatus?
    var accuracy: AccuracyAuthorization = .none
    var findings: [Finding] = []

    /// Degrees from magnetic north, or nil.
    private var magnetic: Double? {
        let value = heading?.magnetic ?? snapshot?.magneticHeading ?? -1
        return value >= 0 ? value : nil
    }

    /// Degrees from true north, or nil.
    private var trueHeading: Double? {
        let value = heading?.trueHeading ?? snapshot?.trueHeading ?? -1
        return value >= 0 ? value : nil
    }

    private var headingAccuracy: Double { heading?.accuracy ?? snapshot?.headingAccuracy ?? -1 }

    // MARK: - For people

    /// A label and a text per line.
    func lines(unicode: Bool) -> [StyledLine] {
        var lines = [row("service", "locatemed \(service.version) on \(bus.phrase)")]
        lines.append(headingRow)
        lines.append(compassRow)
        if let calibration { lines.append(calibrationRow(calibration)) }
        lines.append(placeRow)
        lines.append(declinationRow)
        if let permission { lines.append(permissionRow(permission)) }
        for (index, source) in service.sources.enumerated() {
            lines.append(
                row(
                    index == 0 ? "sources" : "", "\(source.id) (\(source.kind)): \(Self.name(source.state))",
                    ink(source.state)))
        }
        if findings.isEmpty { lines.append(row("problems", "none", .good)) }
        for (index, finding) in findings.enumerated() {
            let ink: Ink = finding.severity == .error ? .bad : finding.severity == .warning ? .fair : .plain
            lines.append(row(index == 0 ? "problems" : "", "\(finding.severity.rawValue): \(finding.text)", ink))
            if !finding.remedy.isEmpty { lines.append(row("", Diagnosis.sentence(finding.remedy), .faint)) }
        }
        return lines
    }

    private var headingRow: StyledLine {
        guard let magnetic else {
            if !service.headingAvailable { return row("heading", "none: there is no compass", .bad) }
            return row(
                "heading", service.inUse || heading != nil ? "not valid now" : "not known: no program uses it", .fair)
        }
        var line = row("heading", "\(Wording.heading(magnetic)) \(Cardinal.name(magnetic)) magnetic", .strong)
        if let trueHeading { line.append(", \(Wording.heading(trueHeading)) true") }
        line.append(" \(Wording.accuracy(headingAccuracy))", RosePanel.ink(accuracy: headingAccuracy))
        if heading?.disturbed == true { line.append(" disturbed by metal or magnets", .alert) }
        return line
    }

    private var compassRow: StyledLine {
        let used = sensors.filter(\.selected)
        guard !used.isEmpty || compass.fusion != "none" else { return row("compass", "no usable sensors", .bad) }
        var text = compass.fusion
        // Once the heading of this report has come, the sensors are off again.
        if text == "none" { text = heading?.source.rawValue ?? "off" }
        if compass.rateHertz > 0 { text += " at \(DecimalText.trimmed(compass.rateHertz, decimals: 1)) Hz" }
        let names = used.map { "\($0.name) (\($0.kind == .hubHeading ? "hub" : $0.kind.rawValue))" }
        if !names.isEmpty { text += ": " + names.joined(separator: ", ") }
        return row("compass", text)
    }

    private func calibrationRow(_ calibration: CalibrationInformation) -> StyledLine {
        let quality = calibration.quality
        let ink: Ink = quality >= .good ? .good : quality == .coarse ? .fair : .bad
        var line = row("calibration", Wording.quality(quality), ink)
        if let age = calibration.ageSeconds { line.append(", \(TimeText.span(seconds: Double(age))) old") }
        if calibration.headingErrorDegrees.isFinite {
            line.append(", heading error \(Wording.accuracy(calibration.headingErrorDegrees)) from the hard iron")
        }
        if !calibration.source.isEmpty { line.append(", \(calibration.source)") }
        if !calibration.reason.isEmpty {
            line.append("; needed: \(calibration.reason.split(separator: "-").joined(separator: " "))", .fair)
        }
        return line
    }

    private var placeRow: StyledLine {
        guard let (latitude, longitude, accuracy) = place else {
            if let permission, !permission.isGranted { return row("place", "not permitted to know", .fair) }
            return row(
                "place", service.locationAvailable ? "not known yet" : "none: there is no source of places", .fair)
        }
        let words = Wording.place(latitude: latitude, longitude: longitude)
        var line = row("place", "\(words.latitude) \(words.longitude) \(Wording.metres(accuracy: accuracy))")
        if let source = fix?.source, !source.isEmpty { line.append(" from \(TextWidth.clean(source))", .faint) }
        return line
    }

    /// Degrees, degrees, metres.
    private var place: (latitude: Double, longitude: Double, accuracy: Double)? {
        if let fix, fix.horizontalAccuracy >= 0 { return (fix.latitude, fix.longitude, fix.horizontalAccuracy) }
        guard let snapshot, snapshot.latitude.isFinite, snapshot.longitude.isFinite else { return nil }
        return (snapshot.latitude, snapshot.longitude, snapshot.horizontalAccuracy)
    }

    private var declinationRow: StyledLine {
        var text = ""
        if compass.declinationOverride.isFinite {
            text = "\(Wording.declination(compass.declinationOverride)), set by the administrator"
        } else if let declination = heading?.declination, declination.isFinite {
            text =
                "\(Wording.declination(declination)) \(Wording.accuracy(heading?.declinationAccuracy ?? -1)), \(compass.magneticModel)"
        } else if let field = fieldAtPlace {
            text =
                "\(Wording.declination(field.elements.declination)) \(Wording.accuracy(field.declinationAccuracy)), \(compass.magneticModel)"
        } else {
            text =
                place == nil
                ? "not known without a place; model \(compass.magneticModel)"
                : "comes with a heading; model \(compass.magneticModel)"
        }
        return compass.magneticModelExpired
            ? row("declination", text + ", which has expired: install a newer release or coefficient file", .fair)
            : row("declination", text)
    }

    /// The field at the place, where no heading has told the declination and the service's model is built in.
    private var fieldAtPlace: MagneticField? {
        guard let place, let time = fix?.realMicroseconds ?? snapshot?.locationRealMicroseconds,
            let date = try? DecimalYear(realMicroseconds: time),
            let model = try? MagneticModel.named(compass.magneticModel)
        else { return nil }
        return try? model.field(
            latitude: place.latitude, longitude: place.longitude, height: fix?.heightForModels ?? 0, year: date.value)
    }

    private func permissionRow(_ permission: AuthorizationStatus) -> StyledLine {
        let words =
            switch permission {
            case .always: "places and true headings, always"
            case .whenInUse: "places and true headings, while in use"
            case .denied: "magnetic headings only: places are denied"
            case .restricted: "magnetic headings only: places are restricted"
            case .notDetermined: "magnetic headings; places not decided"
            }
        return row("permission", words + (accuracy == .reduced ? ", coarse places" : ""))
    }

    /// Columns before the text of a row.
    static let labelColumns = 13

    private func row(_ label: String, _ text: String, _ ink: Ink = .plain) -> StyledLine {
        var line = StyledLine(TextWidth.padded(label, to: Self.labelColumns), .faint)
        line.append(TextWidth.clean(text), ink)
        return line
    }

    private func ink(_ state: SourceState) -> Ink {
        switch state {
        case .off: .faint
        case .starting: .plain
        case .ok: .good
        case .lost: .fair
        case .failed: .bad
        }
    }

    static func name(_ state: SourceState) -> String {
        switch state {
        case .off: "off"
        case .starting: "starting"
        case .ok: "ok"
        case .lost: "lost"
        case .failed: "failed"
        }
    }

    // MARK: - For machines

    /// Everything as one object.
    var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("version", .string(service.version)), ("bus", .string(bus.description)),
            ("heading_available", .bool(service.headingAvailable)),
            ("location_available", .bool(service.locationAvailable)), ("in_use", .bool(service.inUse)),
        ]
        members += [
            ("magnetic", HeadingReport.direction(magnetic ?? -1)),
            ("true", trueHeading.map(HeadingReport.direction) ?? .null),
            ("accuracy", .number(magnetic == nil ? -1 : headingAccuracy, decimals: 3)),
            ("heading", heading.map(HeadingReport.json) ?? .null), ("fix", fix.map(HeadingReport.json) ?? .null),
        ]
        members += [
            ("fusion", .string(compass.fusion)), ("rate_hz", .number(compass.rateHertz, decimals: 3)),
            ("model", .string(compass.magneticModel)), ("model_expired", .bool(compass.magneticModelExpired)),
            ("declination_override", .number(compass.declinationOverride, decimals: 3)),
            ("calibration", calibration.map(Self.json) ?? .null),
            ("permission", permission.map { .string(Self.name($0)) } ?? .null),
        ]
        members += [
            ("sources", .array(service.sources.map(Self.json))), ("sensors", .array(sensors.map(SensorReport.json))),
            ("findings", .array(findings.map(SensorReport.json))),
        ]
        return .object(members)
    }

    private static func json(_ source: SourceDescription) -> JSONValue {
        .object([("id", .string(source.id)), ("kind", .string(source.kind)), ("state", .string(name(source.state)))])
    }

    private static func json(_ calibration: CalibrationInformation) -> JSONValue {
        .object([
            ("quality", .string(Wording.quality(calibration.quality))),
            ("reason", calibration.reason.isEmpty ? .null : .string(calibration.reason)),
            ("age_seconds", calibration.ageSeconds.map { .integer(Int64($0)) } ?? .null),
            ("heading_error", .number(calibration.headingErrorDegrees, decimals: 3)),
            ("field_ut", .number(calibration.fieldMicrotesla, decimals: 3)),
            ("residual_ut", .number(calibration.residualMicrotesla, decimals: 3)),
            ("coverage", .number(calibration.coverage, decimals: 3)),
            ("source", calibration.source.isEmpty ? .null : .string(calibration.source)),
        ])
    }

    private static func name(_ permission: AuthorizationStatus) -> String {
        switch permission {
        case .notDetermined: "not-determined"
        case .restricted: "restricted"
        case .denied: "denied"
        case .always: "always"
        case .whenInUse: "when-in-use"
        }
    }
}
