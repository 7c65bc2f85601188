import Foundation
import FoundationXML
import TestSupport
import Testing

@Suite("The checkout as a whole")
struct CheckoutTests {
    /// Files that belong to the product: what git tracks, or all but build folders where there is no git.
    static func files() throws -> [String] {
        if let git = Requirement.path(of: "git"), FileManager.default.fileExists(atPath: Repository.file(".git").path) {
            // The checkout may belong to another user than the one who tests it.
            let listed = try Command.run(
                git,
                [
                    "-c", "safe.directory=*", "-C", Repository.root.path, "ls-files", "-z", "--cached", "--others",
                    "--exclude-standard",
                ])
            if listed.status == 0 { return listed.output.split(separator: "\0").map(String.init) }
        }
        let all = FileManager.default.enumerator(atPath: Repository.root.path)
        var result: [String] = []
        while let path = all?.nextObject() as? String {
            if path.hasPrefix(".build") || path.hasPrefix(".git/") || path == ".git" { continue }
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: Repository.file(path).path, isDirectory: &isFolder)
            if !isFolder.boolValue { result.append(path) }
        }
        return result
    }

    @Test("No file names a folder of some developer's machine")
    func noMachinePaths() throws {
        // Put together here, so that this file does not contain them.
        let words = ["/wo" + "rk/", "/tmp/" + "bash", "/ro" + "ot/", "/home" + "/", "/Use" + "rs/"]
        let files = try Self.files()
        try #require(files.contains("Package.swift"))
        for path in files {
            guard let text = try? String(contentsOf: Repository.file(path), encoding: .utf8) else { continue }
            for word in words { #expect(!text.contains(word), "\(path) contains '\(word)'") }
        }
    }

    @Test("XML files are well-formed")
    func xml() throws {
        let files = try Self.files().filter { $0.hasSuffix(".xml") || $0.hasPrefix("dbus/") && $0.hasSuffix(".conf") }
        try #require(files.contains("dbus/org.locateme.conf"))
        for path in files {
            let parser = XMLParser(data: try Data(contentsOf: Repository.file(path)))
            let wellFormed = parser.parse()
            #expect(wellFormed, "\(path): \(String(describing: parser.parserError))")
        }
    }

    @Test("JSON files parse")
    func json() throws {
        for path in try Self.files() where path.hasSuffix(".json") || path == ".swift-format" {
            let data = try Data(contentsOf: Repository.file(path))
            #expect(throws: Never.self, "\(path)") { try JSONSerialization.jsonObject(with: data) }
        }
    }

    @Test("Links between pages of the documentation lead somewhere")
    func links() throws {
        let pages = try Self.files().filter { $0.hasSuffix(".md") }
        try #require(pages.contains("README.md"))
        for page in pages {
            let text = try String(contentsOf: Repository.file(page), encoding: .utf8)
            for match in text.matches(of: /\]\(([^)#\s]+)[^)]*\)/) where !match.1.contains("://") {
                let target = Repository.file(page).deletingLastPathComponent().appendingPathComponent(String(match.1))
                #expect(FileManager.default.fileExists(atPath: target.path), "\(page) links to \(match.1)")
            }
        }
    }

    @Test("Every folder of data that came from elsewhere says from where and under which terms")
    func attribution() throws {
        let folders = Set(
            try Self.files().filter { $0.hasPrefix("data/") }.map {
                $0.split(separator: "/").dropLast().joined(separator: "/")
            })
        try #require(!folders.isEmpty)
        let notices = try String(contentsOf: Repository.file("THIRD-PARTY.md"), encoding: .utf8)
        for folder in folders {
            let parts = folder.split(separator: "/")
            let named = (2...max(2, parts.count)).contains {
                notices.contains("`" + parts.prefix($0).joined(separator: "/") + "/`")
            }
            #expect(named, "THIRD-PARTY.md does not name \(folder)/")
        }
    }

    @Test(
        "Notices name the licence of every C library that is linked",
        arguments: [
            "libdbus", "libiio", "libgps", "SQLite", "zlib", "GeographicLib",
        ])
    func licences(library: String) throws {
        let notices = try String(contentsOf: Repository.file("THIRD-PARTY.md"), encoding: .utf8)
        #expect(notices.contains(library))
    }
}
