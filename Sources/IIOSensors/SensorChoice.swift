internal import LocateMeModel

/// Which sensors make the heading, and why the others do not.
struct SensorChoice: Sendable {
    /// All candidates, each with `selected` and `reason` filled in.
    private(set) var candidates: [SensorCandidate]

    /// The sensors that feed the heading.
    var selected: [SensorCandidate] { candidates.filter(\.description.selected) }

    /// The accelerometer that tells how the screen is held: that of the heading, else the best that is not in another part
    /// than the screen; nil if there is none.
    private(set) var orientation: SensorCandidate?

    /// Chooses among candidates.
    ///
    /// The magnetometer goes first: by place (lid before unknown before base), then by resolution. Accelerometer and
    /// gyroscope must sit in the same body: same device, same place, nearest bus relative. A hub's heading serves
    /// only where magnetometer and accelerometer are not both there.
    /// - Parameters:
    ///   - running: sensor ids in use, which are not left for an equal.
    ///   - failed: what is wrong with sensors that have failed for long, by id; any other of their kind goes before them.
    init(_ candidates: [SensorCandidate], running: Set<String> = [], failed: [String: String] = [:]) {
        self.candidates = candidates
        let rank = Ranking(running: running, failed: Set(failed.keys))
        let magnetometer = best(.magnetometer, rank, beside: nil)
        let accelerometer = best(.accelerometer, rank, beside: magnetometer)
        let gyroscope = best(.gyroscope, rank, beside: accelerometer ?? magnetometer)
        let hub = best(.hubHeading, rank, beside: nil)
        if let magnetometer, let accelerometer {
            select(magnetometer, rank, beside: nil)
            select(accelerometer, rank, beside: magnetometer)
            if let gyroscope { select(gyroscope, rank, beside: accelerometer) }
            refuse(.hubHeading, "the heading is made from magnetometer and accelerometer, which tells its accuracy")
        } else if let hub {
            select(hub, rank, beside: nil)
            refuse(.magnetometer, "there is no accelerometer to level it; the hub's own heading is used")
            refuse(.accelerometer, "there is no magnetometer to go with it; the hub's own heading is used")
            refuse(.gyroscope, "the hub's own heading is used")
        } else if let magnetometer {
            select(magnetometer, rank, beside: nil)
            if let gyroscope { select(gyroscope, rank, beside: magnetometer) }
        } else {
            refuse(.accelerometer, "there is no magnetometer to go with it")
            refuse(.gyroscope, "there is no magnetometer to go with it")
        }
        for index in self.candidates.indices where self.candidates[index].description.reason.isEmpty {
            self.candidates[index].description.reason = self.candidates[index].refusal ?? "not needed"
        }
        for index in self.candidates.indices {
            let description = self.candidates[index].description
            guard !description.selected, self.candidates[index].refusal == nil, let trouble = failed[description.id]
            else { continue }
            self.candidates[index].description.reason = "it has failed (\(trouble)); \(description.reason)"
        }
        let ofHeading = self.candidates.first { $0.description.kind == .accelerometer && $0.description.selected }
        orientation = [ofHeading, best(.accelerometer, rank, beside: nil).map { self.candidates[$0] }].lazy
            .compactMap { $0 }.first { !rank.isApartFromScreen($0) }
    }

    // MARK: - Private

    private func best(_ kind: SensorKind, _ rank: Ranking, beside anchor: Int?) -> Int? {
        let usable = candidates.indices.filter {
            candidates[$0].description.kind == kind && candidates[$0].refusal == nil
        }
        return usable.min { left, right in
            rank.precedes(candidates[left], candidates[right], beside: anchor.map { candidates[$0] }) != nil
        }
    }

    private mutating func select(_ winner: Int, _ rank: Ranking, beside anchor: Int?) {
        let kind = candidates[winner].description.kind
        let partner = anchor.map { candidates[$0] }
        let chosen = candidates[winner]
        var rivals = 0
        for index in candidates.indices where index != winner && candidates[index].description.kind == kind {
            if let refusal = candidates[index].refusal {
                candidates[index].description.reason = refusal
                continue
            }
            rivals += 1
            let why = rank.precedes(chosen, candidates[index], beside: partner) ?? "it comes first"
            candidates[index].description.reason = "\(chosen.description.id) is used: \(why)"
        }
        candidates[winner].description.selected = true
        candidates[winner].description.reason =
            rivals == 0 ? "the only usable \(kind.rawValue)" : "the best of \(rivals + 1) usable \(kind.rawValue)s"
    }

    private mutating func refuse(_ kind: SensorKind, _ reason: String) {
        for index in candidates.indices where candidates[index].description.kind == kind {
            candidates[index].description.reason = candidates[index].refusal ?? reason
        }
    }
}
