import Foundation
import TestSupport

/// A Swift file as the rules see it.
struct SwiftSource: Sendable {
    /// Path from the root of the checkout.
    let path: String
    /// The module that holds it: the folder below Sources.
    let module: String
    /// The text as it is.
    let text: String
    /// The text with comments and the insides of string literals blanked; line breaks kept.
    let code: String
    /// Identifiers and keywords of the code.
    let words: Set<String>

    init(path: String, module: String, text: String) {
        self.path = path
        self.module = module
        self.text = text
        code = String(decoding: Self.blankingCommentsAndStrings(Array(text.utf8)), as: UTF8.self)
        let isPartOfWord: (UInt8) -> Bool = { byte in
            byte == UInt8(ascii: "_") || (48...57).contains(byte) || (65...90).contains(byte)
                || (97...122).contains(byte)
        }
        words = Set(code.utf8.split { !isPartOfWord($0) }.map { String(decoding: $0, as: UTF8.self) })
    }

    /// All Swift files below Sources, read once.
    static let all: [SwiftSource] = {
        let files = FileManager.default.enumerator(at: Repository.file("Sources"), includingPropertiesForKeys: nil)
        var result: [SwiftSource] = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift", let text = try? String(contentsOf: file, encoding: .utf8) else {
                continue
            }
            let relative = String(file.path.dropFirst(Repository.root.path.count + 1))
            result.append(SwiftSource(path: relative, module: String(relative.split(separator: "/")[1]), text: text))
        }
        return result
    }()

    /// What an `import` line brings in.
    struct Import: Hashable {
        /// The imported module.
        let module: String
        /// Declaration kind of a scoped import such as `import func Glibc.sin`, nil for a whole module.
        let scope: String?
        /// True if the import is passed on to the module's clients in any way.
        let isPublic: Bool
    }

    /// The `import` lines.
    var imports: [Import] {
        code.split(separator: "\n").compactMap { line in
            var words = line.split(separator: " ").map(String.init)
            guard let position = words.firstIndex(of: "import"), position + 1 < words.count else { return nil }
            let modifiers = words[..<position]
            let levels = ["public", "internal", "package", "private", "fileprivate"]
            guard modifiers.allSatisfy({ $0.hasPrefix("@") || levels.contains($0) }) else { return nil }
            words.removeSubrange(...position)
            let kinds = ["func", "struct", "class", "enum", "protocol", "typealias", "let", "var"]
            let scope = kinds.contains(words[0]) ? words.removeFirst() : nil
            return Import(
                module: String(words[0].split(separator: ".")[0]), scope: scope,
                isPublic: !modifiers.filter { ["public", "package", "@_exported"].contains($0) }.isEmpty)
        }
    }

    private enum Place {
        case code
        case lineComment
        case blockComment(depth: Int)
        case string(end: [UInt8], escapes: Bool)
    }

    /// Replaces comments and the insides of string literals by blanks.
    static func blankingCommentsAndStrings(_ bytes: [UInt8]) -> [UInt8] {
        let (quote, pound, newline) = (UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "\n"))
        let (commentLine, commentStart, commentEnd) = (Array("//".utf8), Array("/*".utf8), Array("*/".utf8))
        var result = bytes
        var place = Place.code
        var index = 0
        func matches(_ word: [UInt8], at position: Int) -> Bool {
            guard position + word.count <= bytes.count else { return false }
            for offset in word.indices where bytes[position + offset] != word[offset] { return false }
            return true
        }
        func blank(_ count: Int) {
            let end = min(index + count, bytes.count)
            for position in index..<end where bytes[position] != newline { result[position] = UInt8(ascii: " ") }
            index = end
        }
        while index < bytes.count {
            switch place {
            case .code:
                if matches(commentLine, at: index) {
                    place = .lineComment
                } else if matches(commentStart, at: index) {
                    place = .blockComment(depth: 1)
                    blank(2)
                } else {
                    var pounds = 0
                    while matches([pound], at: index + pounds) { pounds += 1 }
                    if matches([quote], at: index + pounds) {
                        let quotes = matches([quote, quote, quote], at: index + pounds) ? 3 : 1
                        place = .string(
                            end: Array(repeating: quote, count: quotes) + Array(repeating: pound, count: pounds),
                            escapes: pounds == 0)
                        blank(pounds + quotes)
                    } else {
                        index += 1
                    }
                }
            case .lineComment:
                if bytes[index] == newline { place = .code }
                blank(1)
            case .blockComment(let depth):
                if matches(commentStart, at: index) {
                    place = .blockComment(depth: depth + 1)
                    blank(2)
                } else if matches(commentEnd, at: index) {
                    place = depth == 1 ? .code : .blockComment(depth: depth - 1)
                    blank(2)
                } else {
                    blank(1)
                }
            case .string(let end, let escapes):
                if matches(end, at: index) {
                    place = .code
                    blank(end.count)
                } else {
                    blank(escapes && bytes[index] == UInt8(ascii: "\\") ? 2 : 1)
                }
            }
        }
        return result
    }
}
