import Geometry
import Testing

@Suite("Matrices")
struct Matrix3Tests {
    static let counting = Matrix3(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 10))
    // Determinant 1, so that the inverse is the adjugate and has whole numbers; numpy.linalg.inv gives the same.
    static let unimodular = Matrix3(Vector3(1, 2, 3), Vector3(0, 1, 4), Vector3(5, 6, 0))
    static let inverse = Matrix3(Vector3(-24, 18, 5), Vector3(20, -15, -4), Vector3(-5, 4, 1))

    @Test("A matrix times a vector is three inner products")
    func timesVector() {
        #expect(Self.counting * Vector3(1, 0, -1) == Vector3(-2, -2, -3))
        #expect(Matrix3.identity * Vector3(1, 2, 3) == Vector3(1, 2, 3))
        #expect(Matrix3.zero * Vector3(1, 2, 3) == .zero)
        #expect(Matrix3(diagonal: Vector3(2, 3, 4)) * Vector3(1, 1, 1) == Vector3(2, 3, 4))
    }

    @Test("A product applies the right factor first")
    func product() {
        let product = Self.counting * Self.unimodular
        #expect(product.rowMajor == [16, 22, 11, 34, 49, 32, 57, 82, 53])
        let vector = Vector3(3, -1, 2)
        #expect(product * vector == Self.counting * (Self.unimodular * vector))
        #expect(Self.counting * Matrix3.identity == Self.counting)
        #expect(Matrix3.identity * Self.counting == Self.counting)
    }

    @Test("Sums and multiples go by element")
    func linear() {
        #expect((Self.counting + Self.unimodular).rowMajor == [2, 4, 6, 4, 6, 10, 12, 14, 10])
        #expect((Self.counting * 2).rowMajor == [2, 4, 6, 8, 10, 12, 14, 16, 20])
    }

    @Test("Transposing exchanges rows and columns, and turns products round")
    func transposed() {
        #expect(Self.counting.transposed.rowMajor == [1, 4, 7, 2, 5, 8, 3, 6, 10])
        #expect(Self.counting.transposed.transposed == Self.counting)
        #expect(
            (Self.counting * Self.unimodular).transposed == Self.unimodular.transposed * Self.counting.transposed)
    }

    @Test("The determinant is the signed volume")
    func determinant() {
        #expect(Self.counting.determinant == -3)
        #expect(Self.unimodular.determinant == 1)
        #expect(Matrix3.identity.determinant == 1)
        #expect(Matrix3(diagonal: Vector3(1, 1, -1)).determinant == -1)
        #expect(Matrix3(Vector3(1, 2, 3), Vector3(2, 4, 6), Vector3(1, 0, 1)).determinant == 0)
    }

    @Test("The inverse undoes the matrix")
    func inverted() throws {
        #expect(try #require(Self.unimodular.inverse) == Self.inverse)
        let inverse = try #require(Self.counting.inverse)
        let product = (Self.counting * inverse).rowMajor
        for (element, expected) in zip(product, Matrix3.identity.rowMajor) { #expect(abs(element - expected) < 1e-14) }
        #expect(
            Matrix3(diagonal: Vector3(2, 4, -8)).inverse == Matrix3(diagonal: Vector3(0.5, 0.25, -0.125)))
    }

    @Test(
        "A singular or non-finite matrix has no inverse",
        arguments: [
            Matrix3.zero, Matrix3(Vector3(1, 2, 3), Vector3(2, 4, 6), Vector3(1, 0, 1)),
            Matrix3(diagonal: Vector3(1, .nan, 1)), Matrix3(diagonal: Vector3(1, 1, .infinity)),
        ])
    func notInvertible(matrix: Matrix3) {
        #expect(matrix.inverse == nil)
    }

    @Test("Nine numbers make a matrix, any other count none", arguments: 0...12)
    func rowMajor(count: Int) {
        let numbers = (0..<count).map(Double.init)
        let matrix = Matrix3(rowMajor: numbers)
        #expect((matrix != nil) == (count == 9))
        if let matrix { #expect(matrix.rowMajor == numbers) }
    }

    @Test("Elements are read and written by row and column")
    func subscripts() {
        var matrix = Matrix3.zero
        for row in 0..<3 {
            for column in 0..<3 { matrix[row, column] = Double(10 * row + column) }
        }
        #expect(matrix.rowMajor == [0, 1, 2, 10, 11, 12, 20, 21, 22])
        #expect(matrix[2, 1] == 21)
        #expect((0..<3).map { matrix[row: $0] } == [Vector3(0, 1, 2), Vector3(10, 11, 12), Vector3(20, 21, 22)])
    }

    @Test("One NaN or infinity makes a matrix not finite", arguments: 0..<9)
    func finiteness(index: Int) {
        var matrix = Self.counting
        #expect(matrix.isFinite)
        matrix[index / 3, index % 3] = index.isMultiple(of: 2) ? .nan : .infinity
        #expect(!matrix.isFinite)
    }
}
