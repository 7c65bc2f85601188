import Foundation
import TestSupport
import Testing

@Suite("docs/configuration.md")
struct ConfigurationPageTests {
    /// The configuration file that the page shows.
    private func example() throws -> String {
        let page = try String(contentsOf: Repository.file("docs/configuration.md"), encoding: .utf8)
        return try #require(page.firstMatch(of: /```ini\n(\[daemon\][^`]*)```/).map { String($0.1) })
    }

    @Test("The daemon takes the configuration that the page shows without a word")
    func accepted() throws {
        let folder = try TemporaryFolder()
        try folder.write(try example(), to: "locateme.conf")
        let check = try Command.run(
            BuiltProducts.executable("locatemed"), ["--check-config", "--config", folder.path + "/locateme.conf"])
        #expect(check.status == 0, "\(check.errors)")
        #expect(check.errors == "")
    }

    @Test("A key that the page does not show is named with its line, and a wrong value refused")
    func refused() throws {
        let folder = try TemporaryFolder()
        try folder.write("[daemon]\nlog-levle = debug\n", to: "unknown.conf")
        let unknown = try Command.run(
            BuiltProducts.executable("locatemed"), ["--check-config", "--config", folder.path + "/unknown.conf"])
        #expect(unknown.status == 0)
        #expect(unknown.errors.contains("unknown.conf:2"))
        #expect(unknown.errors.contains("log-levle"))

        try folder.write(
            try example().replacingOccurrences(of: "log-level = info", with: "log-level = loud"), to: "wrong.conf")
        let wrong = try Command.run(
            BuiltProducts.executable("locatemed"), ["--check-config", "--config", folder.path + "/wrong.conf"])
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("log-level"))
    }

    @Test("The manual page has every option that --help shows")
    func manual() throws {
        let help = try Command.run(BuiltProducts.executable("locatemed"), ["--help"]).output
        let options = Set(help.matches(of: /--[a-z][a-z-]+/).map { String($0.0) })
        #expect(options.count > 20)
        let page = try String(contentsOf: Repository.file("man/locatemed.8"), encoding: .utf8)
            .replacingOccurrences(of: "\\-", with: "-")
        #expect(options.filter { !page.contains($0) }.sorted() == [])
    }
}
