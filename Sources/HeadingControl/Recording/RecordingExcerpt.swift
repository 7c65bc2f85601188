internal import LocateMeModel
internal import RecordingFiles
internal import SensorRecordings

/// The later part of a recording.
enum RecordingExcerpt {
    /// The recording to play: the file itself, after a look at it, or for `from` > 0 a copy in the folder that begins
    /// there, with the last place from before.
    static func prepare(_ path: String, from: Int64, in folder: TemporaryFolder) throws(CommandError) -> String {
        let reader = try read(path)
        guard from > 0 else { return path }
        let copy = folder.file("excerpt.lmrec")
        var fix: Record?
        var output: RecordingOutput?
        while let record = try next(reader) {
            if record.microseconds < from {
                if case .fix = record.content { fix = record }
                continue
            }
            if output == nil {
                let made = try RecordingOutput(copy, header: reader.header, overwrite: true)
                if var fix {
                    fix.microseconds = record.microseconds
                    try made.append(fix)
                }
                output = made
            }
            try output?.append(record)
        }
        guard let output else {
            throw CommandError(
                .failure, "\(reader.displayName) is shorter than \(TimeText.span(seconds: Double(from) * 1e-6))",
                remedy: "Give an earlier --from.")
        }
        try output.finish()
        return copy
    }

    private static func read(_ path: String) throws(CommandError) -> RecordingFileReader {
        do throws(RecordingFileError) {
            return try RecordingFileReader(path: path)
        } catch {
            throw RecordingOutput.error(error)
        }
    }

    private static func next(_ reader: RecordingFileReader) throws(CommandError) -> Record? {
        do throws(RecordingFileError) {
            return try reader.next()
        } catch {
            throw RecordingOutput.error(error)
        }
    }
}
