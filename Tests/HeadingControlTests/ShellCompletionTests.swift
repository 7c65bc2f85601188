import Foundation
import TestSupport
import Testing

@testable import HeadingControl

@Suite("Shell completion and the manual page")
struct ShellCompletionTests {
    @Test(
        "are installed as the program prints them",
        arguments: [
            ("completions/headingctl.bash", ["completion", "bash"]),
            ("completions/_headingctl", ["completion", "zsh"]),
            ("completions/headingctl.fish", ["completion", "fish"]), ("man/headingctl.1", ["manual"]),
        ])
    func installedFiles(path: String, words: [String]) throws {
        let file = try String(contentsOf: Repository.file(path), encoding: .utf8)
        let printed = try Run.headingctl(words).output
        #expect(file == printed, "write it again: headingctl \(words.joined(separator: " ")) > \(path)")
    }

    /// What bash offers for the last word of a line.
    private static func bash(_ line: String) throws -> [String] {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map { "'\($0)'" }.joined(
            separator: " ")
        let program = """
            \(ShellCompletion.bash(CommandTable.specs))
            compopt() { :; }
            COMP_WORDS=(\(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _headingctl; printf '%s\\n' "${COMPREPLY[@]}"
            """
        let result = try TestSupport.Command.run(try #require(Requirement.path(of: "bash")), ["-c", program])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init).filter { !$0.isEmpty }
    }

    @Test(
        "offer commands, options and values in bash", .needs(.program("bash")),
        arguments: [
            ("headingctl comp", ["completion"]), ("headingctl completion ", ["bash", "zsh", "fish"]),
            ("headingctl completion z", ["zsh"]), ("headingctl completion --bus s", ["system", "session"]),
            ("headingctl --bus session comp", ["completion"]), ("headingctl manual --js", ["--json"]),
            ("headingctl completion --bus = se", ["session"]), ("headingctl help man", ["manual"]),
        ])
    func bashOffers(line: String, offers: [String]) throws {
        #expect(try Self.bash(line) == offers)
    }

    @Test("offer every command and every option in bash", .needs(.program("bash")))
    func bashKnowsTheTable() throws {
        #expect(try Set(Self.bash("headingctl ")).isSuperset(of: CommandTable.specs.map(\.name)))
        for command in CommandTable.specs {
            #expect(try Self.bash("headingctl \(command.name) --") == command.allOptions.map { "--\($0.name)" })
        }
    }

    @Test("are accepted by zsh where it is installed", .enabled(if: Requirement.program("zsh").isMet, "needs zsh"))
    func zsh() throws {
        let script = Repository.file("completions/_headingctl").path
        let result = try TestSupport.Command.run(try #require(Requirement.path(of: "zsh")), ["-n", script])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }

    @Test("are accepted by fish where it is installed", .enabled(if: Requirement.program("fish").isMet, "needs fish"))
    func fish() throws {
        let script = Repository.file("completions/headingctl.fish").path
        let result = try TestSupport.Command.run(
            try #require(Requirement.path(of: "fish")),
            ["-c", "source \(script); complete -C 'headingctl completion '"])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(result.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } } == ["bash", "fish", "zsh"])
    }

    @Test(
        "make pages without warnings from groff, where it is installed",
        .enabled(if: Requirement.program("groff").isMet, "needs groff"), arguments: ["headingctl.1", "locatemed.8"])
    func manualPages(name: String) throws {
        let page = Repository.file("man/\(name)").path
        let result = try TestSupport.Command.run(
            try #require(Requirement.path(of: "groff")), ["-man", "-ww", "-Tutf8", "-z", page])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }
}
