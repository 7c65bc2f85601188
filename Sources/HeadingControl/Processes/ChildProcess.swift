internal import EventLoop
internal import Glibc

/// A program that was started by a command and ends with it. It gets a process group of its own, so that Ctrl-C goes
/// to the command alone, and no signal blocked or ignored.
final class ChildProcess {
    /// Its id.
    let processID: pid_t
    /// The program's name.
    let name: String
    private var status: Int32?

    /// Starts a program by its path. Standard input is empty; standard output and error go to a descriptor.
    init(path: String, _ arguments: [String], output: Int32) throws(CommandError) {
        name = String(path.split(separator: "/").last ?? "")
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        var noSignals = sigset_t()
        var allSignals = sigset_t()
        sigemptyset(&noSignals)
        sigfillset(&allSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setsigdefault(&attributes, &allSignals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var id = pid_t()
        let error = posix_spawn(&id, path, &actions, &attributes, words, environ)
        guard error == 0 else {
            throw CommandError(.failure, "cannot start '\(path)': \(Errno(rawValue: error))")
        }
        processID = id
    }

    deinit { end() }

    /// The exit status once it has ended (128 + number if a signal ended it), nil while it runs.
    func exitStatus() -> Int32? {
        if status == nil {
            var word: Int32 = 0
            if waitpid(processID, &word, WNOHANG) == processID {
                // WIFEXITED and WEXITSTATUS are macros that Swift cannot see.
                status = word & 0x7F == 0 ? (word >> 8) & 0xFF : 128 + (word & 0x7F)
            }
        }
        return status
    }

    /// Ends it: politely, and after three seconds by force. Idempotent.
    func end() {
        guard exitStatus() == nil else { return }
        kill(processID, SIGTERM)
        for _ in 0..<300 where exitStatus() == nil { usleep(10_000) }
        guard exitStatus() == nil else { return }
        kill(processID, SIGKILL)
        var word: Int32 = 0
        waitpid(processID, &word, 0)
        status = 128 + SIGKILL
    }

    /// Where a program is: beside this one, or in PATH.
    static func path(of name: String, environment: (String) -> String?) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        var folders: [String] = []
        if length > 0 {
            let own = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            folders.append(
                own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/"))
        }
        folders += (environment("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init)
        return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
