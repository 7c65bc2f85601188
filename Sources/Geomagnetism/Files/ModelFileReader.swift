extension MagneticModel {
    /// A model from the bytes of a coefficient file: a `.COF` of the WMM or WMMHR, an `igrfNNcoeffs.txt` of the IGRF,
    /// or an `.shc`. The format is found from the content.
    /// - Throws: `ModelFileError` with the line for anything that is not a complete, sound file.
    public init(coefficientFile bytes: [UInt8]) throws(ModelFileError) {
        let table = try CoefficientTable(file: bytes)
        let name = table.displayName.lowercased().filter { $0.isLetter || $0.isNumber }
        self.init(name: name, table: table)
    }

    /// The same from text.
    public init(coefficientFile text: String) throws(ModelFileError) {
        try self.init(coefficientFile: Array(text.utf8))
    }
}

extension CoefficientTable {
    init(file bytes: [UInt8]) throws(ModelFileError) {
        let text = try FileText(bytes)
        guard let first = text.lines.first(where: { $0.words[0].first != UInt8(ascii: "#") }) else {
            throw ModelFileError(line: nil, "the file is empty")
        }
        let word = String(decoding: first.words[0].prefix(4), as: UTF8.self)
        if word == "c/s" || word == "g/h" {
            self = try CoefficientTable(igrf: text)
        } else if first.words.count >= 5, first.words.prefix(3).allSatisfy({ strictInt($0) != nil }) {
            self = try CoefficientTable(shc: text)
        } else if (2...4).contains(first.words.count), strictDouble(first.words[0]) != nil {
            self = try CoefficientTable(cof: text)
        } else {
            throw ModelFileError(
                line: first.number,
                "this begins no coefficient file: expected the header of a COF file (epoch, name, date), of an IGRF "
                    + "table (c/s deg ord ...) or of an SHC file (degrees, number of epochs ...)")
        }
    }
}

/// Limits of what a coefficient file may hold, and helpers that the formats share.
enum FileLimits {
    /// nT; the largest coefficient, the dipole's, has 3·10⁴.
    static let coefficient = 1e6
    /// nT a year; the largest has some 10.
    static let rate = 1e5

    /// A decimal year within the reach of any model.
    static func checkYear(_ year: Double, line: Int) throws(ModelFileError) {
        guard year >= 1000, year <= 3000 else {
            throw ModelFileError(line: line, "the epoch \(year) is not a year from 1000 to 3000")
        }
    }

    /// A degree that can be handled.
    static func checkDegree(_ degree: Int, line: Int) throws(ModelFileError) {
        guard (1...CoefficientTable.maximumDegree).contains(degree) else {
            throw ModelFileError(
                line: line, "degree \(degree) is not within 1 and \(CoefficientTable.maximumDegree)")
        }
    }
}
