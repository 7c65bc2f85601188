internal import LocateMeModel
internal import LocationEngine
internal import NMEASentences
internal import RecordingFiles
internal import RouteFormats
internal import SensorRecordings

/// `headingctl track`.
enum TrackCommand {
    private static let file = Operand(
        ValueType<String>.file(endings: ["nmea", "log", "lmrec", "gz", "gpx"]),
        help: "an NMEA log, a recording (plain or gzip) or a GPX track; the name's ending tells which")
    private static let noChecksum = Flag(
        "checksum-optional", help: "of an NMEA log, take sentences without a checksum too")

    private static let preset = Option(
        "preset",
        ValueType<LocationPreset>.choice("NAME", LocationPreset.allCases.map { (word: $0.rawValue, value: $0) }),
        help: "only what a session with these settings is told")

    static let columns = ["t_us", "lat", "lon", "hacc", "alt", "vacc", "speed", "course", "flags"]

    static let command = Command(
        spec: CommandSpec(
            name: "track", summary: "fixes of an NMEA log, a recording or a GPX track as CSV",
            description: [
                "Takes the file through the service's own parsers, rules of validity and plausibility, and with --preset through a "
                    + "session's filter, and prints one row for each fix: \(columns.joined(separator: ",")).",
                "t_us is the time in microseconds: that of a recording, or UTC since 1970; lat and lon are degrees, hacc and vacc "
                    + "metres that hold the error with 68 % probability, alt metres above sea level, speed m/s, course degrees "
                    + "from true north, flags the sum of the bits of Location1's Fix. What is unknown is empty. Dates stay as "
                    + "the file has them. --json has source, satellites and the time as text as well.",
            ],
            operands: [file.spec], options: [preset.spec, noChecksum.spec],
            examples: [
                .init(arguments: "track boat.nmea > boat.csv", text: "A receiver's log to CSV:"),
                .init(arguments: "track walk.gpx --json", text: "A track as JSON lines:"),
            ])
    ) { arguments, context throws(CommandError) in
        let path = arguments[file, at: 0] ?? ""
        let isJSON = arguments[CommonOptions.json]
        let track = try read(path, arguments[noChecksum] ? .optional : .required)
        if !isJSON { context.output.writeLine(columns.joined(separator: ",")) }
        var printed = 0
        var engine = TrackEngine(preset: arguments[preset])
        for fix in track.fixes where context.output.failure == nil {
            engine.take(fix, hasOwnClock: track.hasOwnClock) { told in
                printed += 1
                context.output.writeLine(isJSON ? TrackRow.json(told).text : TrackRow.csv(told))
            }
        }
        context.output.flush()
        for warning in track.warnings { context.warn("\(path): \(warning)") }
        for (reason, count) in engine.drops.sorted(by: { $0.key < $1.key }) {
            context.warn("\(path): \(count) fixes dropped: \(reason)")
        }
        guard printed > 0 else { throw CommandError(.noData, "'\(path)' has no fix") }
    }

    /// What a file holds.
    private struct Content {
        var fixes: [Fix] = []
        /// True if boot times are a recording's, false if only the real time is known.
        var hasOwnClock = false
        var warnings: [String] = []
    }

    private static func read(_ path: String, _ rule: NMEADecoder.ChecksumRule) throws(CommandError) -> Content {
        let name = path.lowercased()
        if name.hasSuffix(".lmrec") || name.hasSuffix(".lmrec.gz") { return try recording(path) }
        let bytes = try WholeFile.read(path, limit: 256 << 20)
        return name.hasSuffix(".gpx") ? try gpx(bytes, path) : nmea(bytes, rule)
    }

    private static func nmea(_ bytes: [UInt8], _ rule: NMEADecoder.ChecksumRule) -> Content {
        var decoder = NMEADecoder(checksumRule: rule)
        var assembler = NMEAEpochAssembler()
        var content = Content()
        func drain() {
            while let report = assembler.next() { if case .fix(let fix) = report { content.fixes.append(fix) } }
        }
        var index = 0
        while let sentence = decoder.next(in: bytes.span, from: &index) {
            assembler.take(sentence, bootMicroseconds: 0)
            drain()
        }
        if let sentence = decoder.finish() { assembler.take(sentence, bootMicroseconds: 0) }
        assembler.finish()
        drain()
        for defect in NMEADefect.allCases where decoder.count(of: defect) > 0 {
            content.warnings.append("\(decoder.count(of: defect)) lines dropped: \(defect)")
        }
        return content
    }

    private static func gpx(_ bytes: [UInt8], _ path: String) throws(CommandError) -> Content {
        do throws(TrackError) {
            let track = try GPXReader.read(bytes)
            return Content(fixes: track.points.map(fix), warnings: track.warnings)
        } catch {
            throw CommandError(.failure, "'\(path)' cannot be used: \(error)")
        }
    }

    private static func fix(_ point: TrackPoint) -> Fix {
        // Of a recorded point without more the error is that of a hand-held receiver; 11.8 m is gpsd's for a dilution of 1.
        let accuracy = point.horizontalDilution > 0 ? point.horizontalDilution * 19 * 0.619 : 0
        var fix = Fix(
            realMicroseconds: point.realMicroseconds, bootMicroseconds: 0, latitude: point.latitude,
            longitude: point.longitude, horizontalAccuracy: accuracy)
        fix.altitude = point.elevation
        fix.ellipsoidalAltitude = .nan
        fix.verticalAccuracy = point.elevation.isFinite ? 0 : -1
        fix.speed = point.speed.isFinite ? point.speed : -1
        fix.course = point.course.isFinite ? point.course : -1
        fix.satellites = point.satellites
        fix.source = "gpx"
        return fix
    }

    private static func recording(_ path: String) throws(CommandError) -> Content {
        var content = Content(hasOwnClock: true)
        do throws(RecordingFileError) {
            let reader = try RecordingFileReader(path: path)
            var offset: Int64?
            while let record = try reader.next() {
                switch record.content {
                case .time(let real): offset = real - record.microseconds
                case .fix(var fix):
                    fix.realMicroseconds = offset.map { record.microseconds + $0 } ?? fix.realMicroseconds
                    fix.bootMicroseconds = record.microseconds
                    fix.source = "replay"
                    content.fixes.append(fix)
                default: break
                }
            }
            if reader.defects.count > 0 { content.warnings.append("\(reader.defects.count) lines skipped") }
        } catch {
            throw CommandError(.failure, error.description)
        }
        return content
    }
}
