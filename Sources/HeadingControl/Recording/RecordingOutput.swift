internal import EventLoop
internal import Glibc
internal import RecordingFiles
internal import SensorRecordings

/// A recording that a command writes, with errors for people.
final class RecordingOutput {
    /// Writes over a file that exists.
    static let force = Flag("force", help: "write over the file if it exists")

    /// The file's name for messages.
    let name: String
    /// Records written.
    private(set) var count = 0
    private let writer: RecordingFileWriter

    /// Creates the file, "-" for standard output, and writes the header.
    init(_ path: String, header: RecordingHeader, overwrite: Bool) throws(CommandError) {
        do throws(RecordingFileError) {
            writer = try RecordingFileWriter(path: path, header: header, overwrite: overwrite)
        } catch {
            throw Self.error(error)
        }
        name = writer.displayName
    }

    /// Adds a record. One that no reader would accept, such as a time that runs backward, is left out; then false.
    @discardableResult
    func append(_ record: Record) throws(CommandError) -> Bool {
        do throws(RecordingFileError) {
            try writer.append(record)
        } catch {
            if error.code == .defect { return false }
            throw Self.error(error)
        }
        count += 1
        return true
    }

    /// Adds a note.
    func append(note: String) throws(CommandError) {
        do throws(RecordingFileError) {
            try writer.append(note: note)
        } catch {
            throw Self.error(error)
        }
    }

    /// Hands everything to the system.
    func flush() throws(CommandError) {
        do throws(RecordingFileError) {
            try writer.flush()
        } catch {
            throw Self.error(error)
        }
    }

    /// Completes the file.
    func finish() throws(CommandError) {
        do throws(RecordingFileError) {
            try writer.finish()
        } catch {
            throw Self.error(error)
        }
    }

    /// True if the reader of a pipe has seen enough.
    static func isEndOfReader(_ error: RecordingFileError) -> Bool { error.underlying?.rawValue == EPIPE }

    /// What a failure of a recording file means for a command.
    static func error(_ error: RecordingFileError) -> CommandError {
        if isEndOfReader(error) { return .endOfReader }
        let remedy =
            switch (error.code, error.underlying?.rawValue) {
            case (.cannotOpen, EEXIST): "Choose another name, or write over it with --force."
            case (.cannotOpen, _): "Check the name and its permissions."
            case (.cannotWrite, ENOSPC): "Free space or choose another place."
            default: ""
            }
        return CommandError(.failure, error.description, remedy: remedy)
    }
}
