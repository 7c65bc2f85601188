import Foundation
import TestSupport

/// The table of docs/architecture.md: which module may import what.
struct ImportTable {
    /// One row.
    struct Row {
        /// Modules that may be imported whole or in part.
        var modules: Set<String> = []
        /// Modules of which single declarations may be imported.
        var scoped: Set<String> = []
    }

    /// Rows by module.
    let rows: [String: Row]
    /// The text of the page.
    let page: String

    /// Reads the page. Throws if it is not there.
    init() throws {
        page = try String(contentsOf: Repository.file("docs/architecture.md"), encoding: .utf8)
        var rows: [String: Row] = [:]
        for line in page.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3 else { continue }
            var row = Row()
            for entry in cells[2].split(separator: ",") {
                let name =
                    entry.split(separator: "`", omittingEmptySubsequences: false).dropFirst().first.map(String.init)
                    ?? ""
                if entry.contains("functions of") { row.scoped.insert(name) } else { row.modules.insert(name) }
            }
            rows[cells[0].trimmingCharacters(in: ["`"])] = row
        }
        self.rows = rows
    }
}
