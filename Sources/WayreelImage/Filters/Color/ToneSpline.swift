/// A smooth curve through points without overshoot: monotone cubic interpolation (F. N. Fritsch, R. E. Carlson, 1980),
/// constant before the first and after the last point.
struct ToneSpline {
    private let points: [SIMD2<Double>]
    private let slopes: [Double]

    /// At least two points of (input, output) with increasing inputs.
    init(_ points: [SIMD2<Double>]) {
        let secants = zip(points, points.dropFirst()).map { ($1.y - $0.y) / ($1.x - $0.x) }
        var slopes = points.indices.map { i in
            i == 0 ? secants[0] : i == secants.count ? secants[i - 1] : (secants[i - 1] + secants[i]) / 2
        }
        for (i, secant) in secants.enumerated() {
            let (a, b) = (slopes[i] / secant, slopes[i + 1] / secant)
            if secant == 0 || a < 0 || b < 0 {
                // The slope is 0 beside a constant section and at a local extremum.
                if secant == 0 || a < 0 { slopes[i] = 0 }
                if secant == 0 || b < 0 { slopes[i + 1] = 0 }
            } else if a * a + b * b > 9 {
                let factor = 3 * secant / (a * a + b * b).squareRoot()
                (slopes[i], slopes[i + 1]) = (factor * a, factor * b)
            }
        }
        self.points = points
        self.slopes = slopes
    }

    func value(at x: Double) -> Double {
        guard let next = points.firstIndex(where: { $0.x > x }) else { return points[points.count - 1].y }
        guard next > 0 else { return points[0].y }
        let (start, end) = (points[next - 1], points[next])
        let width = end.x - start.x
        let t = (x - start.x) / width
        let u = 1 - t
        // Cubic Hermite form.
        return start.y * (1 + 2 * t) * u * u + end.y * t * t * (3 - 2 * t)
            + width * t * u * (slopes[next - 1] * u - slopes[next] * t)
    }

    /// 1024 samples from 0 to 1.
    var samples: [Float] {
        (0..<1024).map { Float(value(at: Double($0) / 1023)) }
    }
}

extension ColorCurves {
    /// One curve per channel through points of (input, output).
    init(red: [SIMD2<Double>], green: [SIMD2<Double>], blue: [SIMD2<Double>]) {
        self.init(red: ToneSpline(red).samples, green: ToneSpline(green).samples, blue: ToneSpline(blue).samples)
    }

    /// One curve for all channels.
    init(_ points: [SIMD2<Double>]) {
        let samples = ToneSpline(points).samples
        self.init(red: samples, green: samples, blue: samples)
    }
}
