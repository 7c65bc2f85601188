/// Elements of a GPX file to points.
struct GPXBuilder {
    private(set) var hasRoot = false
    var isCutOff = false

    private var points: [TrackPoint] = []
    private var warnings: [String] = []
    private var segment = -1
    private var point: TrackPoint?
    private var content = ""
    private var unreadable = 0
    private var latitudesOutside = 0
    private var longitudesOutside = 0
    private var badTimes = 0
    private var lacksZone = false

    mutating func begin(
        _ name: String, namespace: String, _ attributes: [(String, String)]
    ) throws(TrackError) {
        content = ""
        if !hasRoot {
            hasRoot = true
            guard name == "gpx" else {
                throw TrackError(
                    name.lowercased() == "html" ? "not a GPX file (HTML)" : "not a GPX file: its root is '\(name)'")
            }
            check(namespace)
        }
        switch name {
        case "trkseg": segment += 1
        case "trkpt": point = newPoint(attributes)
        default: break
        }
    }

    mutating func add(_ text: String) {
        // Longer than any number or time; a name of megabytes is not kept.
        if point != nil, content.utf8.count < 256 { content += text.prefix(256) }
    }

    mutating func end(_ name: String) {
        defer { content = "" }
        guard var present = point else { return }
        switch name {
        case "trkpt":
            if points.count < GPXReader.pointLimit { points.append(present) }
            point = nil
            return
        case "ele": present.elevation = number(-12_000...100_000) ?? .nan
        case "time": readTime(&present)
        case "speed": present.speed = number(0...12_000) ?? .nan
        case "course": present.course = number(0...360) ?? .nan
        case "hdop": present.horizontalDilution = number(0...1000) ?? .nan
        case "sat": present.satellites = Int(number(0...1000) ?? -1)
        default: return
        }
        point = present
    }

    func track() throws(TrackError) -> Track {
        var track = Track(points: points, warnings: warnings)
        guard hasRoot else { throw TrackError("not a GPX file") }
        let dropped = droppedPoints
        if points.isEmpty {
            guard dropped.isEmpty else { throw TrackError(dropped.joined(separator: ", ")) }
            throw TrackError(isCutOff ? "damaged before its first track point" : "it has no track points")
        }
        track.warnings += dropped.map { $0 + " were left out" }
        if isCutOff { track.warnings.append("the file is damaged or cut off; what stands before was read") }
        if badTimes > 0 { track.warnings.append("\(badTimes) times cannot be read") }
        if lacksZone { track.warnings.append("times without a zone were taken for UTC") }
        Self.forgetEqualTimes(&track)
        Self.forgetZeroSpeeds(&track)
        return track
    }

    // MARK: - Private

    private var droppedPoints: [String] {
        var sentences: [String] = []
        func add(_ count: Int, _ what: String) {
            if count > 0 { sentences.append("\(count) \(count == 1 ? "point" : "points") with \(what)") }
        }
        add(unreadable, "unreadable coordinates")
        add(latitudesOutside, "a latitude outside -90..90")
        add(longitudesOutside, "a longitude outside -180..180")
        return sentences
    }

    private mutating func check(_ namespace: String) {
        let known = ["http://www.topografix.com/GPX/1/0", "http://www.topografix.com/GPX/1/1"]
        guard !namespace.isEmpty, !known.contains(namespace) else { return }
        let trimmed = namespace.split(whereSeparator: \.isWhitespace).joined()
        warnings.append(
            known.contains(trimmed)
                ? "the namespace has blanks around it" : "the namespace is none of GPX 1.0 and 1.1")
    }

    private mutating func newPoint(_ attributes: [(String, String)]) -> TrackPoint? {
        func coordinate(_ name: String) -> Double? { attributes.first { $0.0 == name }.flatMap { Self.decimal($0.1) } }
        guard let latitude = coordinate("lat"), let longitude = coordinate("lon") else {
            unreadable += 1
            return nil
        }
        guard abs(latitude) <= 90 else {
            latitudesOutside += 1
            return nil
        }
        guard abs(longitude) <= 180 else {
            longitudesOutside += 1
            return nil
        }
        return TrackPoint(latitude: latitude, longitude: longitude, segment: max(segment, 0))
    }

    private mutating func readTime(_ present: inout TrackPoint) {
        guard let time = GPXTime.parse(content) else {
            badTimes += 1
            return
        }
        if !time.hasZone { lacksZone = true }
        present.realMicroseconds = max(time.realMicroseconds, 0)
    }

    private func number(_ range: ClosedRange<Double>) -> Double? {
        guard let value = Self.decimal(content), range.contains(value) else { return nil }
        return value
    }

    /// A decimal number whatever the locale; nil for a decimal comma, hexadecimal, nan and the like.
    private static func decimal(_ text: String) -> Double? {
        let trimmed = text.drop { $0.isWhitespace }
        let body = trimmed.prefix { !$0.isWhitespace }
        guard trimmed.dropFirst(body.count).allSatisfy(\.isWhitespace),
            body.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }),
            let value = Double(body), value.isFinite
        else { return nil }
        return value
    }

    /// Writers without a clock put one time everywhere: that is none.
    private static func forgetEqualTimes(_ track: inout Track) {
        guard track.points.count > 1, let first = track.points.first?.realMicroseconds,
            track.points.allSatisfy({ $0.realMicroseconds == first })
        else { return }
        let isStated = first > 0 || track.points.contains { $0.realMicroseconds == 0 }
        for index in track.points.indices { track.points[index].realMicroseconds = 0 }
        if isStated { track.warnings.append("there are no times, or all are the same: none is used") }
    }

    /// Writers that do not know a speed write 0: where the place moves on at more than 0.5 m/s, it is unknown.
    private static func forgetZeroSpeeds(_ track: inout Track) {
        let metresPerDegree = 111_195.0
        for index in track.points.indices.dropFirst() where track.points[index].speed == 0 {
            let (before, here) = (track.points[index - 1], track.points[index])
            let seconds = Double(here.realMicroseconds - before.realMicroseconds) * 1e-6
            guard before.segment == here.segment, before.realMicroseconds > 0, seconds > 0 else { continue }
            let north = abs(here.latitude - before.latitude) * metresPerDegree
            // A degree of longitude is shorter; the latitude alone says enough, and near the equator so does this.
            let east = abs(here.longitude - before.longitude) * metresPerDegree * (1 - abs(here.latitude) / 90)
            if max(north, east) / seconds > 0.5 { track.points[index].speed = .nan }
        }
    }
}
