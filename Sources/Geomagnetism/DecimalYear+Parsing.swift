extension DecimalYear {
    /// Reads a decimal year or an ISO 8601 date: "2026.12", "2026", "2026-02", "2026-02-14", "2026-02-14T09:30",
    /// "2026-02-14T09:30:15.5Z", "2026-02-14T09:30:15+01:00". Without an offset a time is UTC.
    /// - Throws: `.badDate`, saying what was expected.
    public init(parsing text: String) throws(GeomagnetismError) {
        var reader = DateReader(text: text)
        self = try reader.decimalYear()
    }
}

/// Reads the characters of a date from left to right.
private struct DateReader {
    let text: String
    let bytes: [UInt8]
    var position = 0

    init(text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    mutating func decimalYear() throws(GeomagnetismError) -> DecimalYear {
        if bytes.dropFirst().contains(UInt8(ascii: "-")) || bytes.contains(UInt8(ascii: ":")) { return try isoDate() }
        guard let number = strictDouble(bytes[...]), number >= 1, number < 10000 else { throw failure() }
        return DecimalYear(number)
    }

    private mutating func isoDate() throws(GeomagnetismError) -> DecimalYear {
        let year = try integer(digits: 4)
        try expect("-")
        let month = try integer(digits: 2)
        var day = 1
        var seconds = 0.0
        if position < bytes.count {
            try expect("-")
            day = try integer(digits: 2)
            if position < bytes.count { seconds = try timeOfDay() }
        }
        do {
            return try DecimalYear(year: year, month: month, day: day, secondOfDay: seconds)
        } catch { throw failure() }
    }

    /// Seconds since midnight UTC, after the "T" or blank that begins a time.
    private mutating func timeOfDay() throws(GeomagnetismError) -> Double {
        guard accept("T") || accept("t") || accept(" ") else { throw failure() }
        let hour = try integer(digits: 2)
        try expect(":")
        let minute = try integer(digits: 2)
        var second = 0.0
        if accept(":") {
            second = Double(try integer(digits: 2))
            if accept(".") { second += try fraction() }
        }
        guard hour < 24, minute < 60, second < 61 else { throw failure() }
        var offset = 0
        if !accept("Z"), !accept("z"), position < bytes.count {
            let sign = accept("+") ? 1 : accept("-") ? -1 : 0
            let hours = try integer(digits: 2)
            _ = accept(":")  // both +01:00 and +0100 are in use
            let minutes = try integer(digits: 2)
            guard sign != 0, hours < 24, minutes < 60 else { throw failure() }
            offset = sign * (hours * 60 + minutes)
        }
        guard position == bytes.count else { throw failure() }
        return Double(hour * 3600 + (minute - offset) * 60) + second
    }

    private mutating func fraction() throws(GeomagnetismError) -> Double {
        var value = 0.0
        var weight = 0.1
        let start = position
        while position < bytes.count, let digit = digit(bytes[position]) {
            value += weight * Double(digit)
            weight /= 10
            position += 1
        }
        guard position > start else { throw failure() }
        return value
    }

    private mutating func integer(digits: Int) throws(GeomagnetismError) -> Int {
        var value = 0
        for _ in 0..<digits {
            guard position < bytes.count, let digit = digit(bytes[position]) else { throw failure() }
            value = value * 10 + digit
            position += 1
        }
        return value
    }

    private mutating func expect(_ character: Character) throws(GeomagnetismError) {
        guard accept(character) else { throw failure() }
    }

    private mutating func accept(_ character: Character) -> Bool {
        guard position < bytes.count, bytes[position] == character.asciiValue else { return false }
        position += 1
        return true
    }

    private func digit(_ byte: UInt8) -> Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
    }

    private func failure() -> GeomagnetismError {
        GeomagnetismError(
            .badDate,
            "'\(printable(bytes[...]))' is not a date; give a decimal year such as 2026.12 or an ISO date such as "
                + "2026-02-14 or 2026-02-14T09:30:00Z")
    }
}
