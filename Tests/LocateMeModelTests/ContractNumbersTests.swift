import LocateMeModel
import Testing

/// The numbers and words that cross the bus: the types and enumerations of org.locateme. Changing one breaks every
/// client that was built before.
@Suite("Numbers and words of the bus contract")
struct ContractNumbersTests {
    @Test("Calibration: 0 unknown, 1 uncalibrated, 2 coarse, 3 good, 4 very good, in this order")
    func calibration() {
        let scale: [CalibrationQuality] = [.unknown, .uncalibrated, .coarse, .good, .veryGood]
        #expect(scale.map(\.rawValue) == [0, 1, 2, 3, 4])
        #expect(scale.shuffled().sorted() == scale)
        #expect(CalibrationQuality(rawValue: 5) == nil)
    }

    @Test("Orientation: 1 portrait, 2 upside down, 3 landscape left, 4 landscape right; 0 is no orientation")
    func orientation() {
        let all: [HeadingOrientation] = [.portrait, .upsideDown, .landscapeLeft, .landscapeRight]
        #expect(all.map(\.rawValue) == [1, 2, 3, 4])
        #expect(Set(HeadingOrientation.allCases) == Set(all))
        #expect(HeadingOrientation(rawValue: 0) == nil)
        #expect(HeadingOrientation(rawValue: 5) == nil)
    }

    @Test("Source states: 1 off, 2 starting, 3 ok, 4 lost, 5 failed")
    func sourceStates() {
        #expect([SourceState.off, .starting, .ok, .lost, .failed].map(\.rawValue) == [1, 2, 3, 4, 5])
        #expect(SourceState(rawValue: 0) == nil)
    }

    @Test(
        "Kinds of sensors in the list of sources",
        arguments: [
            (.magnetometer, "iio-magn"), (.accelerometer, "iio-accel"), (.gyroscope, "iio-gyro"),
            (.hubHeading, "iio-rot"),
        ] as [(SensorKind, String)])
    func sensorKinds(kind: SensorKind, word: String) {
        #expect(kind.sourceKind == word)
    }

    @Test("Every kind of sensor has its own word")
    func distinctKinds() {
        #expect(Set(SensorKind.allCases.map(\.sourceKind)).count == SensorKind.allCases.count)
    }

    @Test(
        "Words for what a heading was made from",
        arguments: [
            (.fused9, "fused-9"), (.fused6, "fused-6"), (.tilt, "tilt"), (.flat, "flat"), (.hub, "hub"),
        ] as [(HeadingSource, String)])
    func headingSources(source: HeadingSource, word: String) {
        #expect(source.rawValue == word)
        #expect(HeadingSource(rawValue: word) == source)
    }

    @Test(
        "Flags of a fix",
        arguments: [
            (.simulated, 1), (.deadReckoned, 2), (.mapMatched, 4), (.reduced, 8), (.cached, 16), (.bestAvailable, 32),
            (.fixed, 64), (.timeRepaired, 128), (.accessory, 256), (.clockUnsure, 512),
        ] as [(Fix.Flags, UInt32)])
    func fixFlags(flag: Fix.Flags, bit: UInt32) {
        #expect(flag.rawValue == bit)
        #expect(Fix.Flags(rawValue: 1023).contains(flag))
        #expect(!Fix.Flags(rawValue: 1023 & ~bit).contains(flag))
    }

    @Test("Severities of a finding are words that people read")
    func severities() {
        #expect([Finding.Severity.info, .warning, .error].map(\.rawValue) == ["info", "warning", "error"])
    }
}
