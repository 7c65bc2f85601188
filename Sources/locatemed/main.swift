import EventLoop
import Glibc
import LocateMeDaemon
import LocateMeModel

// Exit statuses: 0 stopped, 1 failed, 2 usage, 3 no bus, 6 name taken.
Heap.beFrugal()
let arguments = Array(CommandLine.arguments.dropFirst())
do {
    let options = try CommandLineOptions(arguments)
    switch options.action {
    case .printHelp: print(CommandLineOptions.help, terminator: "")
    case .printVersion: print("locatemed \(ProductVersion.text)")
    case .checkConfiguration:
        var complaints: [UsageError] = []
        let configuration = Configuration(options, complaints: &complaints)
        for warning in configuration.warnings { StandardError.write("locatemed: \(warning)") }
        complaints += try Wiring.complaints(configuration.values)
        for complaint in complaints { StandardError.write("locatemed: \(complaint)") }
        if !complaints.isEmpty { exit(2) }
    case .run: exit(try Service(options).run())
    }
} catch let error as UsageError {
    StandardError.write("locatemed: \(error)")
    exit(2)
} catch {
    StandardError.write("locatemed: \(error)")
    exit(1)
}
