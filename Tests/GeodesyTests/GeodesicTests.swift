import Foundation
import Geodesy
import TestSupport
import Testing

/// Against C. F. F. Karney's test set for geodesics (doi 10.5281/zenodo.32156), every 20th line of its short form:
/// random, nearly antipodal, short, near the poles, meridional, equatorial lines, exact to 1e-18 degrees.
@Suite struct GeodesicTests {
    struct Row {
        let latitude1, azimuth1, latitude2, longitude2, azimuth2, metres: Double
    }

    static let rows: [Row] = {
        let text = (try? String(contentsOf: Repository.file("data/geodesy/GeodTest-500.dat"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { line in
            let fields = line.split(separator: " ").map { Double($0) ?? .nan }
            return Row(
                latitude1: fields[0], azimuth1: fields[2], latitude2: fields[3], longitude2: fields[4],
                azimuth2: fields[5], metres: fields[6])
        }
    }()

    @Test func `Bar 6, C7: distances agree with the test set to a millimetre, everywhere on earth`() {
        #expect(Self.rows.count == 500)
        for row in Self.rows {
            let metres = Geodesic.distance(
                fromLatitude: row.latitude1, longitude: 0, toLatitude: row.latitude2, longitude: row.longitude2)
            #expect(abs(metres - row.metres) < 1e-3, "\(row)")
        }
    }

    @Test func `Bar 6, C7: the point in a direction at a distance is that of the test set to a millimetre`() {
        for row in Self.rows {
            let point = Geodesic.destination(
                fromLatitude: row.latitude1, longitude: 0, azimuth: row.azimuth1, metres: row.metres)
            #expect(abs(point.latitude - row.latitude2) < 1e-8, "\(row)")
            let away = Geodesic.distance(
                fromLatitude: point.latitude, longitude: point.longitude, toLatitude: row.latitude2,
                longitude: row.longitude2)
            #expect(away < 1e-3, "\(row)")
        }
    }

    @Test func `Bar 6: directions agree to 1e-9 degrees where they are well defined`() {
        // The first 100 lines are random; the direction of a nearly antipodal line is no well posed question.
        for row in Self.rows.prefix(100) {
            let line = Geodesic.line(
                fromLatitude: row.latitude1, longitude: 0, toLatitude: row.latitude2, longitude: row.longitude2)
            #expect(abs(line.startAzimuth - row.azimuth1) < 1e-9, "\(row)")
            #expect(abs(line.endAzimuth - row.azimuth2) < 1e-9, "\(row)")
        }
    }

    /// GeodSolve -i -p 3 of GeographicLib 2.1.
    @Test(arguments: [
        (39.7392, -104.9847, 40.0, 179.9, 6_218_863.414), (0, 0, 0.5, 179.7, 19_944_127.421),
        (0, 179.9, 0, -179.9, 22_263.898), (90, 0, -90, 0, 20_003_931.459), (90, 17, 90, -60, 0),
        (60, 10, 60, 10, 0),
    ])
    func `Bar 6: the date line, the poles and equal points`(_ line: (Double, Double, Double, Double, Double)) {
        let metres = Geodesic.distance(
            fromLatitude: line.0, longitude: line.1, toLatitude: line.2, longitude: line.3)
        #expect(abs(metres - line.4) < 1e-3)
    }

    /// GeodSolve gives 26.60° for a step of equal degrees at 60°N; a program that takes degrees for metres (GeoClue up to 2.6)
    /// gives 45°.
    @Test func `Bar 5: a step to the north-east at 60 degrees has the direction 26.6`() {
        let line = Geodesic.line(fromLatitude: 60, longitude: 10, toLatitude: 60.001, longitude: 10.001)
        #expect(abs(line.startAzimuth - 26.60) < 0.05)
    }

    @Test func `East is 90 and west 270`() {
        #expect(
            Geodesic.line(fromLatitude: 0, longitude: 0, toLatitude: 0, longitude: 1).startAzimuth == 90)
        #expect(
            Geodesic.line(fromLatitude: 0, longitude: 0, toLatitude: 0, longitude: -1).startAzimuth == 270)
        #expect(Geodesic.line(fromLatitude: 0, longitude: 0, toLatitude: 1, longitude: 0).startAzimuth == 0)
    }

    @Test(arguments: [Double.nan, 91, -91, .infinity])
    func `What is no latitude gives no distance`(latitude: Double) {
        #expect(Geodesic.distance(fromLatitude: latitude, longitude: 0, toLatitude: 0, longitude: 0).isNaN)
        #expect(Geodesic.destination(fromLatitude: latitude, longitude: 0, azimuth: 0, metres: 1).latitude.isNaN)
    }
}
