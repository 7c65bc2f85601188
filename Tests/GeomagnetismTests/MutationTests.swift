import Foundation
import Geomagnetism
import TestSupport
import Testing

@Suite struct MutationTests {
    @Test("Damaged coefficient files end in a model that answers or in a reason")
    func damagedModels() throws {
        // The heads, where the structure is, of each of the three formats.
        let seeds = try ["WMM_2025.COF", "igrf14coeffs.txt", "IGRF14.shc"].map { file in
            Array(try Data(contentsOf: Repository.file("data/geomagnetic/\(file)")))
        }
        Mutator.run(seeds + seeds.map { Array($0.prefix(1500)) }, count: 600) { bytes in
            guard let model = try? MagneticModel(coefficientFile: bytes) else { return }
            let field = try? model.components(
                latitude: 47, longitude: 11, height: 500, year: model.validYears.lowerBound)
            let isSound = field.map { $0.north.isFinite && $0.east.isFinite && $0.down.isFinite } ?? true
            if !isSound { Issue.record("\(bytes)") }
        }
    }
}
