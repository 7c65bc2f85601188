public import SensorRecordings

/// Reads a recording from a file, plain or gzip-compressed whatever its name, or from standard input.
///
///     let reader = try RecordingFileReader(path: "walk.lmrec.gz")
///     while let record = try reader.next() { … }
///     if reader.defects.count > 0 { … }
public final class RecordingFileReader {
    /// The file's name for messages: as given, `standard input` for `-`.
    public let displayName: String

    private let source: ByteReader
    private var decoder: RecordingDecoder
    /// The record that was read to know the header.
    private var first: Record?
    private var isEnded = false
    private var failure: RecordingFileError?

    /// Opens a file, `-` for standard input, and reads up to its first record, so that `header` is complete.
    ///
    /// Throws if the file cannot be opened or read, is no recording or one of a later major version, and in strict
    /// mode if a line before the first record is defective. A file that ends before its first record is opened;
    /// if it ends because it is damaged, `next()` says so.
    public init(path: String, mode: RecordingDecoder.Mode = .lenient) throws(RecordingFileError) {
        displayName = path == "-" ? "standard input" : path
        source = try ByteReader(path: path, displayName: displayName)
        decoder = RecordingDecoder(mode: mode)
        do throws(RecordingFileError) {
            first = try read()
        } catch {
            guard error.code == .truncated || error.code == .corrupt else { throw error }
        }
    }

    /// What the recording says about itself.
    public var header: RecordingHeader { decoder.header }

    /// The lines skipped until now, in lenient mode.
    public var defects: RecordingDefectLog { decoder.defects }

    /// The next record, nil at the end.
    ///
    /// Throws a `defect` in strict mode, `truncated` or `corrupt` after the last record that damaged compressed data gave,
    /// and `cannotRead`; then throws the same again whenever called.
    public func next() throws(RecordingFileError) -> Record? {
        if let record = first {
            first = nil
            return record
        }
        return try read()
    }

    private func read() throws(RecordingFileError) -> Record? {
        while true {
            do throws(RecordingDefect) {
                if let record = try decoder.next() { return record }
            } catch {
                throw RecordingFileError(.defect, path: displayName, defect: error)
            }
            if let failure { throw failure }
            if isEnded { return nil }
            do throws(RecordingFileError) {
                if try !source.read(into: &decoder) {
                    decoder.endInput()
                    isEnded = true
                }
            } catch {
                // Complete lines that are left come first; the incomplete one is lost.
                failure = error
            }
        }
    }
}
