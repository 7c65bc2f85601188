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
    /// File names of the raw values, in the same order.
    var rawFiles: [String]
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
    /// The configuration wants it before others of its kind.
    var isPreferred = false
    /// What table, udev and configuration know of the device.
    var quirks: DeviceQuirks
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
            // Only vector parts such as accel_linear, or a mount matrix without a value, make no sensor of this type.
            let hasOne = ofType.contains { channel in
                channel.id == type.name
                    && (channel.isScanElement
                        || ["raw", "input"].contains { device.attributeNames.contains("in_\(type.name)_\($0)") })
            }
            guard !axes.isEmpty || !outputs.isEmpty || hasOne else { return nil }
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
            device: device, type: type.name, sensor: candidate.description.id, overrides: overrides,
            quirks: candidate.quirks)
        candidate.applyScale(device, type, matrix: choice.matrix.matrix)
        candidate.description.mountMatrix = choice.matrix.matrix
        candidate.description.matrixSource = choice.source
        candidate.findings += choice.findings(type: type, sensor: candidate.description.id)
        candidate.findAccess(device, type)
        candidate.applyOverrides(device, type, overrides)
        return candidate
    }

    private static func hubHeading(_ device: DeviceDescription, _ overrides: SensorOverrides) -> SensorCandidate? {
        let axes = SensorType.hubHeading.axes + SensorType.attitude.axes
        // libiio 0.24 takes the file `in_rot_from_north_magnetic_tilt_comp_raw` for one of the channel
        // `rot_from_north_magnetic`.
        guard
            let axis = axes.first(where: {
                device.channel($0) != nil || device.attributeNames.contains("in_\($0)_raw")
            })
        else { return nil }
        let type = SensorType.attitude.axes.contains(axis) ? SensorType.attitude : SensorType.hubHeading
        var channel = axis
        let plain = "rot_from_north_magnetic"
        if device.channel(axis) == nil, axis.hasPrefix(plain), device.channel(plain) != nil,
            !device.attributeNames.contains("in_\(plain)_raw")
        {
            channel = plain
        }
        var candidate = SensorCandidate(device, type, channels: [channel])
        candidate.rawFiles = ["in_\(axis)_raw"]
        let scale = device.number(in: ["in_\(channel)_scale", "in_rot_scale"])
        let offset = device.number(in: ["in_\(channel)_offset", "in_rot_offset"]) ?? 0
        candidate.transform = SampleTransform(
            offset: Vector3(offset, 0, 0), scale: Vector3(scale ?? .nan, 0, 0), matrix: .identity)
        candidate.description.scale = Vector3(scale ?? 1, 0, 0)
        // An attitude is normalised, so that its scale does not matter.
        if type.axes != SensorType.attitude.axes, let scale, !(0.001...1).contains(scale) {
            candidate.findings.append(
                Finding(
                    code: "hub-heading-scale-absurd", severity: .info, sensor: candidate.description.id,
                    text:
                        "in_rot_scale says \(scale), which cannot be degrees per count; the unit is found from the values",
                    remedy: "nothing to do"))
        }
        candidate.findAccess(device, type)
        candidate.applyOverrides(device, type, overrides)
        return candidate
    }

    private init(_ device: DeviceDescription, _ type: SensorType, channels: [String]) {
        uri = device.uri
        deviceID = device.id
        quirks = DeviceQuirks(of: device)
        self.channels = channels
        rawFiles = channels.map { "in_\($0)_raw" }
        transform = SampleTransform(offset: .zero, scale: Vector3(1, 1, 1), matrix: .identity)
        let name = device.name.isEmpty ? device.id : device.name
        description = SensorDescription(id: "\(device.uri)/\(device.id)/\(type.name)", kind: type.kind, name: name)
        description.driver = device.driver
        description.path = device.path.isEmpty ? "\(device.uri)/\(device.id)" : device.path
        description.label = device.label
        description.location = device.location
    }

    /// What the configuration, udev and the table say of its use.
    private mutating func applyOverrides(_ device: DeviceDescription, _ type: SensorType, _ overrides: SensorOverrides)
    {
        findings += quirks.findings(type: type.name, sensor: description.id)
        isPreferred = overrides.prefers(device: device, type: type.name, sensor: description.id)
        if overrides.ignores(device: device, type: type.name, sensor: description.id) {
            refusal = "the configuration says to ignore it"
        } else if let reason = quirks.ignored {
            refusal = reason
        }
    }

    /// Scale and offset per axis, then shared, then the neutral value; unit and sign by type and quirk.
    private mutating func applyScale(_ device: DeviceDescription, _ type: SensorType, matrix: Matrix3) {
        var scale = Vector3(1, 1, 1)
        var offset = Vector3.zero
        var found = true
        for (axis, channel) in type.axes.enumerated() {
            let value =
                quirks.scale(type.name)
                ?? device.number(in: ["in_\(channel)_scale", "in_\(type.name)_scale", "in_scale", "scale"])
            found = found && value != nil
            scale[axis] = value.map { $0 * quirks.scaleFactor(type.name, $0) } ?? 1
            offset[axis] =
                device.number(in: ["in_\(channel)_offset", "in_\(type.name)_offset", "in_offset", "offset"]) ?? 0
        }
        refusal = scaleRefusal(device, type, scale: scale, found: found)
        var factor = type.unitsPerIIOUnit
        if type.kind == .accelerometer, quirks.accelerometerSign < 0 {
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
        canPoll = rawFiles.allSatisfy { device.attributeNames.contains($0) }
        if refusal == nil, !canBuffer, !canPoll { refusal = "it has neither a buffer nor raw values" }
        let names = ["in_\(type.name)_sampling_frequency", "sampling_frequency", "in_sampling_frequency"]
        rateAttribute = names.first { device.attributeNames.contains($0) }
        let lists = names.map { $0 + "_available" }.compactMap { device.attributes[$0] }
        rates = lists.lazy.compactMap { SamplingRates($0) }.first
        if rates == nil, rateAttribute != nil, let text = quirks.rates {
            rates = SamplingRates(text)
        }
        description.ratesHertz = rates?.hertz ?? []
        description.buffered = canBuffer
    }
}
