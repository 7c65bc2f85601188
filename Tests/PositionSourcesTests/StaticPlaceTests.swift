import EventLoop
import Foundation
import LocateMeModel
import TestSupport
import Testing

@testable import PositionSources

@Suite final class StaticPlaceTests {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("geolocation-\(UUID().uuidString)").path
    let loop: EventLoop

    init() throws { loop = try EventLoop() }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    private func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }

    // MARK: - The file's format, by geoclue(5) of GeoClue 2.7

    static let sound: [(String, [Double])] = [
        ("40.6893129\n-74.0445531\n96\n1.83\n", [40.6893129, -74.0445531, 96, 1.83]),
        (
            "# a torch in a harbour\n40.6893129   # latitude\n-74.0445531  # longitude\n96 # altitude\n1.83# radius\n",
            [40.6893129, -74.0445531, 96, 1.83]
        ),
        ("\n\n  47.5 \n\t8\n\n-3.5\r\n1e2", [47.5, 8, -3.5, 100]),
        ("+90\n-180\n0\n20000000", [90, -180, 0, 20_000_000]),
        ("47.5\n8.5\n400\n10\n# the end\n\n", [47.5, 8.5, 400, 10]),
    ]

    @Test(arguments: sound)
    func fourNumbersAreAPlace(text: String, numbers: [Double]) throws {
        let file = try StaticPlaceFile(parsing: text)
        #expect([file.latitude, file.longitude, file.altitude, file.accuracy] == numbers)
    }

    static let broken: [(String, String)] = [
        ("", "the latitude is missing"),
        ("# nothing\n", "the latitude is missing"),
        ("47.5\n8.5\n400\n", "the accuracy is missing"),
        ("47.5\n8.5\n400\n10\n5\n", "line 5: unexpected '5' after the accuracy"),
        ("47.5 8.5 400 10\n", "line 1: latitude is not a number: '47.5 8.5 400 10'"),
        ("47,5\n8.5\n400\n10\n", "line 1: latitude is not a number: '47,5'"),
        ("47.5\n8.5E\n400\n10\n", "line 2: longitude is not a number: '8.5E'"),
        ("0x2F\n8.5\n400\n10\n", "line 1: latitude is not a number: '0x2F'"),
        ("nan\n8.5\n400\n10\n", "line 1: latitude is not a number: 'nan'"),
        ("47.5\ninf\n400\n10\n", "line 2: longitude is not a number: 'inf'"),
        ("90.1\n8.5\n400\n10\n", "line 1: latitude 90.1 is not between -90.0 and 90.0"),
        ("# x\n47.5\n180.5\n400\n10\n", "line 3: longitude 180.5 is not between -180.0 and 180.0"),
        ("47.5\n8.5\n1e9\n10\n", "line 3: altitude 1000000000.0 is not between -12000.0 and 100000.0"),
        ("47.5\n8.5\n400\n-1\n", "line 4: accuracy -1.0 is not between 0.0 and 20000000.0"),
        ("47.5\n8.5\n400\n0\n", "the accuracy must be above 0 metres"),
        ("47.5\n8.5\n1e999\n10\n", "line 3: altitude inf is not between -12000.0 and 100000.0"),
        ("４７\n8.5\n400\n10\n", "line 1: latitude is not a number: '４７'"),
    ]

    @Test(arguments: broken)
    func whatIsNoPlaceIsRefusedWithTheLine(text: String, message: String) {
        #expect(throws: StaticPlaceFile.Failure(description: message)) { try StaticPlaceFile(parsing: text) }
    }

    // MARK: - The source

    @Test func aFileIsDeliveredOnceInTheLoopAsAFixedPlace() throws {
        try write("47.5\n8.5\n400\n25\n")
        let source = StaticPlaceSource(loop: loop, path: path)
        let listener = RecordingListener()
        source.placeListener = listener
        #expect(source.placeState == SourceDescription(id: "static", kind: "static", state: .off))
        let before = Clock.realMicroseconds()
        source.start()
        source.start()
        #expect(listener.fixes.isEmpty)
        #expect(try loop.run(until: { !listener.fixes.isEmpty }))
        let fix = try #require(listener.fixes.first)
        #expect([fix.latitude, fix.longitude, fix.altitude, fix.horizontalAccuracy] == [47.5, 8.5, 400, 25])
        #expect(fix.ellipsoidalAltitude.isNaN)
        #expect(fix.flags == .fixed)
        #expect(fix.source == "static")
        #expect(fix.realMicroseconds >= before && fix.realMicroseconds <= Clock.realMicroseconds())
        #expect(source.placeState.state == .ok)
        #expect(listener.states == [.starting, .ok])
        source.stop()
        #expect(source.placeState.state == .off)
    }

    @Test func aReloadDeliversWhatTheFileSaysNowOrThatThereIsNothing() throws {
        try write("47.5\n8.5\n400\n25\n")
        let source = StaticPlaceSource(loop: loop, path: path)
        let listener = RecordingListener()
        source.placeListener = listener
        source.start()
        #expect(try loop.run(until: { listener.fixes.count == 1 }))
        try write("48\n9\n1\n5\n")
        source.reload()
        #expect(try loop.run(until: { listener.fixes.count == 2 }))
        #expect(listener.fixes.last?.latitude == 48)
        try write("48\nnine\n1\n5\n")
        source.reload()
        #expect(listener.lostFixes == 1)
        #expect(source.placeState.state == .failed)
        #expect(source.problem == "\(path): line 2: longitude is not a number: 'nine'")
        try FileManager.default.removeItem(atPath: path)
        source.reload()
        #expect(source.placeState.state == .off)
        #expect(source.problem == nil)
        #expect(listener.lostFixes == 1)
        try write("1\n2\n3\n4\n")
        source.reload()
        #expect(try loop.run(until: { listener.fixes.count == 3 }))
        source.stop()
        source.reload()
        try loop.runOnce(timeoutMilliseconds: 0)
        #expect(listener.fixes.count == 3)
    }

    @Test func aMissingFileIsNoFault() {
        let source = StaticPlaceSource(loop: loop, path: path)
        source.start()
        #expect(source.placeState.state == .off)
        #expect(source.problem == nil)
    }

    @Test func whatIsNoSmallTextFileIsNamedAndNeverBlocks() throws {
        func problem(_ path: String) -> String? {
            let source = StaticPlaceSource(loop: loop, path: path)
            source.start()
            #expect(source.placeState.state == .failed)
            return source.problem
        }
        #expect(problem("/") == "/: cannot be read: Invalid argument")
        #expect(mkfifo(path, 0o600) == 0)
        #expect(problem(path) == "\(path): cannot be read: Invalid argument")
        try FileManager.default.removeItem(atPath: path)
        try write(String(repeating: "# long\n", count: 20_000))
        #expect(problem(path) == "\(path): cannot be read: File too large")
        try Data([0x34, 0x37, 0xff, 0x0a]).write(to: URL(fileURLWithPath: path))
        #expect(problem(path)?.hasPrefix("\(path): cannot be read: ") == true)
    }

    @Test func givenNumbersAreDelivered() throws {
        let source = StaticPlaceSource(loop: loop, latitude: -12.5, longitude: 130)
        let listener = RecordingListener()
        source.placeListener = listener
        source.start()
        #expect(try loop.run(until: { !listener.fixes.isEmpty }))
        let fix = try #require(listener.fixes.first)
        #expect([fix.latitude, fix.longitude, fix.horizontalAccuracy] == [-12.5, 130, 1000])
        #expect(fix.verticalAccuracy == -1)
        #expect(fix.flags == .fixed)
    }

    @Test func nothingIsDeliveredAfterAStopInTheSameRound() throws {
        let source = StaticPlaceSource(loop: loop, latitude: 1, longitude: 2, altitude: 3, accuracy: 4)
        let listener = RecordingListener()
        source.placeListener = listener
        source.start()
        source.stop()
        try loop.runOnce(timeoutMilliseconds: 0)
        #expect(listener.fixes.isEmpty)
        #expect(listener.states == [.starting, .off])
    }
}
