internal import Glibc
internal import HeadingControl

exit(Program.main(Array(CommandLine.arguments.dropFirst())).rawValue)
