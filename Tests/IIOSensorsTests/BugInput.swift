import Foundation
import TestSupport
import Testing

/// A case of Tests/Fixtures/bug-inputs/sensor: an input that broke somebody's service, and what a right one does.
struct BugInput {
    private let object: [String: Any]

    init(_ id: String) throws {
        let file = Repository.file("Tests/Fixtures/bug-inputs/sensor/\(id).json")
        object = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    }

    /// What stands at a path of keys, such as `input`, `raw_reads`.
    func value<T>(_ path: String...) throws -> T {
        var value: Any? = object
        for key in path { value = (value as? [String: Any])?[key] }
        return try #require(value as? T, "\(path.joined(separator: "."))")
    }

    /// A list of numbers.
    func numbers(_ path: String...) throws -> [Double] {
        var value: Any? = object
        for key in path { value = (value as? [String: Any])?[key] }
        return try #require(value as? [NSNumber], "\(path.joined(separator: "."))").map(\.doubleValue)
    }
}
