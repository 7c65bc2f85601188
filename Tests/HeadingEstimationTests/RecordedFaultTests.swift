import Geometry
import HeadingEstimation
import LocateMeModel
import Testing

/// Real sensors, spoiled in the ways that drivers, chips and buses spoil them: whatever comes, no crash, and the stated accuracy
/// is true or the heading invalid. The bound of 93 % is the one that an unspoiled walk must hold.
@Suite("Faults on recorded data")
struct RecordedFaultTests {
    /// A fault, from 25 s to 40 s of a walk unless it says otherwise.
    enum Fault: String, CaseIterable, Sendable {
        case none, notANumber, twice, backwards, frozenMagnetometer, frozenAccelerometer, frozenGyroscope, noGyroscope,
            noAccelerometer, noMagnetometer, saturatedAxis, clippedGyroscope, tenHertz, tenHertzThroughout,
            magnetometerAtFiveHertz, silence, scaleUp, scaleTenfold, allZero
    }

    private static func spoil(_ sample: SensorSample, _ fault: Fault, _ memory: inout Memory) -> [SensorSample] {
        let time = Double(sample.bootMicroseconds) * 1e-6
        let isDuring = time >= 25 && time < 40
        let kind = Memory.kind(of: sample)
        defer { memory.index += 1 }
        var spoiled = sample
        switch fault {
        case .none: break
        case .notANumber: if memory.index % 7 == 0 { return [sample.replacing(Vector3(.nan, 0, .infinity)), sample] }
        case .twice: return [sample, sample]
        case .backwards:
            if memory.index % 11 == 0, let old = memory.older { return [sample, old] }
            if memory.index % 11 == 5 { memory.older = sample }
        case .frozenMagnetometer: if kind == 0, isDuring { return [memory.frozen(sample, kind)] }
        case .frozenAccelerometer: if kind == 1, isDuring { return [memory.frozen(sample, kind)] }
        case .frozenGyroscope: if kind == 2, isDuring { return [memory.frozen(sample, kind)] }
        case .noGyroscope: if kind == 2, isDuring { return [] }
        case .noAccelerometer: if kind == 1, isDuring { return [] }
        case .noMagnetometer: if kind == 0, isDuring { return [] }
        case .silence: if isDuring, time < 31 { return [] }
        case .saturatedAxis:
            // The chip's range ends 15 µT above the hard iron of x.
            if kind == 0, let field = sample.vector, time >= 25 {
                spoiled = sample.replacing(Vector3(min(field.x, 58 + 15), field.y, field.z))
            }
        case .clippedGyroscope:
            if kind == 2, let rate = sample.vector {
                spoiled = sample.replacing(Vector3(clip(rate.x), clip(rate.y), clip(rate.z)))
            }
        case .tenHertz: if isDuring, memory.isTooSoon(sample, kind, 100_000) { return [] }
        case .tenHertzThroughout: if memory.isTooSoon(sample, kind, 100_000) { return [] }
        case .magnetometerAtFiveHertz: if kind == 0, memory.isTooSoon(sample, kind, 199_000) { return [] }
        case .scaleUp: if kind == 0, time >= 25, let field = sample.vector { spoiled = sample.replacing(field * 1.2) }
        case .scaleTenfold:
            if kind == 0, time >= 25, let field = sample.vector { spoiled = sample.replacing(field * 10) }
        case .allZero: if kind == 0, isDuring { spoiled = sample.replacing(.zero) }
        }
        memory.last[kind] = spoiled
        return [spoiled]
    }

    /// ±2 rad/s: the smallest range of any gyroscope in use (125°/s).
    private static func clip(_ rate: Double) -> Double { min(2, max(-2, rate)) }

    private struct Memory {
        var index = 0
        var last = [SensorSample?](repeating: nil, count: 3)
        var lastTime = [Int64](repeating: -1_000_000, count: 3)
        var older: SensorSample?

