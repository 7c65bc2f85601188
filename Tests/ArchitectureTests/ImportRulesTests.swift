import Foundation
import TestSupport
import Testing

@Suite("Import rules")
struct ImportRulesTests {
    /// The modules of the package that hold Swift code, by their folders.
    static func modules() throws -> Set<String> { Set(SwiftSource.all.map(\.module)) }

    @Test("Each module imports only what docs/architecture.md allows")
    func table() throws {
        let table = try ImportTable()
        for source in SwiftSource.all {
            let row = try #require(table.rows[source.module], "no row for \(source.module)")
            for line in source.imports where line.module != "Swift" {
                let allowed =
                    row.modules.contains(line.module) || (line.scope != nil && row.scoped.contains(line.module))
                #expect(allowed, "\(source.path) imports \(line.module), which \(source.module) may not")
            }
        }
    }

    @Test("The table names every module, none that does not exist, and no import of a stranger")
    func completeTable() throws {
        let table = try ImportTable()
        let modules = try Self.modules()
        #expect(Set(table.rows.keys) == modules)
        let folders = try FileManager.default.contentsOfDirectory(atPath: Repository.file("Sources").path)
        let known = Set(folders).union(["Glibc", "Synchronization"])
        for (module, row) in table.rows {
            #expect(row.modules.union(row.scoped).subtracting(known) == [], "row of \(module)")
        }
    }

    @Test("Every folder of the checkout that holds the product is on the map")
    func map() throws {
        let page = try ImportTable().page
        let sources = try FileManager.default.contentsOfDirectory(atPath: Repository.file("Sources").path)
        for folder in sources { #expect(page.contains("`\(folder)`"), "docs/architecture.md lacks \(folder)") }
        for folder in try FileManager.default.contentsOfDirectory(atPath: Repository.root.path)
        where !folder.hasPrefix(".") {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: Repository.file(folder).path, isDirectory: &isFolder)
            guard isFolder.boolValue, folder != "docs" else { continue }
            #expect(page.contains("`\(folder)/`") || folder == "Sources", "docs/architecture.md lacks \(folder)/")
        }
    }

    @Test(
        "Nothing below Sources imports Foundation, Dispatch or a test library",
        arguments: ["Foundation", "FoundationEssentials", "FoundationXML", "Dispatch", "Testing", "XCTest"])
    func forbidden(module: String) throws {
        for source in SwiftSource.all {
            let imported = source.imports.contains { $0.module == module }
            #expect(!imported, "\(source.path) imports \(module)")
        }
    }

    @Test(
        "A C library has one importer, which keeps it to itself",
        arguments: ["CLibDBus", "CLibIIO", "CLibGPS", "CLibXML", "CSQLite", "CZlib", "CGeodesy"])
    func oneImporter(library: String) throws {
        var importers: Set<String> = []
        for source in SwiftSource.all {
            for line in source.imports where line.module == library {
                importers.insert(source.module)
                #expect(!line.isPublic, "\(source.path) passes \(library) on to its clients")
            }
        }
        #expect(importers.count == 1, "\(library) is imported by \(importers)")
    }

    @Test("Nothing is re-exported from the system's libraries")
    func noPublicSystemImport() throws {
        for source in SwiftSource.all {
            for line in source.imports where line.module == "CLinux" || line.module == "Glibc" {
                #expect(!line.isPublic, "\(source.path) passes \(line.module) on to its clients")
            }
        }
    }

    @Test("Comments and strings are no code, and imports are read with their scope")
    func reader() {
        let text = """
            internal import CLibIIO
            public import A
            import func Glibc.sin
            // import Commented
            let a = "class \\" // x" // class
            /* class /* async */ class */ let import_ = 1
            let b = #"actor "quoted" actor"#
            """
        let source = SwiftSource(path: "", module: "", text: text)
        #expect(
            source.imports == [
                .init(module: "CLibIIO", scope: nil, isPublic: false), .init(module: "A", scope: nil, isPublic: true),
                .init(module: "Glibc", scope: "func", isPublic: false),
            ])
        #expect(source.words.isSuperset(of: ["import", "let", "a", "b", "import_", "1"]))
        #expect(source.words.isDisjoint(with: ["class", "async", "actor", "quoted", "Commented", "x"]))
    }
}
