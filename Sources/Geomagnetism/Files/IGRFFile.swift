extension CoefficientTable {
    /// The IGRF's table: comments, "c/s deg ord …", "g/h n m 1900.0 … 2025.0 2025-30", then a row for each g and h.
    init(igrf text: FileText) throws(ModelFileError) {
        let rows = text.lines.filter { $0.words[0].first != UInt8(ascii: "#") }
        guard let headerIndex = rows.firstIndex(where: { $0.words[0].elementsEqual("g/h".utf8) }) else {
            throw ModelFileError(line: text.lineCount, "no line 'g/h n m' with the epochs: the file is truncated")
        }
        let header = rows[headerIndex]
        let (epochs, forecastEnd) = try Self.igrfEpochs(header)
        let columns = header.words.count
        var reader = IGRFRows(columns: columns)
        for row in rows[(headerIndex + 1)...] { try reader.read(row) }
        // The table says nowhere how many rows follow; a complete one has had degree 10 since 1900.
        guard reader.atStartOfDegree, reader.n > 10 else {
            throw ModelFileError(
                line: text.lineCount,
                "the file ends before degree \(reader.n) order \(reader.m): it is truncated")
        }
        let sets = reader.values.map { values in
            var set = GaussCoefficients(degree: reader.n - 1)
            set.g = values.g
            set.h = values.h
            return set
        }
        let rates = forecastEnd == nil ? nil : sets.last
        let epochSets = Array(sets.prefix(epochs.count))
        let generation = Self.igrfGeneration(text)
        self.init(
            displayName: generation.map { "IGRF-\($0)" } ?? "IGRF", releaseDate: nil, epochs: epochs,
            sets: epochSets.map { $0.resized(to: $0.usedDegree) }, rates: rates.map { $0.resized(to: $0.usedDegree) },
            validYears: epochs[0]...(forecastEnd ?? epochs[epochs.count - 1]))
    }

    /// The epochs of the header and, if its last column is a forecast "2025-30", the year in which that ends.
    private static func igrfEpochs(
        _ header: FileText.Line
    ) throws(ModelFileError) -> (epochs: [Double], forecastEnd: Double?) {
        guard header.words.count >= 5 else {
            throw ModelFileError(line: header.number, "expected 'g/h n m', the epochs and the forecast")
        }
        var epochs: [Double] = []
        for index in 3..<header.words.count {
            let word = header.words[index]
            if index == header.words.count - 1, let start = epochs.last, isForecast(word, from: start) {
                return (epochs, start + 5)
            }
            let epoch = try header.number(index, "the epoch", limit: 3000)
            try FileLimits.checkYear(epoch, line: header.number)
            guard epochs.last.map({ $0 < epoch }) ?? true else {
                throw ModelFileError(line: header.number, "the epochs do not ascend at \(epoch)")
            }
            epochs.append(epoch)
        }
        return (epochs, nil)
    }

    /// Whether a word is "2025-30" after the epoch 2025.
    private static func isForecast(_ word: ArraySlice<UInt8>, from start: Double) -> Bool {
        let halves = word.split(separator: UInt8(ascii: "-"))
        guard halves.count == 2, let from = strictInt(halves[0]), strictInt(halves[1]) != nil else { return false }
        return Double(from) == start
    }

    /// The 14 of "# 14th Generation".
    private static func igrfGeneration(_ text: FileText) -> Int? {
        for line in text.lines where line.words[0].first == UInt8(ascii: "#") {
            for (word, next) in zip(line.words, line.words.dropFirst())
            where next.elementsEqual("Generation".utf8) || next.elementsEqual("generation".utf8) {
                let digits = word.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                if let number = strictInt(digits) { return number }
            }
        }
        return nil
    }
}

/// Collects the rows "g n m …", "h n m …" in their order.
private struct IGRFRows {
    let columns: Int
    var n = 1
    var m = 0
    var wantsH = false
    /// One for each column of values.
    var values: [(g: [Double], h: [Double])]

    init(columns: Int) {
        self.columns = columns
        values = Array(repeating: ([], []), count: columns - 3)
    }

    var atStartOfDegree: Bool { m == 0 && !wantsH }

    mutating func read(_ row: FileText.Line) throws(ModelFileError) {
        let isH = row.words[0].elementsEqual("h".utf8)
        guard isH || row.words[0].elementsEqual("g".utf8) else {
            throw ModelFileError(
                line: row.number, "a row must begin with g or h, not with '\(printable(row.words[0]))'")
        }
        let foundN = try row.integer(1, "degree n")
        let foundM = try row.integer(2, "order m")
        try FileLimits.checkDegree(foundN, line: row.number)
        try row.expect(n, m, foundN: foundN, foundM: foundM)
        guard isH == wantsH else {
            throw ModelFileError(
                line: row.number,
                "expected \(wantsH ? "h" : "g") of degree \(n) order \(m): a row is missing or doubled")
        }
        guard row.words.count == columns else {
            throw ModelFileError(
                line: row.number, "expected \(columns) columns as in the header, found \(row.words.count)")
        }
        for column in values.indices {
            let value = try row.number(column + 3, isH ? "h" : "g", limit: FileLimits.coefficient)
            if isH {
                values[column].h.append(value)
            } else {
                values[column].g.append(value)
                if m == 0 { values[column].h.append(0) }
            }
        }
        if m > 0, !isH {
            wantsH = true
        } else {
            wantsH = false
            (n, m) = m < n ? (n, m + 1) : (n + 1, 0)
        }
    }
}
