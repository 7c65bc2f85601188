import MessageBus
import Testing

@testable import HeadingControl

@Suite("The command line parser")
struct ArgumentParserTests {
    private static let follow = Flag("follow", short: "f", help: "go on")
    private static let wait = Option("wait", .duration, help: "how long")
    private static let filter = Option("filter", .number("DEG", unit: "degrees", in: -1...360), help: "least change")
    private static let uri = Option("iio-uri", .text("URI"), isRepeatable: true, help: "context")
    private static let latitude = Operand(.number("LAT", unit: "degrees", in: -90...90), help: "latitude")
    private static let place = Operand(.text("PLACE"), isRequired: false, help: "place")

    private static let specs = [
        CommandSpec(
            name: "heading", summary: "", description: [], operands: [],
            options: [follow.spec, wait.spec, filter.spec, uri.spec], examples: []),
        CommandSpec(
            name: "declination", summary: "", description: [], operands: [latitude.spec, place.spec], options: [],
            examples: []),
    ]

    private static func parse(_ words: String, default name: String? = nil) throws -> ArgumentParser.Request {
        try ArgumentParser(commands: specs, defaultCommand: name)
            .parse(words.split(separator: " ").map(String.init))
    }

    private static func arguments(_ words: String, default name: String? = nil) throws -> Arguments {
        guard case .run(_, let arguments) = try parse(words, default: name) else {
            throw CommandError(.failure, "'\(words)' does not run a command")
        }
        return arguments
    }

    @Test("reads options in both spellings, anywhere, and short ones")
    func options() throws {
        for words in ["heading --wait 5s --filter -1 -f", "heading -f --filter=-1 --wait=5s"] {
            let arguments = try Self.arguments(words)
            #expect(arguments[Self.wait] == 5_000_000)
            #expect(arguments[Self.filter] == -1)
            #expect(arguments[Self.follow])
            #expect(arguments[all: Self.uri] == [])
        }
        #expect(try Self.arguments("heading --iio-uri a --iio-uri b")[all: Self.uri] == ["a", "b"])
    }

    @Test(
        "reads common options before the command and behind it",
        arguments: ["--bus session --json declination 1", "declination 1 --json --bus=session"])
    func commonOptions(words: String) throws {
        let arguments = try Self.arguments(words)
        #expect(arguments.bus == .session)
        #expect(arguments[CommonOptions.json])
        #expect(arguments[Self.latitude, at: 0] == 1)
    }

    @Test(
        "takes negative numbers and what stands behind -- as operands",
        arguments: ["declination -33.9", "declination -.5", "declination -- -33.9 --follow"])
    func negativeOperands(words: String) throws {
        let latitude = try #require(try Self.arguments(words)[Self.latitude, at: 0])
        #expect(latitude < 0)
        if words.contains("follow") { #expect(try Self.arguments(words)[Self.place, at: 1] == "--follow") }
    }

    @Test(
        "shows help wherever it is asked for",
        arguments: ["heading --help", "heading --wait 3 -h", "--help heading", "help heading"])
    func help(words: String) throws {
        guard case .help(let command) = try Self.parse(words) else {
            Issue.record("no help for '\(words)'")
            return
        }
        #expect(command == "heading")
    }

    @Test("uses the default command on an empty line and with options alone")
    func defaultCommand() throws {
        guard case .run(let name, _) = try Self.parse("", default: "heading") else {
            Issue.record("nothing runs")
            return
        }
        #expect(name == "heading")
        #expect(try Self.arguments("--wait 3 --bus session", default: "heading")[Self.wait] == 3_000_000)
        #expect(throws: CommandError.self) { try Self.parse("") }
    }

    @Test(
        "says what is wrong and what was probably meant",
        arguments: [
            ("headng", "there is no command 'headng'", "'heading'"),
            ("declinatoin 3", "there is no command 'declinatoin'", "'declination'"),
            ("heading --follw", "'heading' has no option '--follw'", "'--follow'"),
            ("heading --bus sesion", "the value of --bus must be system, session or", "'session'"),
            ("heading --wait", "option --wait needs a value", "5s"),
            ("heading --wait --follow", "option --wait needs a value", "5s"),
            ("heading --wait soon", "the value of --wait must be a time", ""),
            ("heading --filter 361", "from -1 to 360", ""),
            ("heading --filter nan", "from -1 to 360", ""),
            ("heading --wait 1 --wait 2", "option --wait was given twice", ""),
            ("heading --follow=yes", "option --follow takes no value", ""),
            ("heading 3", "'heading' does not know what to do with '3'", "Usage:"),
            ("declination", "'declination' needs LAT", "Usage:"),
            ("declination 91", "LAT must be a number of degrees from -90 to 90, not '91'", ""),
            ("--wait 3 heading", "there is no option '--wait' before a command", "behind it"),
            ("help hedaing", "there is no command 'hedaing'", "'heading'"),
        ])
    func errors(words: String, message: String, hint: String) throws {
        let error = try #require(throws: CommandError.self) { try Self.parse(words) }
        #expect(error.status == .usage)
        #expect(error.message.contains(message), "\(error.message)")
        #expect(hint.isEmpty || error.remedy.contains(hint), "\(error.remedy)")
    }

    @Test("refuses an option of the default command before another one")
    func strayDefaultOption() throws {
        let error = try #require(throws: CommandError.self) {
            try Self.parse("--wait 3 declination 4", default: "heading")
        }
        #expect(error.message.contains("'declination' has no option '--wait'"))
    }

