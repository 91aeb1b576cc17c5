/// A 3 × 3 matrix by rows in double precision, for building conversions.
struct Matrix3: Hashable {
    var rows: [SIMD3<Double>]

    init(rows first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
        rows = [first, second, third]
    }

    init(columns first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
        rows = [[first.x, second.x, third.x], [first.y, second.y, third.y], [first.z, second.z, third.z]]
    }

    init(diagonal: SIMD3<Double>) {
        self.init(rows: [diagonal.x, 0, 0], [0, diagonal.y, 0], [0, 0, diagonal.z])
    }

    static let identity = Matrix3(diagonal: [1, 1, 1])

    static func * (left: Matrix3, right: SIMD3<Double>) -> SIMD3<Double> {
        [(left.rows[0] * right).sum(), (left.rows[1] * right).sum(), (left.rows[2] * right).sum()]
    }

    static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
        let columns = right.transposed.rows
        return Matrix3(columns: left * columns[0], left * columns[1], left * columns[2])
    }

    static func * (left: Matrix3, right: Double) -> Matrix3 {
        Matrix3(rows: left.rows[0] * right, left.rows[1] * right, left.rows[2] * right)
    }

    var transposed: Matrix3 { Matrix3(columns: rows[0], rows[1], rows[2]) }

    /// nil for a singular or ill-conditioned matrix.
    var inverse: Matrix3? {
        let (a, b, c) = (rows[0], rows[1], rows[2])
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
        let rows = matrix.rows.map { SIMD4<Float>(SIMD3<Float>($0), Float(offset)) }
        self.init(red: rows[0], green: rows[1], blue: rows[2])
    }
}

/// Conversions to and from CIE 1931 XYZ, relative to a white of Y = 1.
enum XYZ {
    /// The illuminant of ICC's profile connection space (ICC.1:2022, section 7.2.16).
    static let d50: SIMD3<Double> = [0.9642, 1, 0.8249]

    /// Converts linear sRGB to XYZ under D50.
    static let fromSRGB = Chromaticities.sRGB.matrixToD50 ?? .identity
    /// Converts XYZ under D50 to linear sRGB.
    static let toSRGB = fromSRGB.inverse ?? .identity

    /// Cone responses after Bradford: K. M. Lam, 1985, rounded as in ICC.1:2022, annex E.1.
    static let bradford = Matrix3(
        rows: [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296])

    /// XYZ of a chromaticity with Y = 1; not finite for y = 0.
    static func color(_ point: SIMD2<Double>) -> SIMD3<Double> {
        [point.x / point.y, 1, (1 - point.x - point.y) / point.y]
    }

    /// Adapts colours under `white` to D50.
    static func adaptation(from white: SIMD3<Double>) -> Matrix3? {
        let cones = bradford * white
        guard cones.min() > 1e-6, let back = bradford.inverse else { return nil }
        return back * Matrix3(diagonal: (bradford * d50) / cones) * bradford
    }
}

extension Chromaticities {
    /// Converts linear RGB, 0…1, to XYZ adapted to D50; white becomes D50.
    ///
    /// nil for degenerate primaries (derivation: SMPTE RP 177-1993).
    var matrixToD50: Matrix3? {
        guard let white = xyz(white), let shares, let primaries else { return nil }
        return XYZ.adaptation(from: white).map { $0 * primaries * Matrix3(diagonal: shares) }
    }

    /// Weights of linear red, green and blue in the luminance, with a sum of 1; nil for degenerate primaries.
    var luminanceWeights: SIMD3<Double>? { shares }

    /// XYZ of the primaries as columns, each with Y = 1.
    private var primaries: Matrix3? {
        guard let red = xyz(red), let green = xyz(green), let blue = xyz(blue) else { return nil }
        return Matrix3(columns: red, green, blue)
    }

    /// Weights of the primaries that give white.
    private var shares: SIMD3<Double>? {
        guard let white = xyz(white), let shares = primaries?.inverse.map({ $0 * white }), shares.min() > 1e-6 else {
            return nil
        }
        return shares
    }

    private func xyz(_ point: SIMD2<Double>) -> SIMD3<Double>? {
        point.x.isFinite && point.y.isFinite && point.y > 1e-6 ? XYZ.color(point) : nil
    }
}
