import func Glibc.exit

/// One measurement that can be run by name; each lives in a file of its own.
struct Benchmark {
    let name: String
    let summary: String
    let run: (_ arguments: [String]) -> Int32
}

let benchmarks: [Benchmark] = [
    .geomagnetism, .heading, .location, .nmea, .recordings, .daemon, .daemonClient, .places, .everything,
]

let arguments = Array(CommandLine.arguments.dropFirst())
guard let wanted = arguments.first, let benchmark = benchmarks.first(where: { $0.name == wanted }) else {
    print("usage: Benchmarks NAME [ARGUMENT ...]")
    for benchmark in benchmarks { print("  \(benchmark.name)  \(benchmark.summary)") }
    exit(arguments.isEmpty ? 0 : 2)
}
exit(benchmark.run(Array(arguments.dropFirst())))
