internal import CompassDiagnosis
internal import Geometry
internal import LocateMeModel
internal import SensorRecordings

/// Mount matrices from a recording: its marks `flat`, `upright` and `right` are the poses, all of it is the turn.
struct RecordedMount {
    private var forces: [(time: Int64, force: Vector3)] = []
    private var moments: [(force: Vector3, field: Vector3)] = []
    private var marks: [(time: Int64, pose: MountFinder.Pose)] = []
    /// The first place.
    private(set) var fix: Fix?

    /// Half a second before and after a mark belong to its pose.
    private static let poseMicroseconds: Int64 = 500_000
    private static let capacity = 4000

    /// Takes a record.
    mutating func update(_ record: Record) {
        switch record.content {
        case .mark(let text):
            if let pose = MountFinder.Pose(rawValue: text.lowercased()) { marks.append((record.microseconds, pose)) }
        case .fix(let found): if fix == nil, found.horizontalAccuracy >= 0 { fix = found }
        default: break
        }
        guard let sample = record.sample else { return }
        switch sample.reading {
        case .acceleration(let force): forces.append((sample.bootMicroseconds, force))
        case .magneticField(let field):
            guard let last = forces.last, sample.bootMicroseconds - last.time < 60_000 else { return }
            moments.append((last.force, field))
        default: break
        }
    }

    /// True if there is a mark for each pose.
    var hasPoses: Bool { Set(marks.map(\.pose)).count == MountFinder.Pose.allCases.count }

    /// Moments with both sensors.
    var count: Int { moments.count }

    /// The answer.
    func result(inclination: Double) throws(MountFinder.Failure) -> MountFinder.Result {
        var finder = MountFinder()
        for (time, pose) in marks {
            var sum = Vector3.zero
            for sample in forces where abs(sample.time - time) <= Self.poseMicroseconds { sum += sample.force }
            guard finder.add(pose, force: sum) else { throw .posesUnclear }
        }
        let step = max(1, (moments.count + Self.capacity - 1) / Self.capacity)
        for index in stride(from: 0, to: moments.count, by: step) {
            finder.add(force: moments[index].force, field: moments[index].field)
        }
        return try finder.result(inclination: inclination)
    }
}
