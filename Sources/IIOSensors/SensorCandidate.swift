internal import EventLoop
internal import Geometry
internal import LocateMeModel

/// One sensor of one device as far as the device's description tells: what it measures, how counts become units,
/// and whether it can serve at all.
struct SensorCandidate: Sendable {
    /// What is shown to people; `selected` and `reason` are filled in by `SensorChoice`.
    var description: SensorDescription
    /// The URI of the device's context.
    var uri: String
    /// The device's id within its context.
    var deviceID: String
    /// Ids of the channels: x, y, z, or the one of a hub's heading.
    var channels: [String]
    /// Counts to unit; for a hub's heading offset and scale stand in x.
    var transform: SampleTransform
    /// Why it cannot be used at all, nil if it can.
    var refusal: String?
    /// All channels can be captured through the buffer.
    var canBuffer = false
    /// All channels can be read one by one.
    var canPoll = false
    /// File name of the attribute that sets the rate, nil if there is none.
    var rateAttribute: String?
    /// The rates offered, nil if none are listed.
    var rates: SamplingRates?
    /// What is worth telling if the sensor is used.
    var findings: [Finding] = []

    /// All sensors of a device, in the order magnetometer, accelerometer, gyroscope, hub heading.
    static func all(of device: DeviceDescription, overrides: SensorOverrides) -> [SensorCandidate] {
        guard !device.isTrigger else { return [] }
        return SensorType.threeAxis.compactMap { threeAxis(device, $0, overrides) }
            + [hubHeading(device, overrides)].compactMap { $0 }
    }

    // MARK: - Private

    private static func threeAxis(
        _ device: DeviceDescription, _ type: SensorType, _ overrides: SensorOverrides
    ) -> SensorCandidate? {
        let ofType = device.channels.filter { $0.id == type.name || $0.id.hasPrefix(type.name + "_") }
        let axes = type.axes.filter { device.channel($0) != nil }
        guard !ofType.isEmpty else { return nil }
        var candidate = SensorCandidate(device, type, channels: type.axes)
        if axes.count < 3 {
            let outputs = type.axes.filter { axis in device.channels.contains { $0.id == axis && $0.isOutput } }
            // Only vector parts such as accel_linear or a lone tilt-compensated value make no sensor of this type.
            guard !axes.isEmpty || !outputs.isEmpty || ofType.contains(where: { $0.id == type.name }) else {
                return nil
            }
            candidate.refusal =
                outputs.isEmpty
                ? "it has \(axes.isEmpty ? "one axis" : axes.joined(separator: ", ")) only; x, y and z are needed"
                : "its driver offers the axes as outputs, which is no measurement"
            if !outputs.isEmpty {
                candidate.findings.append(
                    Finding(
                        code: "output-direction-\(type.name)-ignored", severity: .warning,
                        sensor: candidate.description.id,
                        text: "\(device.name) offers \(type.name) channels as outputs; they are ignored",
                        remedy: "report the driver: a sensor's channels are inputs"))
            }
            return candidate
        }
        let choice = MatrixChoice(
            device: device, type: type.name, sensor: candidate.description.id, overrides: overrides)
        candidate.applyScale(device, type, matrix: choice.matrix.matrix)
        candidate.description.mountMatrix = choice.matrix.matrix
        candidate.description.matrixSource = choice.source
        candidate.findings += choice.findings(type: type, sensor: candidate.description.id)
        candidate.findAccess(device, type)
        if overrides.ignored.contains(candidate.description.id) || overrides.ignored.contains(device.name) {
            candidate.refusal = "the configuration says to ignore it"
        }
        return candidate
    }

    private static func hubHeading(_ device: DeviceDescription, _ overrides: SensorOverrides) -> SensorCandidate? {
        let type = SensorType.hubHeading
        guard let channel = type.axes.first(where: { device.channel($0) != nil }) else { return nil }
        var candidate = SensorCandidate(device, type, channels: [channel])
        let scale = device.number(in: ["in_\(channel)_scale", "in_rot_scale"])
        let offset = device.number(in: ["in_\(channel)_offset", "in_rot_offset"]) ?? 0
        candidate.transform = SampleTransform(
            offset: Vector3(offset, 0, 0), scale: Vector3(scale ?? .nan, 0, 0), matrix: .identity)
        candidate.description.scale = Vector3(scale ?? 1, 0, 0)
        if let scale, !(0.001...1).contains(scale) {
            candidate.findings.append(
                Finding(
                    code: "hub-heading-scale-absurd", severity: .info, sensor: candidate.description.id,
                    text:
                        "in_rot_scale says \(scale), which cannot be degrees per count; the unit is found from the values",
                    remedy: "nothing to do"))
        }
        candidate.findAccess(device, type)
        if overrides.ignored.contains(candidate.description.id) || overrides.ignored.contains(device.name) {
            candidate.refusal = "the configuration says to ignore it"
        }
        return candidate
    }

