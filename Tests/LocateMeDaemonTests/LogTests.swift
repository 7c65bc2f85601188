import Testing

@testable import LocateMeDaemon

struct LogTests {
    final class Lines {
        var lines: [String] = []
        var now: Int64 = 0

        func log(level: LogLevel, priorities: Bool = true) -> Log {
            Log(
                level: level,
                sink: .init(
                    write: { self.lines.append($0) }, now: { self.now }, usesPriorityPrefix: priorities))
        }
    }

    @Test func `Priorities are those of the journal`() {
        let lines = Lines()
        let log = lines.log(level: .debug)
        log.error("e")
        log.warning("w")
        log.info("i")
        log.debug("d")
        // sd-daemon(3): SD_ERR 3, SD_WARNING 4, SD_INFO 6, SD_DEBUG 7
        #expect(lines.lines == ["<3>e", "<4>w", "<6>i", "<7>d"])
    }

    @Test func `Messages above the level are not even made`() {
        let lines = Lines()
        let log = lines.log(level: .warning, priorities: false)
        var made = 0
        func message() -> String {
            made += 1
            return "x"
        }
        log.info(message())
        log.debug(message())
        #expect(made == 0)
        log.warning(message())
        #expect(lines.lines == ["locatemed: warning: x"])
    }

    @Test func `A repeated message is written once a minute with the number of repeats`() {
        let lines = Lines()
        let log = lines.log(level: .info)
        for second in 0...59 {
            lines.now = Int64(second) * 1_000_000
            log.info("gpsd is gone")
        }
        #expect(lines.lines == ["<6>gpsd is gone"])
        lines.now = 60_000_000
        log.info("gpsd is gone")
        #expect(lines.lines.last == "<6>gpsd is gone (59 more in between)")
    }

    @Test func `A line end inside a message cannot begin a second line`() {
        let lines = Lines()
        lines.log(level: .info).info("client says: a\n<0>fake")
        #expect(lines.lines == ["<6>client says: a <0>fake"])
    }

    @Test(arguments: ["\u{1B}", "\0", "\u{7F}", "\u{9B}", "\u{2028}", "\u{202E}", "\u{2066}", "\t"])
    func `What a terminal would obey, or what turns the direction of writing, is not written`(character: String) {
        let lines = Lines()
        lines.log(level: .info).info("client says: \(character)[2Jß")
        #expect(lines.lines == ["<6>client says:  [2Jß"])
    }

    @Test func `Ever new messages do not fill the memory`() {
        let lines = Lines()
        let log = lines.log(level: .info)
        for number in 0..<1000 { log.info("message \(number)") }
        #expect(lines.lines.count == 1000)
    }
}
