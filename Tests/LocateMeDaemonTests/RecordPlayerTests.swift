import EventLoop
import Geometry
import LocateMeModel
import SensorRecordings
import TestSupport
import Testing

@testable import LocateMeDaemon

struct RecordPlayerTests {
    /// Records from an array.
    private final class Records: RecordReader {
        var header = RecordingHeader()
        var reads = 0
        private let records: [Record]
        private var position = 0

        init(_ records: [Record]) { self.records = records }

        func next() -> Record? {
            guard position < records.count else { return nil }
            reads += 1
            defer { position += 1 }
            return records[position]
        }

        func rewind() { position = 0 }
    }

    /// Hears everything.
    private final class Ear: SensorSourceListener, PlaceSourceListener {
        var samples: [SensorSample] = []
        var arrivals: [Int64] = []
        var fixes: [Fix] = []
        var losses: [String] = []
        var restarts = 0

        func sensorSource(_ source: any SensorSource, delivered sample: SensorSample) {
            samples.append(sample)
            arrivals.append(Clock.bootMicroseconds())
        }
        func sensorSourceChanged(_ source: any SensorSource) {}
        func sensorSource(_ source: any SensorSource, lost reason: String) { losses.append(reason) }
        func sensorSourceRestarted(_ source: any SensorSource) { restarts += 1 }
        func placeSource(_ source: any PlaceSource, delivered fix: Fix) { fixes.append(fix) }
        func placeSourceHasNoFix(_ source: any PlaceSource) {}
        func placeSourceChanged(_ source: any PlaceSource) {}
    }

    @Test func `What is learned of a replayed device is kept by the names that its recording gives`() throws {
        func identity(kind: String = "replay", _ device: String?, sensor: String) throws -> DeviceIdentity? {
            let records = Records(Self.short)
            records.header.device = device
            records.header.streams = [RecordingHeader.Stream(kind: "magn", name: sensor)]
            return try RecordPlayer(
                reader: records, options: .init(kind: kind, name: "/somewhere/walk.lmrec"), loop: EventLoop()
            ).sensors.magnetometerIdentity
        }
        let phone = try identity("Nexus5", sensor: "ak8963")
        #expect(phone?.name == "ak8963" && phone?.location == "Nexus5")
        // Two recordings of one device are of one device; another phone with the same chip is another.
        #expect(try identity("Nexus5", sensor: "ak8963") == phone)
        #expect(try identity("Nexus6", sensor: "ak8963") != phone)
        #expect(try identity(nil, sensor: "ak8963") == nil)
        #expect(try identity(kind: "simulated", "phone", sensor: "ak8963") == nil)
    }

    private static func magn(_ microseconds: Int64, _ x: Double = 20) -> Record {
        Record(
            SensorSample(bootMicroseconds: microseconds, reading: .magneticField(Vector3(x, 0, -40))))
    }

    /// A magnetometer at 100 Hz for 0.2 s that begins at 5 s, a fix in the middle.
    private static var short: [Record] {
        var records = (0..<20).map { magn(5_000_000 + $0 * 10_000) }
        var fix = Fix(
            realMicroseconds: 0, bootMicroseconds: 5_100_000, latitude: 47, longitude: 8, horizontalAccuracy: 5)
        fix.source = "gpsd"
        records.insert(Record(fix), at: 10)
        return records
    }

    private func player(
        _ records: [Record], speed: Double = 1, loops: Bool = false, loop: EventLoop
    ) throws -> (RecordPlayer, Records, Ear) {
        let reader = Records(records)
        let player = try RecordPlayer(
            reader: reader,
            options: RecordPlayer.Options(kind: "replay", name: "/a/b/walk.lmrec", speed: speed, loops: loops),
            loop: loop)
        let ear = Ear()
        player.sensors.sensorListener = ear
        player.places.placeListener = ear
        return (player, reader, ear)
    }