        static func kind(of sample: SensorSample) -> Int {
            switch sample.reading {
            case .magneticField: 0
            case .acceleration: 1
            default: 2
            }
        }
        func frozen(_ sample: SensorSample, _ kind: Int) -> SensorSample {
            last[kind]?.vector.map { sample.replacing($0) } ?? sample
        }
        mutating func isTooSoon(_ sample: SensorSample, _ kind: Int, _ interval: Int64) -> Bool {
            if sample.bootMicroseconds - lastTime[kind] < interval { return true }
            lastTime[kind] = sample.bootMicroseconds
            return false
        }
    }

    @Test("The stated accuracy stays true", arguments: Fault.allCases)
    func honest(fault: Fault) throws {
        let device = try RecordedDevice.walk.get()
        var estimator = HeadingEstimator(stored: try RecordedDevice.known.get())
        estimator.setEarthField(RecordedDevice.earthField)
        var memory = Memory()
        var estimates: [HeadingEstimate] = []
        for sample in device.samples(to: 55) {
            for spoiled in Self.spoil(sample, fault, &memory) {
                if let estimate = estimator.update(spoiled) { estimates.append(estimate) }
            }
        }
        let score = device.score(estimates)
        #expect(score.total > 150)
        // An axis at the end of its range shows no disturbance as long as the strength fits by chance.
        let held = fault == .saturatedAxis ? 0.85 : 0.93
        #expect(score.held >= held, "held \(score.held), rms \(score.rootMeanSquare)")
        // That a gyroscope hangs is seen only when the device has turned for a moment.
        #expect(score.wrong <= (fault == .frozenGyroscope ? 0.03 : 0), "\(score.wrong)")
        #expect(estimates.allSatisfy { $0.attitude.matrix.isFinite && !$0.accuracyDegrees.isNaN })
        switch fault {
        case .notANumber: #expect(estimator.implausibleSamples > 1000)
        case .twice, .backwards: #expect(estimator.lateSamples > 1000)
        case .frozenMagnetometer, .frozenAccelerometer, .frozenGyroscope, .allZero:
            #expect(estimator.frozenSamples > 100)
        default: #expect(estimator.frozenSamples == 0)
        }
        // After the fault the heading is there again.
        let end = device.score(estimates.filter { $0.bootMicroseconds > 50_000_000 })
        if ![.tenHertzThroughout, .clippedGyroscope, .scaleTenfold, .scaleUp, .saturatedAxis].contains(fault) {
            #expect(end.valid > 0.95 && end.rootMeanSquare < 10, "\(end.valid) \(end.rootMeanSquare)")
        }
    }

    @Test(
        "Started in mid-motion, the heading comes within seconds and is true", arguments: [15.0, 30, 45, 60, 75])
    func midMotion(start: Double) throws {
        let device = try RecordedDevice.walk.get()
        var estimator = HeadingEstimator(stored: try RecordedDevice.known.get())
        estimator.setEarthField(RecordedDevice.earthField)
        let estimates = estimator.run(device.samples(from: start, to: start + 45))
        let score = device.score(estimates)
        #expect(score.held >= 0.93 && score.valid > 0.8 && score.rootMeanSquare < 6.5)
    }

    @Test("After six seconds of lost data the heading is as good as before", arguments: [20.0, 40])
    func cut(at start: Double) throws {
        let device = try RecordedDevice.walk.get()
        var estimator = HeadingEstimator(stored: try RecordedDevice.known.get())
        estimator.setEarthField(RecordedDevice.earthField)
        let before = estimator.run(device.samples(to: start))
        let after = estimator.run(device.samples(from: start + 6, to: start + 45))
        let score = device.score(before + after)
        #expect(score.held >= 0.93 && score.valid > 0.9 && score.rootMeanSquare < 6.5)
        #expect(device.score(after).errors.count > 1000)
    }
}

extension SensorSample {
    /// The reading of a sensor with three axes.
    fileprivate var vector: Vector3? {
        switch reading {
        case .magneticField(let vector), .acceleration(let vector), .angularRate(let vector): vector
        default: nil
        }
    }

    /// The same sensor at the same time with other numbers.
    fileprivate func replacing(_ vector: Vector3) -> SensorSample {
        var copy = self
        switch reading {
        case .magneticField: copy.reading = .magneticField(vector)
        case .acceleration: copy.reading = .acceleration(vector)
        case .angularRate: copy.reading = .angularRate(vector)
        default: break
        }
        return copy
    }
}
