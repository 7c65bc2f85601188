import Geometry
import LocateMeModel

/// Reads the lines of a stored heading state.
struct StoredStateParser {
    private let device: String?
    private var state = StoredHeadingState()
    private var seen: Set<String> = []
    private var softIron: Matrix3?
    private var hardIron: (value: Vector3, sigma: Double)?
    private var covariance: Matrix3?
    private var fit: [Double]?
    private var gyroScale: StoredHeadingState.Gyroscope.Scale?

    /// A parser that accepts only one device's state, if `device` is given.
    init(device: String?) { self.device = device }

    /// Takes one line.
    mutating func take(_ line: Substring, number: Int) throws(StoredStateError) {
        let words = line.split(separator: " ")
        guard number > 1 else { return try takeFirst(words) }
        guard let word = words.first else { return }
        guard seen.insert(String(word)).inserted else {
            throw StoredStateError(.format, line: number, "'\(word)' appears twice")
        }
        let rest = words.dropFirst()
        switch word {
        case "device": try check(device: rest.joined(separator: " "), line: number)
        case "source": state.source = rest.joined(separator: " ")
        case "created":
            guard rest.count == 1, let text = rest.first, let time = Int64(text), time >= 0 else {
                throw StoredStateError(.value, line: number, "'created' needs microseconds since the Unix epoch")
            }
            state.createdRealMicroseconds = time
        default: try take(word, numbers: try numbers(rest, line: number), line: number)
        }
    }

    private func takeFirst(_ words: [Substring]) throws(StoredStateError) {
        guard words.count == 2, words[0] == "locateme-state" else {
            throw StoredStateError(.format, line: 1, "not a heading state: it should begin with 'locateme-state 1'")
        }
        guard Int(words[1]) == StoredHeadingStateText.version else {
            throw StoredStateError(
                .version, line: 1,
                "version \(words[1]) of the heading state is unknown; this program reads version "
                    + "\(StoredHeadingStateText.version)")
        }
    }

    private func check(device named: String, line: Int) throws(StoredStateError) {
        if let device, device != named {
            throw StoredStateError(
                .device, line: line,
                "the state belongs to the device '\(named)', not to '\(device)'; calibrate this one")
        }
    }

    private func numbers(
        _ words: ArraySlice<Substring>, line: Int
    ) throws(StoredStateError) -> [Double] {
        var numbers: [Double] = []
        for word in words {
            guard let number = Double(word), number.isFinite else {
                throw StoredStateError(.value, line: line, "'\(word)' is not a finite number")
            }
            numbers.append(number)
        }
        return numbers
    }

