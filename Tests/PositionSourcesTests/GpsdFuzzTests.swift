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

    /// Found by trying damaged messages; the first two are sound JSON.
    @Test(
        "What keeps libgps 3.22 busy for ever is garbage",
        arguments: [
            #"{"class":"SKY","hdop":0.9,"*atellites":[{"class":"SKY","PRN":1,",l":53.0,"az":280.0,"ss":36.0,"use=":true,"gnssid":0}]}"#,
            #"{"class":"SKY","hdop":0.9,"sat,llites":[{"PRN":1,"ss":36.0,"class":"TPV","device":"x","mode":3,"used":true}]}"#,
            #"{"class":"SKY""class":"SKY","hdop":0.9,"satelli:es":[{"PRN":1,"el"280.0,"ss":36.0,"used":true,"gnssi":0}]}"#,
            #"{"class":"TPV","device":.x","mode":3,"lat":47.5,"altMSL":400"class":"SKY","hdop":0.9,"sa":[{"PRN":1,".0,"eph":10.0}"#,
            #"{"class":"TPV","device":"x","mode":3,"lat":47.5,Mlon":8.5,"altMSL":400.0,"eph":10{"class":"TPV","device":".0}"#,
            #"{"class":"SKY","hdop":60.9,"satellites":[{"PRN":1,"l":53.0,"az""class":"TPV","device":":280.0,"used":true,.gnssid":0}]}"#,
        ])
    func endlessMessages(line: String) {
        var decoder = GpsdDecoder()
        #expect(decoder.decode(Array(line.utf8)) == .garbage)
    }

    @Test("Texts with escapes, exponents and all kinds of values are still read")
    func soundMessages() {
        var decoder = GpsdDecoder()
        let sky =
            #"{"class":"SKY","device":"/dev/\u00e9\"\\","hdop":9e-1,"satellites":[{"PRN":1,"el":-1.5,"used":true,"x":null},{}]}"#
        #expect(decoder.decode(Array(sky.utf8)) != .garbage)
        #expect(decoder.decode(Array(#"{"class":"SKY","satellites":[]}"#.utf8)) != .garbage)
    }
}
