/// A white point given by correlated colour temperature and tint.
struct WhitePoint: Hashable {
    /// In kelvins.
    var temperature: Double
    /// Distance from the Planckian locus in CIE 1960 (u, v), times 3000; positive towards magenta.
    var tint: Double

    /// CIE XYZ with Y = 1. The locus is that of M. P. Krystek, "An algorithm to calculate correlated colour
    /// temperature", 1985.
    private var xyz: SIMD3<Double> {
        let t = temperature
        func locus(_ t: Double) -> SIMD2<Double> {
            SIMD2(
                (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t * t)
                    / (1 + 8.42420235e-4 * t + 7.08145163e-7 * t * t),
                (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t * t)
                    / (1 - 2.89741816e-5 * t + 1.61456053e-7 * t * t))
        }
        // Perpendicular to the locus, towards smaller v.
        let along = locus(t + 1) - locus(t - 1)
        let across = SIMD2(along.y, -along.x) / (along.x * along.x + along.y * along.y).squareRoot()
        let down = across.y < 0 ? across : -across
        let uv = locus(t) + down * (tint / 3000)
        let (u, v) = (uv.x, uv.y)
        let x = 3 * u / (2 * u - 8 * v + 4)
        let y = 2 * v / (2 * u - 8 * v + 4)
        return SIMD3(x / y, 1, (1 - x - y) / y)
    }

    /// Adapts this white point to `target`: Bradford's transform on linear sRGB.
    func adaptation(to target: WhitePoint) -> ColorMatrix {
        let cones = Self.bradford.map { (from: ($0 * xyz).sum(), to: ($0 * target.xyz).sum()) }
        let gains = cones.map { $0.to / $0.from }
        let toCones = Self.product(Self.bradford, Self.linearToXYZ)
        let scaled = zip(gains, toCones).map { $0 * $1 }
        return ColorMatrix(Self.product(Self.inverse(toCones), scaled))
    }

    /// K. M. Lam, 1985, rounded as in ICC.1:2022, annex E.
    private static let bradford = [
        SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367), SIMD3(0.0389, -0.0685, 1.0296),
    ]

    /// IEC 61966-2-1.
    private static let linearToXYZ = [
        SIMD3(0.4124, 0.3576, 0.1805), SIMD3(0.2126, 0.7152, 0.0722), SIMD3(0.0193, 0.1192, 0.9505),
    ]

    private static func product(_ a: [SIMD3<Double>], _ b: [SIMD3<Double>]) -> [SIMD3<Double>] {
        a.map { $0.x * b[0] + $0.y * b[1] + $0.z * b[2] }
    }

    private static func inverse(_ m: [SIMD3<Double>]) -> [SIMD3<Double>] {
        func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
        let columns = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])]
        let determinant = (m[0] * columns[0]).sum()
        return (0..<3).map { i in SIMD3(columns[0][i], columns[1][i], columns[2][i]) / determinant }
    }
}
