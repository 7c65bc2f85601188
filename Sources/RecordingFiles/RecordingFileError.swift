public import EventLoop
public import SensorRecordings

/// Why a recording could not be read or written, in one sentence that names the file.
public struct RecordingFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure; more may come.
    public struct Code: Hashable, Sendable {
        private let name: String
        private init(_ name: String) { self.name = name }
        /// The file could not be opened; `underlying` says why.
        public static let cannotOpen = Code("cannotOpen")
        /// Reading failed; `underlying` says why.
        public static let cannotRead = Code("cannotRead")
        /// Writing failed; `underlying` says why. Everything later is lost too.
        public static let cannotWrite = Code("cannotWrite")
        /// The compressed data end in the middle. What was there has been delivered.
        public static let truncated = Code("truncated")
        /// The compressed data are damaged. What came before has been delivered, the last of it unverified.
        public static let corrupt = Code("corrupt")
        /// A line is wrong, or a record cannot be written; `defect` says which and why.
        public static let defect = Code("defect")
        /// No memory for compression.
        public static let outOfMemory = Code("outOfMemory")
    }

    /// What failed.
    public let code: Code
    /// The file as the caller named it, `standard input` or `standard output` for `-`.
    public let path: String
    /// The system's reason, if there is one.
    public let underlying: Errno?
    /// The line, if it is about one.
    public let defect: RecordingDefect?
    private let detail: String

    init(_ code: Code, path: String, detail: String = "", underlying: Errno? = nil, defect: RecordingDefect? = nil) {
        self.code = code
        self.path = path
        self.detail = detail
        self.underlying = underlying
        self.defect = defect
    }

    /// Such as `walk.lmrec.gz: line 12: unknown kind of record 'mgn'`.
    public var description: String {
        let reason = underlying.map { ": \($0)" } ?? ""
        return switch code {
        case .cannotOpen: "\(path): cannot be opened\(reason)"
        case .cannotRead: "\(path): cannot be read\(reason)"
        case .cannotWrite: "\(path): cannot be written\(reason)"
        case .truncated: "\(path): the compressed data end in the middle; what was there has been read"
        case .corrupt: "\(path): the compressed data are damaged (\(detail)); what comes after cannot be read"
        case .defect: defect.map { "\(path): \($0)" } ?? path
        default: "\(path): not enough memory"
        }
    }
}
