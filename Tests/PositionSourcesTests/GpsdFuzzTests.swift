import TestSupport
import Testing

@testable import PositionSources

@Suite struct GpsdFuzzTests {
    @Test("Damaged messages of gpsd end in a report or as garbage")
    func damagedMessages() {
        let seeds = [
            #"{"class":"TPV","device":"x","mode":3,"time":"2026-06-12T09:00:00.000Z","lat":47.5,"lon":8.5,"altMSL":400.0,"eph":10.0}"#,
            #"{"class":"SKY","hdop":0.9,"satellites":[{"PRN":1,"el":53.0,"az":280.0,"ss":36.0,"used":true,"gnssid":0}]}"#,
            #"{"class":"DEVICE","path":"/dev/ttyUSB0","activated":0}"#,
            #"{"class":"VERSION","release":"3.22","proto_major":3}"#,
        ]
        Mutator.run(seeds.map { Array($0.utf8) }) { bytes in
            var decoder = GpsdDecoder()
            for line in bytes.split(separator: 10) { _ = decoder.decode(Array(line)) }
        }
    }
}
