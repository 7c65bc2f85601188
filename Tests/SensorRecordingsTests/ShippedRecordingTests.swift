import Foundation
import LocateMeModel
import RecordingFiles
import SensorRecordings
import TestSupport
import Testing

@Suite struct ShippedRecordingTests {
    /// Numbers of lines by `zcat FILE | grep -v '^#' | wc -l` and of field samples by `grep -c ' magn '`.
    @Test(arguments: [
        ("nexus5-walk", 65_664, 6221), ("nexus5-tumble", 43_536, 4837), ("broad-slow-rotation", 75_868, 18_980),
    ])
    func everyLineOfAShippedRecordingIsSound(name: String, lines: Int, magneticFields: Int) throws {
        let reader = try RecordingFileReader(
            path: Repository.file("data/recordings/\(name).lmrec.gz").path, mode: .strict)
        var count = 0
        var fields = 0
        while let record = try reader.next() {
            count += 1
            if case .magneticField = record.sample?.reading { fields += 1 }
        }
        #expect(count == lines)
        #expect(fields == magneticFields)
        #expect(reader.header.isMagneticFieldCalibrated == name.hasPrefix("broad"))
    }
}
