internal import Geometry
internal import HeadingEstimation
internal import LocateMeModel

/// One line of `headingctl estimate`.
enum EstimateRow {
    /// Names of the columns, as the first line of the CSV and as members of the JSON objects.
    static let columns = [
        "t_us", "magnetic", "true", "accuracy", "calibration", "disturbed", "field_ut", "inclination", "turn_rate",
        "source",
        "qw", "qx", "qy", "qz",
    ]

    /// Appends the values as CSV with a line end: degrees with 3 decimals, µT with 3, °/s with 3, the quaternion with
    /// 7. Unknown values are empty, invalid headings and accuracies −1.
    static func appendCSV(_ result: RecordingEstimation.Result, to bytes: inout [UInt8]) {
        let estimate = result.estimate
        let attitude = estimate.attitude
        func comma() { bytes.append(UInt8(ascii: ",")) }
        func number(_ value: Double, _ decimals: Int) {
            if value.isFinite { DecimalText.append(value, decimals: decimals, to: &bytes) }
            comma()
        }
        func heading(_ value: Double) {
            value < 0 ? bytes.append(contentsOf: "-1".utf8) : appendHeading(value, to: &bytes)
            comma()
        }
        DecimalText.append(estimate.bootMicroseconds, to: &bytes)
        comma()
        heading(result.magnetic)
        if let trueHeading = result.trueHeading { heading(trueHeading) } else { comma() }
        if result.magnetic < 0 {
            bytes.append(contentsOf: "-1,".utf8)
        } else {
            number(estimate.accuracyDegrees, 3)
        }
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: estimate.calibration.rawValue))
        comma()
        bytes.append(UInt8(ascii: estimate.isDisturbed ? "1" : "0"))
        comma()
        number(estimate.fieldStrength, 3)
        number(estimate.inclination, 3)
        number(estimate.turnRate, 3)
        bytes.append(contentsOf: estimate.source.rawValue.utf8)
        comma()
        number(attitude.w, 7)
        number(attitude.x, 7)
        number(attitude.y, 7)
        DecimalText.append(attitude.z, decimals: 7, to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// The same values as a JSON object.
    static func json(_ result: RecordingEstimation.Result) -> JSONValue {
        let estimate = result.estimate
        let attitude = estimate.attitude
        let isValid = result.magnetic >= 0
        let values: [JSONValue] = [
            .integer(estimate.bootMicroseconds), heading(result.magnetic), result.trueHeading.map(heading) ?? .null,
            .number(isValid ? estimate.accuracyDegrees : -1, decimals: 3),
            .integer(Int64(estimate.calibration.rawValue)), .bool(estimate.isDisturbed),
            .number(estimate.fieldStrength, decimals: 3), .number(estimate.inclination, decimals: 3),
            .number(estimate.turnRate, decimals: 3), .string(estimate.source.rawValue),
            .number(attitude.w, decimals: 7), .number(attitude.x, decimals: 7), .number(attitude.y, decimals: 7),
            .number(attitude.z, decimals: 7),
        ]
        return .object(Array(zip(columns, values)))
    }

    /// Rounding must not make 360.000 of 359.9996.
    private static func appendHeading(_ value: Double, to bytes: inout [UInt8]) {
        DecimalText.append(value >= 359.9995 ? 0 : value, decimals: 3, to: &bytes)
    }

    private static func heading(_ value: Double) -> JSONValue { .number(value >= 359.9995 ? 0 : value, decimals: 3) }
}
