import Foundation
import TestSupport
import Testing

@Suite("Code rules")
struct CodeRulesTests {
    static let pureModules = [
        "Geometry", "LocateMeModel", "Geomagnetism", "MagnetometerCalibration", "HeadingEstimation", "CompassDiagnosis",
        "LocationEngine",
        "NMEASentences", "SensorRecordings", "Simulation", "Geodesy",
    ]

    /// Words that a pure module cannot contain, with what they would bring in.
    static let impureWords: [(word: String, meaning: String)] = [
        ("class", "shared mutable state"), ("actor", "concurrency"), ("async", "concurrency"), ("await", "concurrency"),
        ("Task", "concurrency"), ("Mutex", "concurrency"), ("clock_gettime", "a clock"), ("gettimeofday", "a clock"),
        ("ContinuousClock", "a clock"), ("SuspendingClock", "a clock"), ("SystemRandomNumberGenerator", "randomness"),
        ("shuffled", "randomness"), ("randomElement", "randomness"),
        ("arc4random", "randomness"),
        ("print", "output"), ("debugPrint", "output"), ("dump", "output"), ("fopen", "a file"),
        ("getenv", "the environment"),
        ("CommandLine", "the environment"), ("nonisolated", "shared mutable state"),
    ]

    @Test(
        "Pure modules hold no class, no concurrency, no clock, no randomness, no file and no output",
        arguments: pureModules)
    func pure(module: String) throws {
        let sources = SwiftSource.all.filter { $0.module == module }
        try #require(!sources.isEmpty)
        for source in sources {
            for (word, meaning) in Self.impureWords {
                let isThere = source.words.contains(word)
                #expect(!isThere, "\(source.path) says '\(word)': \(meaning)")
            }
            #expect(!source.code.contains(".random("), "\(source.path) draws random numbers without a seed")
            let globals = source.code.split(separator: "\n").filter {
                $0.range(of: "^(public |package |private |fileprivate )?var ", options: .regularExpression) != nil
                    || $0.range(of: #"\bstatic var [A-Za-z_]+(: [^{]+)? = "#, options: .regularExpression) != nil
            }
            #expect(globals == [], "\(source.path) has state outside of values")
        }
    }

    @Test(
        "What the daemon links is one thread: no tasks, no actors, no locks",
        arguments: [
            "EventLoop", "MessageBus", "LocateMeBusInterface", "LocateMeDaemon", "PositionSources", "RecordingFiles",
            "Storage",
            "locatemed",
        ])
    func oneThread(module: String) throws {
        let sources = SwiftSource.all.filter { $0.module == module }
        try #require(!sources.isEmpty)
        for source in sources {
            for word in ["Task", "actor", "async", "await", "Mutex"] {
                #expect(!source.words.contains(word), "\(source.path) says '\(word)'")
            }
            // What blocks or computes for milliseconds has a thread that ends by itself: rule 4 of the architecture.
            let mayHaveThread = ["FitWorker.swift", "NameLookup.swift"].contains { source.path.hasSuffix("/" + $0) }
            #expect(mayHaveThread || !source.words.contains("pthread_create"), "\(source.path) starts a thread")
        }
    }

    @Test("Nothing ends the program over data, and nothing is left to do later")
    func noTraps() throws {
        for source in SwiftSource.all {
            for word in ["fatalError", "abort", "unsafeDowncast"] {
                #expect(!source.words.contains(word), "\(source.path) says '\(word)'")
            }
            for note in ["TODO", "FIXME", "XXX", "HACK"] {
                #expect(!source.text.contains(note), "\(source.path) has a note '\(note)'")
            }
        }
    }

    @Test("A file that holds more than 400 lines of code is split")
    func length() throws {
        for source in SwiftSource.all {
            // Tables of numbers may be as long as they are.
            let lines = source.code.split(separator: "\n", omittingEmptySubsequences: true)
                .filter { $0.contains { $0.isLetter } }
            #expect(lines.count <= 400, "\(source.path) holds \(lines.count) lines of code")
        }
    }
}