    @Test("never crashes and never accepts nonsense, whatever the words", arguments: UInt64(1)...40)
    func fuzz(seed: UInt64) {
        var state = seed
        func next(_ bound: Int) -> Int {
            // Multiplicative generator MMIX by D. Knuth; its high bits are good enough to pick words.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let pieces = [
            "heading", "declination", "--", "-", "--=", "=", "--wait", "--wait=", "--filter", "-1", "-h", "--json",
            "--bus",
            "session", "help", "\u{0}", "é\u{301}", "🧭", "--é", "-é", "1e999", "nan", "", " ", "--iio-uri", "-f", "-ff",
            String(repeating: "x", count: 5000), "--" + String(repeating: "y", count: 5000),
        ]
        for _ in 0..<200 {
            let words = (0..<next(7)).map { _ in
                next(4) == 0 ? pieces[next(pieces.count)] + pieces[next(pieces.count)] : pieces[next(pieces.count)]
            }
            let parser = ArgumentParser(commands: Self.specs, defaultCommand: next(2) == 0 ? "heading" : nil)
            do {
                if case .run(let name, let arguments) = try parser.parse(words) {
                    #expect(Self.specs.contains { $0.name == name })
                    if let filter = arguments[Self.filter] { #expect((-1...360).contains(filter)) }
                    if name == "declination" { #expect(arguments[Self.latitude, at: 0] != nil) }
                }
            } catch {
                #expect(error.status == .usage)
                #expect(!error.message.isEmpty && error.message.count < 300 && error.remedy.count < 300)
            }
        }
    }

    @Test(
        "T18: reads spans of time",
        arguments: [
            ("5", 5_000_000), ("5s", 5_000_000), ("500ms", 500_000), ("2m", 120_000_000), ("2min", 120_000_000),
            ("1.5h", 5_400_000_000), ("1d", 86_400_000_000), ("10us", 10), ("0", 0),
        ])
    func durations(text: String, microseconds: Int64) {
        #expect(DurationText.microseconds(text) == microseconds)
    }

    @Test(
        "refuses what is no span of time",
        arguments: ["", "s", "-1s", "5 s", "5x", "1e300h", "nan", "367d", "0x5", "5,5"])
    func noDurations(text: String) {
        #expect(DurationText.microseconds(text) == nil)
    }

    @Test(
        "measures the distance of words",
        arguments: [
            // Optimal string alignment distances; kitten/sitting is the textbook case of Levenshtein's distance.
            ("kitten", "sitting", 3), ("ca", "ac", 1), ("ca", "abc", 3), ("", "abc", 3), ("same", "same", 0),
            ("watch", "wacth", 1),
        ])
    func distances(left: String, right: String, distance: Int) {
        #expect(Nearest.distance(left, right) == distance)
        #expect(Nearest.distance(right, left) == distance)
    }

    @Test("names nothing if nothing is near", arguments: ["xyzzy", "", "q"])
    func nothingNear(word: String) {
        #expect(Nearest.match(word, among: ["heading", "watch", "status"]) == nil)
    }
}
