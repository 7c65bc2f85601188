import CompassDiagnosis
import Foundation
import Geometry
import LocateMeModel
import TestSupport
import Testing

/// A simulated phone whose axes are known; chips that are mounted otherwise are made by turning what they deliver.
struct AxisTests {
    private static let mirrored = Matrix3(diagonal: Vector3(1, 1, -1))

    @Test func `There are 24 turns of axes, all different, and 24 mirror images`() {
        #expect(AxisTurn.proper.count == 24 && Set(AxisTurn.all).count == 48)
        #expect(AxisTurn.proper.first == .identity)
        #expect(AxisTurn.proper.allSatisfy { $0.determinant == 1 && $0 * $0.transposed == .identity })
    }

    @Test func `Matrices are written as the kernel writes them`() {
        #expect(
            AxisTurn.text(Matrix3(Vector3(0, 1, 0), Vector3(-0.984808, 0, 0.173648), Vector3(0, 0, -1)))
                == "0, 1, 0; -0.984808, 0, 0.173648; 0, 0, -1")
        #expect(
            AxisTurn.text(Matrix3(diagonal: Vector3(-0.05, 1.5, 1e-9))) == "-0.050000, 0, 0; 0, 1.500000, 0; 0, 0, 0")
    }

    @Test func `A phone that is right has nothing wrong`() {
        let (health, context) = Samples.health(Samples.tumble, earthField: Samples.field)
        #expect(health.axes.judgement(inclination: 63.4)?.agrees == true)
        #expect(health.findings(context) == [])
    }

    @Test(arguments: AxisTurn.all.filter { $0 != .identity })
    func `Each of the 47 wrong ways to mount a magnetometer is found, with the matrix that puts it right`(turn: Matrix3)
    {
        // 63.4° north of the equator, so the dip tells mirrored axes from turned ones.
        var axes = AxisAgreement()
        Self.feed(Samples.turned(Samples.tumble, magnetometer: turn)) { axes.update(force: $0, field: $1) }
        let judgement = axes.judgement(inclination: 63.4)
        #expect(judgement?.matrix == turn.transposed, "\(AxisTurn.text(turn))")
        // Without a place the answer is that turn or its negative, whichever is right-handed.
        let right = turn.determinant > 0 ? turn.transposed : turn.transposed * -1
        #expect(axes.judgement()?.matrix == right)
    }

    private static func feed(_ samples: [SensorSample], _ take: (Vector3, Vector3) -> Void) {
        var force: Vector3?
        for sample in samples {
            switch sample.reading {
            case .acceleration(let value): force = value
            case .magneticField(let field): if let force { take(force, field) }
            default: break
            }
        }
    }

    @Test(arguments: [
        (Matrix3(diagonal: Vector3(1, 1, -1)), "magn-z-inverted"),
        (Matrix3(diagonal: Vector3(-1, 1, 1)), "magn-axes-left-handed"),
        (Matrix3(diagonal: Vector3(1, -1, -1)), "magn-axes-disagree"),
        (Matrix3(Vector3(0, 1, 0), Vector3(1, 0, 0), Vector3(0, 0, -1)), "magn-axes-disagree"),
        (Matrix3(Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1)), "accel-and-magn-frames-differ"),
    ])
    func `A wrong magnetometer is named and blamed, since accelerometer and gyroscope fit`(turn: Matrix3, code: String)
        throws
    {
        let samples = Samples.turned(Samples.tumble, magnetometer: turn)
        let (health, context) = Samples.health(samples, earthField: Samples.field)
        let found = try #require(health.findings(context).first { Samples.axisCodes.contains($0.code) })
        #expect(found.code == code && found.severity == .error)
        #expect(found.text.contains("the magnetometer's matrix is wrong"), "\(found.text)")
        #expect(!found.text.contains("or the accelerometer's"), "\(found.text)")
        #expect(found.remedy.contains(AxisTurn.text(turn.transposed)), "\(found.remedy)")
    }

    @Test func `An accelerometer that is turned is blamed, since magnetometer and gyroscope fit`() throws {
        let turn = Matrix3(Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))
        let samples = Samples.turned(Samples.tumble, accelerometer: turn)
        let (health, context) = Samples.health(samples, earthField: Samples.field)
        let found = try #require(health.findings(context).first { Samples.axisCodes.contains($0.code) })
        #expect(found.code == "accel-axes-disagree")
        #expect(found.remedy.contains(AxisTurn.text(turn.transposed)), "\(found.remedy)")
    }

    @Test func `An accelerometer that counts gravity's pull is found at a known place, and not blamed without one`()
        throws
    {
        let samples = Samples.turned(Samples.tumble, accelerometer: Matrix3.identity * -1)
        var (health, context) = Samples.health(samples, earthField: Samples.field)
        let codes = health.findings(context).map(\.code)
        #expect(codes.contains("accel-sign-down"), "\(codes)")
        context.earthField = nil
        #expect(!health.findings(context).map(\.code).contains { Samples.axisCodes.contains($0) })
        // South of the equator, where the field points up, the same readings are right.
        context.earthField = EarthField(declination: 0, declinationAccuracy: 1, horizontal: 21.5, down: -43)
        #expect(!health.findings(context).map(\.code).contains("accel-sign-down"))
        health = CompassHealth()
    }

    @Test func `Hard iron a hundred times the earth's field hides nothing`() {
        let turn = Matrix3(Vector3(0, 0, 1), Vector3(1, 0, 0), Vector3(0, 1, 0))
        var axes = AxisAgreement()
        Self.feed(Samples.turned(Samples.tumble, magnetometer: turn)) {
            axes.update(force: $0, field: $1 + Vector3(3500, -1200, 800))
        }
        #expect(axes.judgement()?.matrix == turn.transposed)
    }

    @Test func `Turning on a table alone says nothing of the axes, whatever they are`() {
        for turn in AxisTurn.proper.prefix(6) {
            var axes = AxisAgreement()
            for step in 0..<400 {
                let angle = Double(step) * 0.05
                let field = Vector3(-21.5 * angle.sine, 21.5 * angle.cosine, -43)
                axes.update(force: Vector3(0, 0, 9.80665), field: turn * field)
            }
            #expect(axes.judgement(inclination: 63.4) == nil)
        }
    }

    @Test func `Tilting about one axis with a hand's wobble says nothing of the axes, whatever they are`() {
        for turn in AxisTurn.proper {
            var axes = AxisAgreement()
            for step in 0..<400 {
                let tilt = Quaternion(rotationVector: Vector3(1.2 * (Double(step) * 0.05).sine, 0, 0)).matrix
                let wobble = Quaternion(rotationVector: Vector3(0, 0.1 * (Double(step) * 0.31).sine, 0)).matrix
                let device = wobble * tilt
                axes.update(
                    force: device * Vector3(0, 0, 9.80665),
                    field: turn * (device * Vector3(0, 21.5, -43)) + Vector3(60, -54, 410))
            }
            #expect(axes.count >= 40)
            #expect(axes.judgement(inclination: 63.4) == nil, "\(AxisTurn.text(turn))")
        }
    }

    /// The Nexus 5 of the recording has a hard iron of 420 µT; `headingctl mount --from` finds its axes right.
    @Test(arguments: [0.0, 0.2, 0.4, 0.6, 0.8])
    func `A recorded phone with much hard iron is never blamed, wherever the look at it starts and ends`(start: Double)
        throws
    {
        let samples = try Samples.recording(
            Repository.file("data/recordings/nexus5-tumble.lmrec.gz").path
        ).samples
        let first = Int(start * Double(samples.count))
        var axes = AxisAgreement()
        var force: Vector3?
        var next = 0
        var judged = 0
        // Around the end, as a replay that loops goes.
        for (index, sample) in (samples[first...] + samples[..<first]).enumerated() {
            switch sample.reading {
            case .acceleration(let value): force = value
            case .magneticField(let field): if let force { axes.update(force: force, field: field) }
            default: break
            }
            guard index >= next else { continue }
            next = index + 250
            if let judgement = axes.judgement() {
                judged += 1
                #expect(judgement.agrees, "after \(index) samples: \(AxisTurn.text(judgement.matrix))")
            }
        }
        #expect(judged > 0)
    }
}
