internal import Geometry
internal import LocateMeModel

/// The order among usable sensors of one kind.
struct Ranking: Sendable {
    /// Sensor ids in use.
    var running: Set<String>
    /// Ids of sensors that have failed for long.
    var failed: Set<String> = []

    /// Why `left` goes before `right`, nil if it does not.
    ///
    /// - Parameter anchor: the sensor whose body both should share.
    func precedes(_ left: SensorCandidate, _ right: SensorCandidate, beside anchor: SensorCandidate?) -> String? {
        let criteria: [(Double, Double, String)] = [
            (broken(left), broken(right), "it has not failed"),
            (wanted(left), wanted(right), "the configuration prefers it"),
            (
                nearness(left, anchor), nearness(right, anchor),
                "it sits nearer to \(anchor?.description.id ?? "the screen")"
            ),
            (place(left), place(right), "it sits nearer to the screen"),
            (
                kinship(left, anchor), kinship(right, anchor),
                "it shares more of the bus with \(anchor?.description.id ?? "")"
            ),
            (inUse(left), inUse(right), "it is in use already"),
            (
                resolution(left), resolution(right),
                left.description.kind == .hubHeading ? "it is a heading, not an attitude" : "it resolves finer steps"
            ),
            (order(left), order(right), "it has the lower number"),
        ]
        for (first, second, reason) in criteria where first != second { return first < second ? reason : nil }
        return left.description.id < right.description.id ? "it comes first" : nil
    }

    /// True for a sensor in the base, a keyboard or a camera, which do not turn with the screen.
    func isApartFromScreen(_ sensor: SensorCandidate) -> Bool { place(sensor) == 2 }

    // Smaller is better in all of the following.

    private func broken(_ sensor: SensorCandidate) -> Double { failed.contains(sensor.description.id) ? 1 : 0 }

    private func wanted(_ sensor: SensorCandidate) -> Double {
        sensor.isPreferred ? 0 : 1
    }

    private func inUse(_ sensor: SensorCandidate) -> Double { running.contains(sensor.description.id) ? 0 : 1 }

    private func order(_ sensor: SensorCandidate) -> Double {
        Double(sensor.deviceID.split(separator: "device").last.flatMap { Int($0) } ?? 0)
    }

    private func resolution(_ sensor: SensorCandidate) -> Double {
        // A heading goes before an attitude from which one must be worked out.
        if sensor.description.kind == .hubHeading { return sensor.channels == SensorType.attitude.axes ? 1 : 0 }
        guard sensor.description.kind == .magnetometer else { return 0 }
        let scale = sensor.description.scale
        return max(abs(scale.x), abs(scale.y), abs(scale.z))
    }

    /// 0 in the lid or display, 1 unknown, 2 in the base, a keyboard or a camera. `label` and `location` as
    /// Documentation/ABI/testing/sysfs-bus-iio and the cros-ec drivers have them.
    private func place(_ sensor: SensorCandidate) -> Double {
        let words = (sensor.description.label + " " + sensor.description.location).lowercased()
        if words.contains("display") || words.contains("lid") || words.contains("screen") { return 0 }
        if words.contains("base") || words.contains("keyboard") || words.contains("camera") { return 2 }
        return 1
    }

    /// 0 in the same device, more in the same context, most elsewhere; places that contradict each other (lid and
    /// base) count as far.
    private func nearness(_ sensor: SensorCandidate, _ anchor: SensorCandidate?) -> Double {
        guard let anchor else { return 0 }
        if sensor.uri != anchor.uri { return 3 }
        if sensor.deviceID == anchor.deviceID { return 0 }
        return abs(place(sensor) - place(anchor)) > 1 ? 2 : 1
    }

    /// Less, the more of the sysfs path is shared: two HID devices of one hub are nearer than two hubs.
    private func kinship(_ sensor: SensorCandidate, _ anchor: SensorCandidate?) -> Double {
        guard let anchor else { return 0 }
        let path = sensor.description.path.split(separator: "/")
        let other = anchor.description.path.split(separator: "/")
        return -Double(zip(path, other).prefix { $0 == $1 }.count)
    }
}
