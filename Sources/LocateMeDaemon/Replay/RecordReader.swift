public import SensorRecordings

/// Records one after the other, from a file or a simulation. Never holds more than it must.
public protocol RecordReader: AnyObject {
    /// What is known of the streams; complete once a record has been returned.
    var header: RecordingHeader { get }
    /// The next record, nil at the end. Throws if nothing more can be read.
    func next() throws -> Record?
    /// Goes back to the first record.
    func rewind() throws
}
