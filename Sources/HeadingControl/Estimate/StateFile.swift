internal import LocateMeModel
internal import MagnetometerCalibration

/// Files of stored heading states.
enum StateFile {
    /// Reads a state; a file that is not one, or of a later version, is refused with the reason.
    static func read(_ path: String) throws(CommandError) -> StoredHeadingState {
        let bytes = try WholeFile.read(path, limit: 1 << 20)
        do throws(StoredStateError) {
            return try StoredHeadingStateText.state(of: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw CommandError(
                .failure, "'\(path)' is no usable heading state: \(error)",
                remedy: "Such files are written by 'headingctl estimate FILE --state-out STATE'.")
        }
    }

    /// Writes a state, whole or not at all.
    static func write(_ state: StoredHeadingState, device: String, to path: String) throws(CommandError) {
        try WholeFile.replace(path, with: StoredHeadingStateText.text(of: state, device: device))
    }
}
