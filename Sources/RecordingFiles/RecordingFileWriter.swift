internal import EventLoop
internal import Glibc
public import SensorRecordings

/// Writes a recording to a file, gzip-compressed if its name ends in `.gz`, or plainly to standard output.
///
/// Only whole lines reach the file. After `flush()` everything written before survives the end of the process: a
/// compressed file that was not finished reads up to the last flush and is then reported as truncated.
public final class RecordingFileWriter {
    /// The file's name for messages: as given, `standard output` for `-`.
    public let displayName: String

    /// Encoded bytes that are collected before they are written out on their own.
    private static let chunkSize = 65_536

    private let descriptor: Descriptor
    private var deflater: Deflater?
    private var encoder: RecordingEncoder
    private var compressed: [UInt8] = []
    private var isFinished = false
    private var failure: RecordingFileError?

    /// Creates the file and writes the header.
    ///
    /// - Parameters:
    ///   - path: the file, or `-` for standard output.
    ///   - overwrite: whether an existing file is emptied; otherwise it is an error.
    public init(path: String, header: RecordingHeader, overwrite: Bool = false) throws(RecordingFileError) {
        displayName = path == "-" ? "standard output" : path
        do throws(Errno) {
            let flags = O_WRONLY | O_CREAT | (overwrite ? O_TRUNC : O_EXCL)
            descriptor = path == "-" ? Descriptor(standard: STDOUT_FILENO) : try Descriptor(path: path, flags: flags)
        } catch {
            throw RecordingFileError(.cannotOpen, path: displayName, underlying: error)
        }
        encoder = RecordingEncoder(header: header)
        if path.hasSuffix(".gz") {
            deflater = Deflater()
            guard deflater != nil else { throw RecordingFileError(.outOfMemory, path: displayName) }
        }
        try flush()
    }

    deinit {
        // Nobody is left to hear of a failure; who wants to know calls finish().
        try? finish()
    }

    /// Writes a record. Throws a `defect` for a record that no reader would accept, which leaves the file as it was, and
    /// `cannotWrite`, after which every call throws it again.
    public func append(_ record: Record) throws(RecordingFileError) {
        precondition(!isFinished, "the recording is finished")
        if let failure { throw failure }
        do throws(RecordingDefect) {
            try encoder.append(record)
        } catch {
            throw RecordingFileError(.defect, path: displayName, defect: error)
        }
        if encoder.bytes.count >= Self.chunkSize { try flush() }
    }

    /// Writes a `#note` line.
    public func append(note: String) throws(RecordingFileError) {
        precondition(!isFinished, "the recording is finished")
        if let failure { throw failure }
        encoder.append(note: note)
    }

    /// Hands everything to the system. Call it about once a second while recording live.
    public func flush() throws(RecordingFileError) {
        if let failure { throw failure }
        guard !isFinished, !encoder.bytes.isEmpty else { return }
        try writeOut(.sync)
    }

    /// Completes the file and makes it survive a power cut. Appending afterwards is an error of the program and traps.
    public func finish() throws(RecordingFileError) {
        if let failure { throw failure }
        guard !isFinished else { return }
        try writeOut(.finish)
        isFinished = true
        do throws(Errno) {
            try descriptor.synchronize()
        } catch {
            try fail(error)
        }
    }

    // MARK: - Private

    private func writeOut(_ flush: Deflater.Flush) throws(RecordingFileError) {
        defer { encoder.removeAll() }
        do throws(Errno) {
            guard deflater != nil else {
                try write(encoder.bytes)
                return
            }
            compressed.removeAll(keepingCapacity: true)
            deflater?.compress(encoder.bytes, flush, into: &compressed)
            try write(compressed)
        } catch {
            try fail(error)
        }
    }

    private func write(_ bytes: [UInt8]) throws(Errno) {
        try bytes.span.bytes.withUnsafeBytes { (buffer) throws(Errno) in try descriptor.write(buffer) }
    }

    private func fail(_ error: Errno) throws(RecordingFileError) {
        let failure = RecordingFileError(.cannotWrite, path: displayName, underlying: error)
        self.failure = failure
        throw failure
    }
}
