extension CoefficientTable {
    /// The SHC format: comments, "Nmin Nmax Ntimes order step [t0 t1]", the epochs, rows "n m values" in which m < 0
    /// holds h. Only piecewise linear series (order 2) and single epochs are read.
    init(shc text: FileText) throws(ModelFileError) {
        let rows = text.lines.filter { $0.words[0].first != UInt8(ascii: "#") }
        let header = rows[0]
        let lowest = try header.integer(0, "the lowest degree")
        let highest = try header.integer(1, "the highest degree")
        let count = try header.integer(2, "the number of epochs")
        let order = try header.integer(3, "the spline order")
        try FileLimits.checkDegree(highest, line: header.number)
        guard lowest >= 1, lowest <= highest, count >= 1, count <= 1000 else {
            throw ModelFileError(
                line: header.number, "degrees \(lowest) to \(highest) at \(count) epochs make no model")
        }
        guard count == 1 || order == 2 else {
            throw ModelFileError(
                line: header.number,
                "a spline of order \(order) over \(count) epochs; only linear ones (order 2) can be used")
        }
        guard rows.count > 1 else {
            throw ModelFileError(line: text.lineCount, "no line with the epochs: the file is truncated")
        }
        let epochs = try Self.shcEpochs(rows[1], count: count)
        var sets = Array(repeating: GaussCoefficients(degree: highest), count: count)
        var n = lowest
        var m = 0
        for row in rows.dropFirst(2) {
            let foundN = try row.integer(0, "degree n")
            let foundM = try row.integer(1, "order m")
            guard n <= highest else {
                throw ModelFileError(line: row.number, "a row after the last one of degree \(highest)")
            }
            try row.expect(n, m, foundN: foundN, foundM: foundM)
            guard row.words.count == count + 2 else {
                throw ModelFileError(
                    line: row.number, "expected n, m and \(count) values, found \(row.words.count) columns")
            }
            let index = GaussCoefficients.index(n, abs(m))
            for i in 0..<count {
                let value = try row.number(i + 2, m < 0 ? "h" : "g", limit: FileLimits.coefficient)
                if m < 0 { sets[i].h[index] = value } else { sets[i].g[index] = value }
            }
            // The orders of a degree come as 0, 1, −1, 2, −2, …
            if m > 0 {
                m = -m
            } else if -m < n {
                m = -m + 1
            } else {
                (n, m) = (n + 1, 0)
            }
        }
        guard n == highest + 1 else {
            throw ModelFileError(
                line: text.lineCount, "the file ends before degree \(n) order \(m): it is truncated")
        }
        self.init(
            displayName: Self.shcName(text), releaseDate: nil, epochs: epochs,
            sets: sets.map { $0.resized(to: $0.usedDegree) }, rates: nil,
            validYears: try Self.shcValidity(header, epochs: epochs))
    }

    private static func shcEpochs(_ line: FileText.Line, count: Int) throws(ModelFileError) -> [Double] {
        guard line.words.count == count else {
            throw ModelFileError(line: line.number, "expected \(count) epochs, found \(line.words.count)")
        }
        var epochs: [Double] = []
        for index in 0..<count {
            let epoch = try line.number(index, "the epoch", limit: 3000)
            try FileLimits.checkYear(epoch, line: line.number)
            guard epochs.last.map({ $0 < epoch }) ?? true else {
                throw ModelFileError(line: line.number, "the epochs do not ascend at \(epoch)")
            }
            epochs.append(epoch)
        }
        return epochs
    }

    /// The years t0 … t1 of the header, or the span of the epochs.
    private static func shcValidity(
        _ header: FileText.Line, epochs: [Double]
    ) throws(ModelFileError) -> ClosedRange<Double> {
        guard header.words.count >= 7 else { return epochs[0]...epochs[epochs.count - 1] }
        let start = try header.number(5, "the start of validity", limit: 3000)
        let end = try header.number(6, "the end of validity", limit: 3000)
        try FileLimits.checkYear(start, line: header.number)
        try FileLimits.checkYear(end, line: header.number)
        guard start <= end else {
            throw ModelFileError(line: header.number, "the validity ends (\(end)) before it starts (\(start))")
        }
        return start...end
    }

    /// The first comment: "# IGRF 14" gives "IGRF-14".
    private static func shcName(_ text: FileText) -> String {
        guard let line = text.lines.first, line.words[0].first == UInt8(ascii: "#") else { return "SHC" }
        let words = line.words.map { printable($0) }.filter { $0 != "#" }
        guard !words.isEmpty else { return "SHC" }
        return String(words.prefix(4).joined(separator: "-").prefix(60))
    }
}
