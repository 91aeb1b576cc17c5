/// A 3 × 3 matrix by rows in double precision, for building conversions.
struct Matrix3: Hashable {
    var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    init(rows first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
        rows = (first, second, third)
    }

    init(columns first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
        rows = ([first.x, second.x, third.x], [first.y, second.y, third.y], [first.z, second.z, third.z])
    }

    init(diagonal: SIMD3<Double>) {
        self.init(rows: [diagonal.x, 0, 0], [0, diagonal.y, 0], [0, 0, diagonal.z])
    }

    static let identity = Matrix3(diagonal: [1, 1, 1])

    static func == (left: Matrix3, right: Matrix3) -> Bool { left.rows == right.rows }

    func hash(into hasher: inout Hasher) {
        hasher.combine(rows.0)
        hasher.combine(rows.1)
        hasher.combine(rows.2)
    }

    static func * (left: Matrix3, right: SIMD3<Double>) -> SIMD3<Double> {
        [(left.rows.0 * right).sum(), (left.rows.1 * right).sum(), (left.rows.2 * right).sum()]
    }

    static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
        let columns = right.transposed.rows
        return Matrix3(columns: left * columns.0, left * columns.1, left * columns.2)
    }

    static func * (left: Matrix3, right: Double) -> Matrix3 {
        Matrix3(rows: left.rows.0 * right, left.rows.1 * right, left.rows.2 * right)
    }

    var transposed: Matrix3 { Matrix3(columns: rows.0, rows.1, rows.2) }

    /// nil for a singular or ill-conditioned matrix.
    var inverse: Matrix3? {
        let (a, b, c) = rows
        let cofactors = Matrix3(columns: b.cross(c), c.cross(a), a.cross(b))
        let determinant = (a * b.cross(c)).sum()
        guard determinant.isFinite, abs(determinant) > 1e-9 else { return nil }
        return cofactors * (1 / determinant)
    }
}

extension SIMD3<Double> {
    fileprivate func cross(_ other: Self) -> Self {
        [y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x]
    }
}

extension ColorMatrix {
    /// With the same offset for red, green and blue.
    init(_ matrix: Matrix3, offset: Double = 0) {
        let rows = [matrix.rows.0, matrix.rows.1, matrix.rows.2].map { SIMD4<Float>(SIMD3<Float>($0), Float(offset)) }
        self.init(red: rows[0], green: rows[1], blue: rows[2])
    }
}
