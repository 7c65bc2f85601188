import LocateMeDaemon
import RecordingFiles
import SensorRecordings

/// A recording's file for the player; begins again by opening it again.
final class FileRecordReader: RecordReader {
    private let path: String
    private var reader: RecordingFileReader

    init(path: String) throws(RecordingFileError) {
        self.path = path
        reader = try RecordingFileReader(path: path)
    }

    var header: RecordingHeader { reader.header }

    func next() throws -> Record? { try reader.next() }

    func rewind() throws { reader = try RecordingFileReader(path: path) }
}