    private mutating func take(
        _ word: Substring, numbers: [Double], line: Int
    ) throws(StoredStateError) {
        func expect(_ count: Int) throws(StoredStateError) {
            guard numbers.count == count else {
                throw StoredStateError(.value, line: line, "'\(word)' needs \(count) numbers, not \(numbers.count)")
            }
        }
        func require(_ condition: Bool, _ text: String) throws(StoredStateError) {
            guard condition else { throw StoredStateError(.value, line: line, "'\(word)': \(text)") }
        }
        switch word {
        case "soft-iron":
            try expect(9)
            let matrix = Matrix3(rowMajor: numbers) ?? .identity
            try require(Self.isPlausible(softIron: matrix), "not a symmetric matrix near the identity")
            softIron = matrix
        case "hard-iron":
            try expect(4)
            let value = Vector3(numbers[0], numbers[1], numbers[2])
            try require(value.length < 10_000 && numbers[3] >= 0, "beyond 10 000 µT, or a negative deviation")
            hardIron = (value, numbers[3])
        case "hard-iron-covariance":
            try expect(9)
            let matrix = Matrix3(rowMajor: numbers) ?? .zero
            try require(Self.isCovariance(matrix), "not a covariance")
            covariance = matrix
        case "fit":
            try expect(4)
            try require(numbers.allSatisfy { $0 >= 0 } && numbers[3] < 1e9, "negative or absurd")
            fit = numbers
        case "gyro-bias":
            try expect(4)
            let bias = Vector3(numbers[0], numbers[1], numbers[2])
            try require(bias.length < 10 && numbers[3] >= 0, "beyond 10 rad/s, or a negative deviation")
            state.gyroscope = StoredHeadingState.Gyroscope(bias: bias, sigma: numbers[3])
        case "gyro-scale":
            try expect(4)
            let scale = StoredHeadingState.Gyroscope.Scale(
                error: Vector3(numbers[0], numbers[1], numbers[2]), sigma: numbers[3])
            try require(scale.isPlausible, "beyond a fifth, or a negative deviation")
            gyroScale = scale
        case "latency":
            try expect(2)
            try require(numbers[0] >= -1e-9 && numbers[0] < 1 && numbers[1] >= 0, "not between 0 and 1 s")
            state.latency = StoredHeadingState.Latency(seconds: max(0, numbers[0]), sigma: numbers[1])
        case "mount-matrix":
            try expect(9)
            let matrix = Matrix3(rowMajor: numbers) ?? .zero
            try require(matrix.determinant != 0, "no mount matrix")
            state.mountMatrix = matrix
        case "field-scale":
            try expect(1)
            var scaled = StoredHeadingState()
            scaled.fieldScale = numbers[0]
            try require(scaled.defect == nil, "no power of ten within 1e±6")
            state.fieldScale = numbers[0]
        case "temperature":
            try expect(1)
            state.temperature = numbers[0]
        case "place":
            try expect(2)
            try require(abs(numbers[0]) <= 90 && abs(numbers[1]) <= 180, "no latitude and longitude")
            state.latitude = numbers[0]
            state.longitude = numbers[1]
        default: throw StoredStateError(.format, line: line, "unknown word '\(word)'")
        }
    }

    /// The state, once all lines are taken.
    mutating func finish() throws(StoredStateError) -> StoredHeadingState {
        switch (softIron, hardIron) {
        case (let softIron?, let hardIron?):
            var magnetometer = StoredHeadingState.Magnetometer(
                softIron: softIron, hardIron: hardIron.value, hardIronSigma: hardIron.sigma)
            magnetometer.hardIronCovariance = covariance
            if let fit {
                magnetometer.fieldMicrotesla = fit[0]
                magnetometer.residualMicrotesla = fit[1]
                magnetometer.coverage = fit[2]
                magnetometer.samples = Int(fit[3])
            }
            state.magnetometer = magnetometer
        case (nil, nil):
            guard covariance == nil, fit == nil else {
                throw StoredStateError(.format, line: 0, "a fit without 'soft-iron' and 'hard-iron'")
            }
        default: throw StoredStateError(.format, line: 0, "'soft-iron' and 'hard-iron' must come together")
        }
        if let gyroScale {
            guard state.gyroscope != nil else {
                throw StoredStateError(.format, line: 0, "'gyro-scale' without 'gyro-bias'")
            }
            state.gyroscope?.scale = gyroScale
        }
        if let defect = state.defect { throw StoredStateError(.value, line: 0, defect) }
        return state
    }

    private static func isPlausible(softIron matrix: Matrix3) -> Bool {
        guard isSymmetric(matrix) else { return false }
        let values = SymmetricEigenvalues(matrix).values
        return values.x > 0.2 && values.z < 5
    }

    private static func isCovariance(_ matrix: Matrix3) -> Bool {
        isSymmetric(matrix) && SymmetricEigenvalues(matrix).values.x > -1e-6
    }

    private static func isSymmetric(_ matrix: Matrix3) -> Bool {
        for row in 0..<3 {
            for column in 0..<row where abs(matrix[row, column] - matrix[column, row]) > 1e-6 { return false }
        }
        return true
    }
}
