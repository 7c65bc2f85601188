import TestSupport
import Testing

@testable import LocateMeDaemon

@Suite struct ConfigurationFuzzTests {
    @Test("Damaged configurations are refused with a reason or read, and never end the program")
    func damagedConfigurations() {
        let sound = """
            [daemon]
            bus = system
            log-level = info
            idle-exit = 0
            [sensors]
            iio-uri = local: ip:192.0.2.7
            [place]
            place = 47.377,8.542,408
            gpsd = [::1]:2947
            nmea = tty:/dev/ttyACM0:4800 tcp:[fe80::1]:10110 udp:239.192.0.1:60001,checksum=optional unix:/run/nmea
            geoclue = yes
            modemmanager = no
            """
        Mutator.run([Array(sound.utf8)]) { bytes in
            var configuration = DaemonConfiguration()
            do throws(UsageError) {
                _ = try ConfigurationText.apply(String(decoding: bytes, as: UTF8.self), file: "f", to: &configuration)
            } catch {
                if error.description.isEmpty { Issue.record("no reason for \(bytes)") }
            }
        }
    }
}
