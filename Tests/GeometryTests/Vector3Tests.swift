import Geometry
import Testing

@Suite("Vectors")
struct Vector3Tests {
    static let axes = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)]

    @Test("Sums, differences and multiples go by component")
    func arithmetic() {
        var sum = Vector3(1, 2, 3)
        sum += Vector3(10, 20, 30)
        #expect(sum == Vector3(11, 22, 33))
        sum -= Vector3(1, 2, 3)
        #expect(sum == Vector3(10, 20, 30))
        #expect(Vector3(1, 2, 3) + Vector3(4, 5, 6) == Vector3(5, 7, 9))
        #expect(Vector3(1, 2, 3) - Vector3(4, 5, 7) == Vector3(-3, -3, -4))
        #expect(-Vector3(1, -2, 3) == Vector3(-1, 2, -3))
        #expect(Vector3(1, -2, 3) * -2 == Vector3(-2, 4, -6))
    }

    // 3² + 4² + 12² = 13²
    @Test("Length and inner product follow Pythagoras")
    func length() {
        let vector = Vector3(3, -4, 12)
        #expect(vector.length == 13)
        #expect(vector.squaredLength == 169)
        #expect(vector.dot(vector) == 169)
        #expect(vector.dot(Vector3(1, 2, 3)) == 31)
    }

    @Test("The cross product is right-handed: x × y = z and on in the circle", arguments: 0..<3)
    func rightHanded(first: Int) {
        let axes = Self.axes
        #expect(axes[first].cross(axes[(first + 1) % 3]) == axes[(first + 2) % 3])
        #expect(axes[(first + 1) % 3].cross(axes[first]) == -axes[(first + 2) % 3])
        #expect(axes[first].cross(axes[first]) == .zero)
    }

    @Test("A cross product is orthogonal to both factors, as long as the parallelogram is large")
    func crossProduct() {
        let left = Vector3(1, 2, 3)
        let right = Vector3(4, 5, 6)
        let product = left.cross(right)
        #expect(product == Vector3(-3, 6, -3))
        #expect(product.dot(left) == 0)
        #expect(product.dot(right) == 0)
        // Lagrange: |a × b|² + (a · b)² = |a|² |b|²
        let inner = left.dot(right)
        #expect(product.squaredLength + inner * inner == left.squaredLength * right.squaredLength)
    }

    @Test("A normalised vector keeps its direction and has length 1")
    func normalized() throws {
        let unit = try #require(Vector3(3, -4, 12).normalized)
        #expect(abs(unit.length - 1) < 1e-15)
        #expect((unit * 13 - Vector3(3, -4, 12)).length < 1e-14)
    }

    @Test(
        "A vector without a direction has no normalised form",
        arguments: [Vector3.zero, Vector3(.nan, 0, 0), Vector3(0, .infinity, 0), Vector3(1, 1, -.infinity)])
    func noDirection(vector: Vector3) {
        #expect(vector.normalized == nil)
    }

    @Test("One NaN or infinity makes a vector not finite", arguments: 0..<3, [Double.nan, .infinity, -.infinity])
    func finiteness(index: Int, value: Double) {
        var vector = Vector3(1, 2, 3)
        #expect(vector.isFinite)
        vector[index] = value
        #expect(!vector.isFinite)
    }

    @Test("Components are read and written by index")
    func subscripts() {
        var vector = Vector3(1, 2, 3)
        #expect((0..<3).map { vector[$0] } == [1, 2, 3])
        for index in 0..<3 { vector[index] *= 10 }
        #expect(vector == Vector3(10, 20, 30))
    }
}
