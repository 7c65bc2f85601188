import Geometry
import LocateMeModel
import Testing

/// What was not said must read as unknown: −1 where a negative number means invalid, NaN where any number could be a
/// value, never a number that looks like data.
@Suite("A value that was not given is unknown")
struct UnknownValuesTests {
    @Test("A fix of place and accuracy knows no height, course or speed")
    func fix() {
        let fix = Fix(
            realMicroseconds: 5, bootMicroseconds: 6, latitude: 47.5, longitude: 8.5, horizontalAccuracy: 4)
        #expect(fix.realMicroseconds == 5)
        #expect(fix.bootMicroseconds == 6)
        #expect([fix.latitude, fix.longitude, fix.horizontalAccuracy] == [47.5, 8.5, 4])
        #expect(
            [fix.verticalAccuracy, fix.course, fix.courseAccuracy, fix.speed, fix.speedAccuracy].allSatisfy { $0 < 0 })
        #expect(fix.satellites == -1)
        #expect(fix.flags == [])
        #expect(fix.source == "")
    }

    @Test("A heading without extras knows no declination, dip, field or attitude")
    func heading() {
        let heading = Heading(
            realMicroseconds: 1, bootMicroseconds: 2, magnetic: 90, trueHeading: -1, accuracy: 5,
            field: Vector3(0, 20, -40), orientation: .portrait, calibration: .good, source: .tilt)
        let extras = [
            heading.declination, heading.declinationAccuracy, heading.fieldStrength, heading.inclination,
            heading.expectedField, heading.expectedInclination, heading.turnRate, heading.pitch, heading.roll,
        ]
        for extra in extras { #expect(extra.isNaN) }
        #expect(heading.model == "")
        #expect(!heading.disturbed)
        #expect([heading.magnetic, heading.trueHeading, heading.accuracy] == [90, -1, 5])
    }

    @Test("A sensor that was only named is neither selected nor turned nor scaled")
    func sensor() {
        let sensor = SensorDescription(id: "local:/iio:device0/magn", kind: .magnetometer, name: "ak8975")
        #expect(!sensor.selected)
        #expect(!sensor.buffered)
        #expect(sensor.mountMatrix == .identity)
        #expect(sensor.matrixSource == "identity")
        #expect(sensor.scale == Vector3(1, 1, 1))
        #expect(sensor.ratesHertz.isEmpty)
    }

    @Test("A finding is about no sensor unless it says so")
    func finding() {
        let finding = Finding(code: "no-magnetometer", severity: .error, text: "None found.", remedy: "Plug one in.")
        #expect(finding.sensor == "")
    }

    @Test("Nothing stored means nothing known")
    func storedState() {
        let state = StoredHeadingState()
        #expect(state.magnetometer == nil)
        #expect(state.gyroscope == nil)
        #expect(state.latency == nil)
        #expect(state.createdRealMicroseconds == 0)
        for number in [state.temperature, state.latitude, state.longitude] { #expect(number.isNaN) }
        #expect(state.defect == nil)
    }

    @Test("Field strength is the length of its parts")
    func earthField() {
        // 3² + 4² = 5²
        #expect(EarthField(declination: 0, declinationAccuracy: 1, horizontal: 30, down: 40).total == 50)
        #expect(EarthField(declination: 0, declinationAccuracy: 1, horizontal: 30, down: -40).total == 50)
    }
}
