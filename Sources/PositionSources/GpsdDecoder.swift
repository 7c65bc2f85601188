internal import CLibGPS
internal import Glibc

/// gpsd's JSON to reports, by libgps. Only the parser of the library is used: its sockets block.
struct GpsdDecoder: ~Copyable {
    /// What a message was about.
    enum Message: Hashable, Sendable {
        /// A TPV.
        case report(GpsdReport)
        /// A receiver was unplugged, or gpsd let go of it.
        case deviceGone
        /// Another well-formed message of gpsd.
        case other
        /// Nothing that gpsd says.
        case garbage
    }

    // Some ten kilobytes, and full of arrays that Swift sees as tuples: always behind a pointer.
    private let data: UnsafeMutablePointer<gps_data_t>
    private var buffer: [CChar] = []

    init() {
        data = .allocate(capacity: 1)
        memset(data, 0, MemoryLayout<gps_data_t>.size)
        clear()
    }

    deinit { data.deallocate() }

    /// Decodes one line.
    mutating func decode(_ line: [UInt8]) -> Message {
        var end = line.count
        while end > 0, line[end - 1] == UInt8(ascii: "\r") || line[end - 1] == UInt8(ascii: " ") { end -= 1 }
        switch GpsdEnvelope.messageClass(of: line[..<end]) {
        case nil: return .garbage
        case "TPV", "SKY": break
        case "DEVICE": return Self.isDeviceGone(line[..<end]) ? .deviceGone : .other
        default: return .other
        }
        guard GpsdSyntax.isReport(line[..<end]) else { return .garbage }
        buffer.removeAll(keepingCapacity: true)
        for byte in line[..<end] { buffer.append(CChar(bitPattern: byte)) }
        buffer.append(0)
        clear()
        let status = buffer.withUnsafeMutableBufferPointer { text in
            text.baseAddress.map { gps_unpack($0, data) } ?? -1
        }
        guard status >= 0, data.pointee.set != 0 else { return .garbage }
        return has(Mask.mode) ? .report(report()) : .other
    }

    // MARK: - Private

    /// The bits of `set` that are used; the macros are expressions that Swift does not see.
    private enum Mask {
        static let time: UInt64 = 1 << 2
        static let mode: UInt64 = 1 << 10
    }

    private func has(_ mask: UInt64) -> Bool { UInt64(data.pointee.set) & mask != 0 }

    /// gpsd writes the number 0 for the time at which a device that is gone was activated, where libgps wants a text.
    private static func isDeviceGone(_ line: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: line.prefix(1024), as: UTF8.self)
        return text.contains(#""activated":0}"#) || text.contains(#""activated":0,"#)
    }

    /// Forgets the position before each message, so that a member which it lacks cannot be one of before. The sky view,
    /// which comes in messages of its own, stays.
    private func clear() {
        data.pointee.set = 0
        gps_clear_fix(&data.pointee.fix)
    }

    private func report() -> GpsdReport {
        let fix = data.pointee.fix
        var report = GpsdReport()
        report.mode = fix.mode
        report.status = GpsdReport.Status(rawValue: fix.status)
        // 9999-12-31; beyond, the arithmetic of times would overflow.
        if has(Mask.time), fix.time.tv_sec > 0, fix.time.tv_sec < 253_402_300_800 {
            report.realMicroseconds = Int64(fix.time.tv_sec) * 1_000_000 + Int64(fix.time.tv_nsec) / 1000
        }
        report.latitude = fix.latitude
        report.longitude = fix.longitude
        report.altitude = fix.altMSL
        report.ellipsoidalAltitude = fix.altHAE
        report.course = fix.track
        report.speed = fix.speed
        report.horizontalError = fix.eph
        report.eastError = fix.epx
        report.northError = fix.epy
        report.verticalError = fix.epv
        report.speedError = fix.eps
        report.courseError = fix.epd
        let dilution = data.pointee.dop.hdop
        if dilution > 0 { report.horizontalDilution = dilution }
        let satellites = Int(data.pointee.satellites_used)
        if satellites > 0 { report.satellites = satellites }
        return report
    }
}
