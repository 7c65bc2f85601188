import Foundation
import LocateMeModel
import TestSupport
import Testing

@testable import HeadingControl

@Suite("The table of commands")
struct CommandTableTests {
    static let names = CommandTable.specs.map(\.name)

    @Test("gives every command a help text with a usage line, options and examples", arguments: names)
    func help(name: String) throws {
        let result = try Run.headingctl([name, "--help"])
        #expect(result.status == .success)
        #expect(result.output.hasPrefix("headingctl \(name)"))
        for word in ["--json", "--bus BUS", "--help", "Examples:\n"] { #expect(result.output.contains(word)) }
        #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test("names every command in the program's help")
    func programHelp() throws {
        let help = try Run.headingctl(["--help"]).output
        for name in Self.names { #expect(help.contains("\n  \(name) ")) }
        #expect(try Run.headingctl(["help"]).output == help)
    }

    @Test("has examples that the parser accepts", arguments: names)
    func examples(name: String) throws {
        let spec = try #require(CommandTable.specs.first { $0.name == name })
        #expect(!spec.examples.isEmpty)
        for example in spec.examples {
            let words = Self.words(example.arguments)
            guard
                case .run(name, _) = try ArgumentParser(commands: CommandTable.specs, defaultCommand: nil).parse(words)
            else {
                Issue.record("'\(example.arguments)' does not run '\(name)'")
                continue
            }
        }
    }

    /// The words as a shell would make them, up to what belongs to the shell itself.
    private static func words(_ line: String) -> [String] {
        var words = [""]
        var isQuoted = false
        for character in line {
            if character == "\"" {
                isQuoted.toggle()
            } else if !isQuoted, ">|<;".contains(character) {
                break
            } else if !isQuoted, character == " " {
                words.append("")
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words.filter { !$0.isEmpty }
    }

    @Test("has no option twice and none that hides a common one", arguments: names)
    func uniqueOptions(name: String) throws {
        let spec = try #require(CommandTable.specs.first { $0.name == name })
        #expect(Set(spec.allOptions.map(\.name)).count == spec.allOptions.count)
        #expect(spec.operands.map(\.isRequired) == spec.operands.map(\.isRequired).sorted { $0 && !$1 })
    }

    @Test("prints its version")
    func version() throws {
        for word in ["version", "--version"] {
            #expect(try Run.headingctl([word]).output == "headingctl \(ProductVersion.text)\n")
        }
    }

    @Test("reports errors with the status and, if asked, as JSON")
    func errors() throws {
        let plain = try Run.headingctl(["no-such-command"])
        #expect(plain.status == .usage && plain.output.isEmpty)
        #expect(plain.errors.hasPrefix("headingctl: there is no command 'no-such-command'\n"))
        let json = try Run.headingctl(["no-such-command", "--json"])
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(json.errors.utf8)) as? [String: [String: Any]])
        #expect(object["error"]?["status"] as? Int == 2)
        let empty = try Run.headingctl([])
        #expect(empty.status == .usage)
    }

    @Test(
        "survives arguments of all kinds",
        arguments: ["\u{0}", "-", "--", "---", "-=", "--=", "🧭", "-1", "\u{1B}[2J", " ", "", "--help=1", "-hh"])
    func strangeWords(word: String) throws {
        let result = try Run.headingctl([word])
        #expect(result.status == .usage)
        #expect(!result.errors.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        for name in Self.names where !["watch", "status", "heading", "location", "sensors", "record"].contains(name) {
            #expect(try Run.headingctl([name, word, word, word, word, word, word]).status == .usage)
        }
    }

    @Test("says that standard output is full, and is silent when its reader is gone")
    func outputFailures() throws {
        let full = try #require(fopen("/dev/full", "w"))
        defer { fclose(full) }
        let result = try Run.headingctl(["--help"], output: fileno(full))
        #expect(result.status == .failure)
        #expect(result.errors.contains("No space left on device"))
    }
}

/// Runs command lines in this process, with pipes for its streams.
enum Run {
    struct Result {
        let status: ExitCode
        let output: String
        let errors: String
    }

    /// Runs a command line; standard input is empty unless given, the environment has only the given variables.
    static func headingctl(
        _ words: [String], input: String = "", environment: [String: String] = [:], output: Int32? = nil
    ) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("headingctl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func open(_ name: String, _ flags: Int32) throws -> Int32 {
            let descriptor = Glibc.open(folder.appendingPathComponent(name).path, flags, 0o600)
            return try #require(descriptor >= 0 ? descriptor : nil)
        }
        try Data(input.utf8).write(to: folder.appendingPathComponent("in"))
        let inputDescriptor = try open("in", O_RDONLY)
        let outputDescriptor = try open("out", O_CREAT | O_WRONLY)
        let errorDescriptor = try open("err", O_CREAT | O_WRONLY)
        defer { for descriptor in [inputDescriptor, outputDescriptor, errorDescriptor] { close(descriptor) } }
        let context = CommandContext(
            outputDescriptor: output ?? outputDescriptor, errorDescriptor: errorDescriptor, input: inputDescriptor,
            environment: { environment[$0] })
        let status = Program.run(words, context)
        func text(_ name: String) throws -> String {
            String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
        }
        return Result(status: status, output: try text("out"), errors: try text("err"))
    }
}
