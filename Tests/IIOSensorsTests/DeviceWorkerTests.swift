import EventLoop
import Geometry
import Glibc
import LocateMeModel
import Testing

@testable import IIOSensors

@Suite("Samples on their way from a device's thread to the loop")
struct DeviceWorkerTests {
    private static func worker(_ wakeup: Wakeup, hertz: Double = 100) -> DeviceWorker {
        DeviceWorker(
            plan: DevicePlan(
                uri: "local:", deviceID: "iio:device0", name: "test", sensors: [], triggers: [], hasTimestamp: true),
            rateHertz: hertz, wakeup: wakeup)
    }

    private static func sample(_ time: Int64) -> SensorSample {
        SensorSample(bootMicroseconds: time, reading: .angularRate(.zero))
    }

    private static func isReadable(_ wakeup: Wakeup) -> Bool {
        var poll = pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) == 1
    }

    @Test("Samples of several devices are taken in the order of their times")
    func order() throws {
        let wakeup = try Wakeup()
        let workers = [Self.worker(wakeup), Self.worker(wakeup), Self.worker(wakeup)]
        for (worker, times) in zip(workers, [[30, 60, 61], [10, 50, Int64.max], [20, 40, 62]]) {
            for time in times { worker.deliver(Self.sample(time)) }
        }
        var taken: [Int64] = []
        while let worker = IIOSensorSource.workerOfOldestSample(workers), let sample = worker.takeSample() {
            taken.append(sample.bootMicroseconds)
        }
        #expect(taken == [10, 20, 30, 40, 50, 60, 61, 62, .max])
    }

    @Test("A device that only serves another one's headings wakes the loop every 130 ms, not with each sample")
    func patience() throws {
        let wakeup = try Wakeup()
        let worker = Self.worker(wakeup)
        for time in stride(from: Int64(0), to: 130_000, by: 10_000) {
            worker.deliver(Self.sample(time))
            #expect(!Self.isReadable(wakeup))
        }
        worker.deliver(Self.sample(130_000))
        #expect(Self.isReadable(wakeup))
    }

    @Test("Slow samples and times that jump back or overflow wake the loop at once")
    func urgent() throws {
        let wakeup = try Wakeup()
        let slow = Self.worker(wakeup, hertz: 5)
        slow.deliver(Self.sample(0))
        #expect(Self.isReadable(wakeup))
        for times: (Int64, Int64) in [(100, 50), (.max, .min), (.min, .max)] {
            let other = try Wakeup()
            let worker = Self.worker(other)
            worker.deliver(Self.sample(times.0))
            worker.deliver(Self.sample(times.1))
            #expect(Self.isReadable(other), "\(times)")
        }
    }

    @Test("A wake-up that is signalled while the loop looks at an earlier one is heard")
    func signalsAreNotLost() throws {
        let loop = try EventLoop()
        let wakeup = try Wakeup()
        let left = SampleRing(capacity: 100_000)
        let total = 20_000
        var taken = 0
        let watch = try loop.watch(wakeup.descriptor, for: .readable) { _ in
            wakeup.drain()
            while left.pop() != nil { taken += 1 }
            if taken == total { loop.stop() }
        }
        // If a signal were lost, nothing else would wake the loop.
        let limit = loop.makeTimer { loop.stop() }
        limit.arm(afterMicroseconds: 60_000_000)
        #expect(
            WorkerThread.run(name: "signals") {
                for time in 0..<total {
                    _ = left.push(SensorSample(bootMicroseconds: Int64(time), reading: .angularRate(.zero)))
                    wakeup.signal()
                }
            })
        try loop.run()
        #expect(taken == total)
        watch.cancel()
    }
}
