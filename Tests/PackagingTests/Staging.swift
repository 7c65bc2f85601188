import Foundation
import TestSupport

/// Runs the scripts of the checkout.
enum Staging {
    /// Runs one and waits.
    static func run(_ script: String, _ arguments: [String], environment: [String: String] = [:]) throws -> Command {
        try Command.run(Repository.file(script).path, arguments, environment: environment)
    }

    /// Installs the programs of this test run, as an image below a folder.
    static func install(into destination: String, prefix: String, options: [String] = []) throws -> Command {
        let binaries = URL(fileURLWithPath: BuiltProducts.executable("locatemed")).deletingLastPathComponent().path
        return try run(
            "scripts/install", ["--destdir", destination, "--prefix", prefix, "--binaries", binaries] + options)
    }
}

/// A folder of one test, gone with it.
final class TemporaryFolder {
    /// Where it is.
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("packaging-\(UUID().uuidString)").path
        // Tests that change user must get in.
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, with the folders above it.
    func write(_ text: String, to name: String) throws {
        let file = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// The text of a file.
    func text(of name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }

    /// Paths of all files below a folder in it, relative to that folder.
    func files(below name: String) throws -> [String] {
        let root = path + "/" + name
        let all = FileManager.default.enumerator(atPath: root)
        var result: [String] = []
        while let entry = all?.nextObject() as? String {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: root + "/" + entry, isDirectory: &isFolder)
            if !isFolder.boolValue { result.append(entry) }
        }
        return result.sorted()
    }
}