    @Test func `Samples come at their pace with times of the boot clock and the recorded intervals`() throws {
        let loop = try EventLoop()
        let (player, _, ear) = try player(Self.short, loop: loop)
        let start = Clock.bootMicroseconds()
        player.sensors.start(rateHertz: 50)
        #expect(try loop.run { !ear.losses.isEmpty })
        #expect(ear.samples.count == 20)
        let times = ear.samples.map(\.bootMicroseconds)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 10_000 })
        #expect(times[0] >= start && times[0] < start + 100_000)
        // Never early by more than what is delivered together, 0.5 ms.
        #expect(zip(times, ear.arrivals).allSatisfy { $1 - $0 >= -500 })
        #expect(ear.losses == ["/a/b/walk.lmrec has ended"])
        #expect(ear.restarts == 0)
        #expect(player.sensors.samplesFollowBootClock)
        #expect(
            player.sensors.sensorStates == [SourceDescription(id: "replay:walk.lmrec", kind: "replay", state: .lost)])
    }

    @Test func `C4: at ten times the speed the intervals stay and the time is a tenth`() throws {
        let loop = try EventLoop()
        let (player, _, ear) = try player(Self.short, speed: 10, loop: loop)
        let start = Clock.bootMicroseconds()
        player.sensors.start(rateHertz: 50)
        #expect(try loop.run { !ear.losses.isEmpty })
        let times = ear.samples.map(\.bootMicroseconds)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 10_000 })
        #expect(Clock.bootMicroseconds() - start < 150_000)
        #expect(!player.sensors.samplesFollowBootClock)
    }

    @Test func `A loop goes on in time and says that it starts anew`() throws {
        let loop = try EventLoop()
        let (player, _, ear) = try player(Self.short, speed: 20, loops: true, loop: loop)
        player.sensors.start(rateHertz: 50)
        #expect(try loop.run { ear.samples.count >= 70 })
        #expect(ear.restarts >= 3)
        #expect(ear.losses.isEmpty)
        let times = ear.samples.map(\.bootMicroseconds)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 > $0 })
    }

    @Test func `A recording whose records are all of one moment is looped ten times a second at most`() throws {
        let loop = try EventLoop()
        let (player, _, ear) = try player([Self.magn(5), Self.magn(5), Self.magn(5)], loops: true, loop: loop)
        player.sensors.start(rateHertz: 50)
        #expect(try loop.run { ear.restarts >= 4 })
        #expect(zip(ear.arrivals, ear.arrivals.dropFirst(3)).allSatisfy { $1 - $0 >= 99_000 })
    }

    @Test func `Nothing is read and no timer runs while nobody listens`() throws {
        let loop = try EventLoop()
        let (player, reader, ear) = try player(Self.short, loops: true, loop: loop)
        let surveyed = reader.reads
        try loop.runOnce(timeoutMilliseconds: 50)
        #expect(reader.reads == surveyed)
        player.sensors.start(rateHertz: 50)
        #expect(try loop.run { ear.samples.count >= 5 })
        player.sensors.stop()
        let (heard, read) = (ear.samples.count, reader.reads)
        try loop.runOnce(timeoutMilliseconds: 50)
        #expect(ear.samples.count == heard)
        #expect(reader.reads == read)
        // It goes on where it was, and says that there is a gap.
        player.sensors.start(rateHertz: 50)
        #expect(try loop.run { ear.samples.count >= heard + 5 })
        #expect(ear.restarts == 1)
        let times = ear.samples.map(\.bootMicroseconds)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 > $0 })
    }

    @Test func `T51, A29, C2: fixes come to those who want places, of now and marked as simulated`() throws {
        let loop = try EventLoop()
        let (player, _, ear) = try player(Self.short, loops: true, loop: loop)
        player.places.start()
        #expect(try loop.run { !ear.fixes.isEmpty })
        #expect(ear.samples.isEmpty)
        let fix = try #require(ear.fixes.first)
        #expect(fix.flags.contains(.simulated))
        #expect(fix.source == "replay")
        #expect(abs(fix.realMicroseconds - Clock.realMicroseconds()) < 1_000_000)
        #expect(abs(fix.bootMicroseconds - Clock.bootMicroseconds()) < 1_000_000)
    }

    @Test func `A fix that was played while nobody wanted places is told to who asks later; a lost one is not`() throws
    {
        for isLost in [false, true] {
            let loop = try EventLoop()
            var records = (0..<2000).map { Self.magn($0 * 10_000) }
            records.insert(
                Record(
                    Fix(
                        realMicroseconds: 0, bootMicroseconds: 0, latitude: 47, longitude: 8, horizontalAccuracy: 5)),
                at: 0)
            if isLost { records.insert(Record(microseconds: 0, content: .noFix), at: 1) }
            let (player, _, ear) = try player(records, loop: loop)
            player.sensors.start(rateHertz: 50)
            #expect(try loop.run { ear.samples.count >= 5 })
            #expect(ear.fixes.isEmpty)
            player.places.start()
            // Not from within the call that switches on.
            #expect(ear.fixes.isEmpty)
            let heard = ear.samples.count
            #expect(try loop.run { ear.samples.count >= heard + 5 })
            #expect(ear.fixes.map(\.latitude) == (isLost ? [] : [47]))
            let age = ear.fixes.first.map { Clock.bootMicroseconds() - $0.bootMicroseconds } ?? 0
            #expect((0..<10_000_000).contains(age))
        }
    }

    @Test func `An unplugged sensor is silent until it is plugged in again`() throws {
        let loop = try EventLoop()
        var records = (0..<30).map { Self.magn($0 * 1000) }
        records.insert(Record(microseconds: 10_500, content: .event(.unplug("magn"))), at: 11)
        records.insert(Record(microseconds: 20_500, content: .event(.plug("magn"))), at: 22)
        let (player, _, ear) = try player(records, loop: loop)
        player.sensors.start(rateHertz: 50)
        #expect(try loop.run { ear.losses.count == 2 })
        #expect(ear.samples.count == 20)
        #expect(ear.losses[0].contains("unplugged"))
    }

    @Test func `Without a magnetometer there is nothing to play`() throws {
        let loop = try EventLoop()
        let records = [
            Record(SensorSample(bootMicroseconds: 0, reading: .acceleration(Vector3(0, 0, 9.81))))
        ]
        #expect(throws: UsageError.self) { try player(records, loop: loop) }
        #expect(throws: UsageError.self) { try player([], loop: loop) }
    }

    @Test func `The sensors are described from the header and the first records`() throws {
        let loop = try EventLoop()
        let (player, _, _) = try player(Self.short, loop: loop)
        let sensor = try #require(player.sensors.sensors.first)
        #expect(player.sensors.sensors.count == 1)
        #expect(sensor.kind == .magnetometer)
        #expect(sensor.selected)
        #expect(sensor.ratesHertz.count == 1)
        #expect(abs(sensor.ratesHertz[0] - 100) < 1e-6)
        #expect(player.sensors.rateHertz == 0)
    }
}
