/// The text of `/etc/geolocation`, the file that GeoClue's static source reads (geoclue(5), since GeoClue 2.7).
///
/// Four decimal numbers, one a line, in this order: latitude and longitude in degrees, altitude in metres above mean sea
/// level, radius of accuracy in metres. `#` begins a comment; blank lines and white space at either end do not count.
struct StaticPlaceFile: Hashable, Sendable {
    /// Why a text is no place, in words that name the line.
    struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        let description: String
    }

    /// Bytes; a longer file is something else.
    static let maximumSize = 65_536

    /// Degrees north.
    let latitude: Double
    /// Degrees east.
    let longitude: Double
    /// Metres above mean sea level.
    let altitude: Double
    /// Metres, > 0.
    let accuracy: Double

    private static let fields: [(name: String, range: ClosedRange<Double>)] = [
        ("latitude", -90...90), ("longitude", -180...180), ("altitude", -12_000...100_000),
        ("accuracy", 0...20_000_000),
    ]

    /// Reads the text.
    init(parsing text: String) throws(Failure) {
        var values: [Double] = []
        var number = 0
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            let content = line.prefix { $0 != "#" }.trimmingSpaces
            guard !content.isEmpty else { continue }
            guard values.count < Self.fields.count else {
                throw Failure(description: "line \(number): unexpected '\(content.prefix(40))' after the accuracy")
            }
            let field = Self.fields[values.count]
            guard let value = Self.decimal(content) else {
                throw Failure(description: "line \(number): \(field.name) is not a number: '\(content.prefix(40))'")
            }
            guard field.range.contains(value) else {
                throw Failure(
                    description: "line \(number): \(field.name) \(value) is not between "
                        + "\(field.range.lowerBound) and \(field.range.upperBound)")
            }
            values.append(value)
        }
        guard values.count == Self.fields.count else {
            throw Failure(description: "the \(Self.fields[values.count].name) is missing")
        }
        guard values[3] > 0 else { throw Failure(description: "the accuracy must be above 0 metres") }
        (latitude, longitude, altitude, accuracy) = (values[0], values[1], values[2], values[3])
    }

    /// A decimal number, without the other spellings that Swift knows (hexadecimal, "nan", "infinity").
    private static func decimal(_ text: Substring) -> Double? {
        guard text.utf8.allSatisfy({ (48...57).contains($0) || "+-.eE".utf8.contains($0) }) else { return nil }
        return Double(text)
    }
}

extension Substring {
    /// Without white space at either end.
    fileprivate var trimmingSpaces: Substring {
        var rest = self
        while let first = rest.first, first.isWhitespace { rest.removeFirst() }
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return rest
    }
}
