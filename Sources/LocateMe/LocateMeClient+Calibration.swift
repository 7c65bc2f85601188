public import Geometry
internal import LocateMeBusInterface
public import MessageBus

/// How a guided calibration proceeds.
public struct CalibrationProgress: Hashable, Sendable {
    /// Share of the sphere (or circle) covered, 0…1.
    public var coverage: Double
    /// Coverage of each part, 0 empty … 1 full, for pictures.
    public var bins: [Double]
    /// Root mean square residual in µT; NaN before there is a fit.
    public var residual: Double
    /// Samples used so far.
    public var samples: UInt32
    /// What to do next, in a sentence.
    public var hint: String
}

/// Guided calibration: `Calibration1`.
extension LocateMeClient {
    /// Begins a guided run of this client. `method` is `figure-eight` or `flat-turn`. `progress` is called several times a second
    /// until the returned watch is cancelled, which does not end the run.
    public func beginCalibration(
        method: String, timeoutMilliseconds: UInt32, progress: @escaping (CalibrationProgress) -> Void,
        reply: @escaping (Result<Void, LocateMeError>) -> Void
    ) -> BusMatch {
        let match = connection.addMatch(
            BusMatchRule(
                sender: LocateMeBus.name, interface: LocateMeInterfaces.calibration1.name, member: "Progress",
                path: LocateMeBus.compassPath)
        ) { message in
            do throws(BusError) {
                var reader = message.reader()
                let coverage = try reader.readDouble()
                let bins = try reader.readValue().doublesValue ?? []
                progress(
                    CalibrationProgress(
                        coverage: coverage, bins: bins, residual: try reader.readDouble(),
                        samples: try reader.readUInt32(), hint: try reader.readString()))
            } catch {
                // A signal that is none of this interface: nothing to show.
            }
        }
        let options: [String: BusValue] = ["Method": .string(method), "TimeoutMs": .uint32(timeoutMilliseconds)]
        call(LocateMeBus.compassPath, LocateMeInterfaces.calibration1.name, "Begin", [.dictionary(options)]) { result in
            reply(result.map { _ in }.mapError(LocateMeError.init))
        }
        return match
    }

    /// Puts the result of this client's run in force and stores it. The answer holds the raw samples it was made from, µT in the
    /// device frame, at most a few hundred; none if the service does not tell.
    public func applyCalibration(reply: @escaping (Result<[Vector3], LocateMeError>) -> Void) {
        call(LocateMeBus.compassPath, LocateMeInterfaces.calibration1.name, "Apply") { result in
            reply(
                result.decoded { reader throws(BusError) in
                    Self.vectors(try reader.readDictionary()["Cloud"]?.doublesValue ?? [])
                })
        }
    }

    /// Each three numbers in turn; a rest of one or two is dropped.
    private static func vectors(_ numbers: [Double]) -> [Vector3] {
        (0..<numbers.count / 3).map { Vector3(numbers[3 * $0], numbers[3 * $0 + 1], numbers[3 * $0 + 2]) }
    }

    /// Ends this client's run without effect.
    public func cancelCalibration(reply: @escaping (Result<Void, LocateMeError>) -> Void) {
        call(LocateMeBus.compassPath, LocateMeInterfaces.calibration1.name, "Cancel") { result in
            reply(result.map { _ in }.mapError(LocateMeError.init))
        }
    }
}