    private init(_ device: DeviceDescription, _ type: SensorType, channels: [String]) {
        uri = device.uri
        deviceID = device.id
        self.channels = channels
        transform = SampleTransform(offset: .zero, scale: Vector3(1, 1, 1), matrix: .identity)
        let name = device.name.isEmpty ? device.id : device.name
        description = SensorDescription(id: "\(device.uri)/\(device.id)/\(type.name)", kind: type.kind, name: name)
        description.driver = device.driver
        description.path = device.path.isEmpty ? "\(device.uri)/\(device.id)" : device.path
        description.label = device.label
        description.location = device.location
    }

    /// Scale and offset per axis, then shared, then the neutral value; unit and sign by type and quirk.
    private mutating func applyScale(_ device: DeviceDescription, _ type: SensorType, matrix: Matrix3) {
        var scale = Vector3(1, 1, 1)
        var offset = Vector3.zero
        var found = true
        for (axis, channel) in type.axes.enumerated() {
            let value = device.number(in: ["in_\(channel)_scale", "in_\(type.name)_scale", "in_scale", "scale"])
            found = found && value != nil
            scale[axis] = value ?? 1
            offset[axis] =
                device.number(in: ["in_\(channel)_offset", "in_\(type.name)_offset", "in_offset", "offset"]) ?? 0
        }
        let quirk = DriverQuirk.of(device.name)
        if type.kind == .magnetometer, let repair = quirk?.magneticScale {
            for axis in 0..<3 where scale[axis] < repair.belowGauss { scale[axis] *= repair.factor }
        }
        refusal = scaleRefusal(device, type, scale: scale, found: found)
        var factor = type.unitsPerIIOUnit
        if type.kind == .accelerometer, quirk?.accelerometerPointsDown == true {
            factor = -factor
            findings.append(
                Finding(
                    code: "accel-sign-down", severity: .info, sensor: description.id,
                    text: "\(device.name) reports the pull of gravity; its sign is turned", remedy: "nothing to do"))
        }
        transform = SampleTransform(offset: offset, scale: scale * factor, matrix: matrix)
        description.scale = scale * factor
    }

    private func scaleRefusal(
        _ device: DeviceDescription, _ type: SensorType, scale: Vector3, found: Bool
    ) -> String? {
        let attributes = type.axes.map { "in_\($0)_scale" } + ["in_\(type.name)_scale"]
        if let (name, code) = device.unreadable.first(where: { attributes.contains($0.key) }) {
            return "its \(name) cannot be read: \(Errno(rawValue: code))"
        }
        if scale.x == 0 || scale.y == 0 || scale.z == 0 { return "its scale is 0" }
        guard type.kind == .magnetometer else { return nil }
        guard found else { return "its scale is missing or no number, so its field has no unit" }
        let coarsest = max(abs(scale.x), abs(scale.y), abs(scale.z))
        guard coarsest > SensorType.coarsestGaussPerCount else { return nil }
        return "\(coarsest) G per count is too coarse for a compass (limit \(SensorType.coarsestGaussPerCount))"
    }

    /// How samples and rate are reached.
    private mutating func findAccess(_ device: DeviceDescription, _ type: SensorType) {
        canBuffer = channels.allSatisfy { device.channel($0)?.isScanElement == true }
        canPoll = channels.allSatisfy { device.attributeNames.contains("in_\($0)_raw") }
        if refusal == nil, !canBuffer, !canPoll { refusal = "it has neither a buffer nor raw values" }
        let names = ["in_\(type.name)_sampling_frequency", "sampling_frequency", "in_sampling_frequency"]
        rateAttribute = names.first { device.attributeNames.contains($0) }
        let lists = names.map { $0 + "_available" }.compactMap { device.attributes[$0] }
        rates = lists.lazy.compactMap { SamplingRates($0) }.first
        if rates == nil, rateAttribute != nil, let text = DriverQuirk.of(device.name)?.rates {
            rates = SamplingRates(text)
        }
        description.ratesHertz = rates?.hertz ?? []
        description.buffered = canBuffer
    }
}
