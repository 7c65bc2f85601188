internal import Geomagnetism
internal import LocateMeModel

/// What is wrong and what to do about it: the sensors' own findings, and what only the daemon can see.
enum Diagnosis {
    static func findings(_ headings: HeadingService, _ declination: DeclinationService) -> [Finding] {
        var findings = headings.source.diagnose()
        if let reason = headings.unavailableReason, !findings.contains(where: { $0.severity == .error }) {
            findings.append(
                Finding(
                    code: "no-magnetometer", severity: .error, text: "There is no compass: \(reason).",
                    remedy: "Connect a magnetometer with a kernel driver, or name its context with --iio-uri."))
        }
        if headings.scaleFactor != 1 {
            findings.append(
                Finding(
                    code: "magn-scale-off", severity: .warning,
                    text:
                        "The magnetometer reports a field that is off by a power of ten; it is multiplied by \(headings.scaleFactor).",
                    remedy: "Report the fault to the driver's authors; the repair is kept with the device."))
        }
        findings += headings.memoryFindings
        findings += headings.healthFindings.filter { found in !findings.contains { $0.code == found.code } }
        if headings.hasJudgedAxes == false, !findings.contains(where: { $0.severity == .error }) {
            findings.append(
                Finding(
                    code: "axes-not-judged", severity: .info,
                    text: "Whether the sensors' axes fit each other is not known yet: too few attitudes were seen.",
                    remedy: "Turn the device through all directions while headings are on, as with headingctl doctor."))
        }
        if declination.isClockUnset {
            findings.append(
                Finding(
                    code: "clock-unset", severity: .warning,
                    text: "The clock was never set, so there is no declination and no true heading.",
                    remedy: "Set the clock, or let a time service do it; the declination follows by itself."))
        } else if declination.isExpired {
            findings.append(
                Finding(
                    code: "magnetic-model-expired", severity: .warning,
                    text: "Today lies outside of the years of \(declination.model.displayName).",
                    remedy: "Check the clock, or give a newer coefficient file with --magnetic-model."))
        }
        if declination.context.field == nil, !declination.isClockUnset {
            findings.append(
                Finding(
                    code: "no-place", severity: .info, text: "No place is known, so there is no true heading.",
                    remedy: "Start gpsd with a receiver, or set a place with --place or in /etc/geolocation."))
        }
        return findings
    }
}
