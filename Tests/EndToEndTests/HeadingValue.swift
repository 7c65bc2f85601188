import Foundation
import Testing

/// A `Heading` as an outside client has decoded it.
struct HeadingValue: Equatable {
    let bootMicroseconds: Int64
    let magnetic: Double
    let trueHeading: Double
    let accuracy: Double
    let orientation: Int
    let extras: [String: String]

    init(_ value: Any?) throws {
        let fields = try #require(value as? [Any])
        try #require(fields.count == 11)
        bootMicroseconds = try #require(fields[1] as? NSNumber).int64Value
        magnetic = try #require(fields[2] as? NSNumber).doubleValue
        trueHeading = try #require(fields[3] as? NSNumber).doubleValue
        accuracy = try #require(fields[4] as? NSNumber).doubleValue
        orientation = try #require(fields[8] as? NSNumber).intValue
        extras = try #require(fields[10] as? [String: Any]).mapValues { "\($0)" }
    }
}

/// A `Fix` as an outside client has decoded it.
struct FixValue: Equatable {
    let sequence: Int64
    let realMicroseconds: Int64
    let latitude: Double
    let longitude: Double
    let horizontalAccuracy: Double
    let flags: Int

    init(_ value: Any?) throws {
        let fields = try #require(value as? [Any])
        try #require(fields.count == 15)
        sequence = try #require(fields[0] as? NSNumber).int64Value
        realMicroseconds = try #require(fields[1] as? NSNumber).int64Value
        latitude = try #require(fields[3] as? NSNumber).doubleValue
        longitude = try #require(fields[4] as? NSNumber).doubleValue
        horizontalAccuracy = try #require(fields[5] as? NSNumber).doubleValue
        flags = try #require(fields[13] as? NSNumber).intValue
    }
}

/// The shortest distance of two directions in degrees.
func apart(_ one: Double, _ other: Double) -> Double {
    abs((one - other + 540).truncatingRemainder(dividingBy: 360) - 180)
}
