import Foundation
import TestSupport
import Testing

@Suite("Linked libraries", .needs(.program("readelf")))
struct LinkageTests {
    /// Shared libraries that a program names.
    private func needed(_ program: String) throws -> [String] {
        let readelf = try #require(Requirement.path(of: "readelf"))
        let listing = try Command.run(readelf, ["-d", BuiltProducts.executable(program)])
        try #require(listing.status == 0, "\(listing.errors)")
        return listing.output.matches(of: /\(NEEDED\).*\[(.*)\]/).map { String($0.1) }
    }

    @Test("The programs link neither Foundation nor Dispatch", arguments: ["locatemed", "headingctl"])
    func foundation(program: String) throws {
        let libraries = try needed(program)
        #expect(libraries.contains("libc.so.6"))
        for library in libraries {
            let isStranger = library.contains("Foundation") || library.contains("dispatch")
            #expect(!isStranger, "\(program) needs \(library)")
        }
    }

    @Test("The check of installed programs refuses one that needs the toolchain's runtime")
    func dynamicRuntime() throws {
        // The programs of the test run are linked dynamically.
        let check = try Staging.run("scripts/check-linkage", [BuiltProducts.executable("locatemed")])
        #expect(check.status == 1)
        #expect(check.errors.contains("libswift"))
    }
}
