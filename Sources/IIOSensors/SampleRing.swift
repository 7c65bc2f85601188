internal import Geometry
internal import LocateMeModel

/// Fixed storage for samples on their way from a worker to the loop. When it is full the oldest sample goes.
///
/// `@unchecked Sendable` is sound: storage and indices are only touched with the monitor held, and samples are
/// plain values.
final class SampleRing: @unchecked Sendable {
    private let monitor = Monitor()
    private let storage: UnsafeMutableBufferPointer<SensorSample>
    private var head = 0
    private var count = 0
    private var lost = 0

    /// Room for `capacity` samples.
    init(capacity: Int) {
        storage = .allocate(capacity: max(capacity, 1))
        storage.initialize(repeating: SensorSample(bootMicroseconds: 0, reading: .magneticField(.zero)))
    }

    deinit {
        storage.deinitialize()
        storage.deallocate()
    }

    /// Adds a sample. Returns for how long the ring has been holding samples, in µs of their own times; 0
    /// for the first.
    func push(_ sample: SensorSample) -> Int64 {
        monitor.locked {
            storage[(head + count) % storage.count] = sample
            if count == storage.count {
                head = (head + 1) % storage.count
                lost += 1
            } else {
                count += 1
            }
            let (held, overflow) = sample.bootMicroseconds.subtractingReportingOverflow(storage[head].bootMicroseconds)
            return overflow ? .max : held
        }
    }

    /// Takes the oldest sample, nil if there is none.
    func pop() -> SensorSample? {
        monitor.locked {
            guard count > 0 else { return nil }
            let sample = storage[head]
            head = (head + 1) % storage.count
            count -= 1
            return sample
        }
    }

    /// Samples that went because the loop was late.
    var lostSamples: Int { monitor.locked { lost } }
}
