import Glibc

let contexts = Array(CommandLine.arguments.dropFirst())
let stateDirectory = getenv("IIO_PROBE_STATE").map { String(cString: $0) }
exit(try ProbeSession(contexts: contexts.isEmpty ? ["local:"] : contexts, stateDirectory: stateDirectory).run())
