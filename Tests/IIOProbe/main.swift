import Glibc

let contexts = Array(CommandLine.arguments.dropFirst())
exit(try ProbeSession(contexts: contexts.isEmpty ? ["local:"] : contexts).run())
