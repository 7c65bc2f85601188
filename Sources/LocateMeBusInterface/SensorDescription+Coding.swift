internal import Geometry
public import LocateMeModel
public import MessageBus

extension SensorDescription {
    /// One row of `Compass1.ListSensors`.
    public var dictionary: [String: BusValue] {
        let matrix = mountMatrix
        return [
            "Id": .string(id), "Kind": .string(kind.rawValue), "Name": .string(name), "Driver": .string(driver),
            "Path": .string(path), "Label": .string(label), "Location": .string(location),
            "MountMatrix": .doubles((0..<9).map { matrix[$0 / 3, $0 % 3] }), "MatrixSource": .string(matrixSource),
            "Rates": .doubles(ratesHertz), "Buffered": .bool(buffered), "Triggers": .strings(triggers),
            "Scale": .doubles([scale.x, scale.y, scale.z]), "Selected": .bool(selected), "Reason": .string(reason),
        ]
    }

    /// From a row of `Compass1.ListSensors`; nil if it has no id or a kind that this version does not know.
    public init?(_ entries: [String: BusValue]) {
        guard let id = entries["Id"]?.stringValue, let kind = entries["Kind"]?.stringValue.flatMap(SensorKind.init)
        else { return nil }
        self.init(id: id, kind: kind, name: entries["Name"]?.stringValue ?? "")
        driver = entries["Driver"]?.stringValue ?? ""
        path = entries["Path"]?.stringValue ?? ""
        label = entries["Label"]?.stringValue ?? ""
        location = entries["Location"]?.stringValue ?? ""
        if let matrix = entries["MountMatrix"]?.doublesValue.flatMap(Matrix3.init(rowMajor:)) { mountMatrix = matrix }
        matrixSource = entries["MatrixSource"]?.stringValue ?? "identity"
        ratesHertz = entries["Rates"]?.doublesValue ?? []
        buffered = entries["Buffered"]?.boolValue ?? false
        triggers = entries["Triggers"]?.stringsValue ?? []
        if let numbers = entries["Scale"]?.doublesValue, numbers.count == 3 {
            scale = Vector3(numbers[0], numbers[1], numbers[2])
        }
        selected = entries["Selected"]?.boolValue ?? false
        reason = entries["Reason"]?.stringValue ?? ""
    }
}
