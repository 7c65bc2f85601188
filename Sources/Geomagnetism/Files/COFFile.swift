extension CoefficientTable {
    /// The WMM's format: "epoch name date", rows "n m g h dg dh", ended by rows of nines.
    init(cof text: FileText) throws(ModelFileError) {
        let header = text.lines[0]
        let epoch = try header.number(0, "the epoch", limit: 3000)
        try FileLimits.checkYear(epoch, line: header.number)
        var g: [Double] = []
        var h: [Double] = []
        var rateG: [Double] = []
        var rateH: [Double] = []
        var n = 1
        var m = 0
        var ended = false
        for line in text.lines.dropFirst() {
            if line.words[0].count >= 10, line.words[0].allSatisfy({ $0 == UInt8(ascii: "9") }) {
                ended = true
                continue
            }
            guard !ended else { throw ModelFileError(line: line.number, "text after the closing row of nines") }
            let foundN = try line.integer(0, "degree n")
            let foundM = try line.integer(1, "order m")
            try FileLimits.checkDegree(foundN, line: line.number)
            try line.expect(n, m, foundN: foundN, foundM: foundM)
            guard line.words.count == 6 else {
                throw ModelFileError(
                    line: line.number, "expected the 6 columns n m g h dg/dt dh/dt, found \(line.words.count)")
            }
            g.append(try line.number(2, "g", limit: FileLimits.coefficient))
            h.append(try line.number(3, "h", limit: FileLimits.coefficient))
            rateG.append(try line.number(4, "dg/dt", limit: FileLimits.rate))
            rateH.append(try line.number(5, "dh/dt", limit: FileLimits.rate))
            guard m > 0 || (h[h.count - 1] == 0 && rateH[rateH.count - 1] == 0) else {
                throw ModelFileError(line: line.number, "h and dh/dt of order 0 must be 0")
            }
            (n, m) = m < n ? (n, m + 1) : (n + 1, 0)
        }
        guard ended, m == 0, n > 1 else {
            throw ModelFileError(
                line: text.lineCount,
                "the file ends before degree \(n) order \(m)" + (m == 0 ? " or the closing row of nines" : "")
                    + ": it is truncated")
        }
        var main = GaussCoefficients(degree: n - 1)
        main.g = g
        main.h = h
        var rates = GaussCoefficients(degree: n - 1)
        rates.g = rateG
        rates.h = rateH
        self.init(
            displayName: printable(header.words[1]),
            releaseDate: header.words.count > 2 ? printable(header.words[2]) : nil, epochs: [epoch], sets: [main],
            rates: rates.resized(to: rates.usedDegree), validYears: epoch...(epoch + 5))
    }
}
