internal import Glibc
public import LocateMeModel
public import NMEASentences

/// What the daemon writes in NMEA 0183 and Signal K for plotters and autopilots, and where to.
public struct MarineSettings: Hashable, Sendable {
    /// Where sentences go; none by default.
    public var outputs: [SinkAddress] = []
    /// Where the same goes as deltas of Signal K; none by default.
    public var signalKOutputs: [SinkAddress] = []
    /// What is written. By default nothing that tells where the device is, be it roughly: that goes out only when the
    /// administrator names it.
    public var sentences: [MarineSentence] = [.hdg, .hdm, .rot]
    /// How often headings are written, in Hz.
    public var rateHertz = 10.0
    /// How often places are written, in Hz.
    public var placeRateHertz = 1.0
    /// The edge of the device that points where the boat does.
    public var orientation = HeadingOrientation.portrait

    /// True if a sentence is to be written that tells where the device is; then HDG's variation is filled in as well.
    public var tellsWhere: Bool { sentences.contains(where: \.tellsWhere) }

    static func output(
        _ text: String, port: UInt16 = SinkAddress.standardPort
    ) throws(UsageError) -> SinkAddress {
        guard let address = SinkAddress(text, port: port), address != .standardOutput else {
            throw UsageError(
                "'\(text)' is no output; write pty:LINK, udp:ADDRESS[:PORT] or tcp[:ADDRESS][:PORT], such as udp:192.0.2.255"
            )
        }
        // A service that waits for a name server at its start serves nobody meanwhile.
        guard address.host.map(isNumeric) ?? true else {
            throw UsageError("'\(text)': write localhost or a numeric address; names are not looked up")
        }
        return address
    }

    static func sentences(_ text: String) throws(UsageError) -> [MarineSentence] {
        guard let kinds = MarineSentence.list(text.filter { !$0.isWhitespace }) else {
            throw UsageError(
                "'\(text)' is no list of sentences; write some of \(MarineSentence.allCases.map(\.rawValue).joined(separator: ","))"
            )
        }
        return kinds
    }

    static func orientation(_ text: String) throws(UsageError) -> HeadingOrientation {
        switch text {
        case "portrait": return .portrait
        case "upside-down": return .upsideDown
        case "landscape-left": return .landscapeLeft
        case "landscape-right": return .landscapeRight
        default:
            throw UsageError(
                "'\(text)' is no orientation; write portrait, upside-down, landscape-left or landscape-right")
        }
    }

    static func rate(_ text: String, within range: ClosedRange<Double>) throws(UsageError) -> Double {
        guard let number = Double(strict: text), range.contains(number) else {
            throw UsageError("'\(text)' is no rate; write Hz from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func isNumeric(_ host: String) -> Bool {
        var address = in6_addr()
        return host == "localhost" || inet_pton(AF_INET, host, &address) == 1
            || inet_pton(AF_INET6, host, &address) == 1
    }
}
