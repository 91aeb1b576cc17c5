internal import Glibc
internal import WayreelCore
internal import WayreelKernels

/// A one-dimensional blur, applied along rows and then columns. Lines are extended with their last value.
enum LineBlur: Sendable {
    /// A Gaussian truncated at four standard deviations: weights of −radius…0.
    case kernel([Float])
    /// A recursive Gaussian with constant cost per pixel: twelve coefficients.
    case recursive([Double])
    /// The mean over `radius` + `fraction` pixels on either side.
    case box(radius: Int, fraction: Double)

    /// A Gaussian with a standard deviation in pixels, or nil if it is too narrow to have an effect.
    ///
    /// Convolution up to 2 pixels; above, Deriche's fourth-order recursive approximation (R. Deriche, INRIA report
    /// 1893, 1993), with an error below 3e-4 of the range along each axis for any image.
    static func gaussian(sigma: Double) -> LineBlur? {
        guard sigma > 0.05 else { return nil }
        guard sigma > 2 else {
            let radius = Int((4 * sigma).rounded(.up))
            let weights = (-radius...0).map { exp(-0.5 * Double($0 * $0) / (sigma * sigma)) }
            let sum = 2 * weights.reduce(0, +) - 1
            return .kernel(weights.map { Float($0 / sum) })
        }
        return .recursive(Deriche.coefficients(sigma: sigma))
    }

    /// The mean over `radius` pixels on either side, or nil if it is too narrow to have an effect.
    static func box(radius: Double) -> LineBlur? {
        guard radius > 0.01 else { return nil }
        return .box(radius: Int(radius), fraction: radius - radius.rounded(.down))
    }

    /// Values read beyond either end of a line.
    private var margin: Int {
        switch self {
        case .kernel(let weights): weights.count - 1
        case .recursive: 0
        case .box(let radius, _): radius + 1
        }
    }

    private func run(_ line: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>, count: Int) {
        switch self {
        case .kernel(let weights): wr_strip_convolve(line, out, count, weights, weights.count - 1)
        case .recursive(let coefficients): wr_strip_gaussian(line, out, count, coefficients)
        case .box(let radius, let fraction): wr_strip_box(line, out, count, radius, fraction)
        }
    }

    /// Blurs a plane in place. Allocates two strips of sixteen lines.
    func apply(
        to plane: UnsafeMutablePointer<Float>, stride: Int, size: PixelSize, task: TaskContext
    ) throws(MediaError) {
        let lanes = 16
        let longest = max(size.width, size.height)
        let input = try ScratchFloats(count: (longest + 2 * margin) * lanes)
        let output = try ScratchFloats(count: longest * lanes)
        let line = input.base + margin * lanes

        func blurStrip(count: Int) {
            for step in 0..<margin {
                (input.base + step * lanes).update(from: line, count: lanes)
                (line + (count + step) * lanes).update(from: line + (count - 1) * lanes, count: lanes)
            }
            run(input.base, output.base, count: count)
        }
        for y in Swift.stride(from: 0, to: size.height, by: lanes) {
            try task.check()
            let rows = min(lanes, size.height - y)
            wr_strip_from_rows(plane + y * stride, stride, rows, size.width, line)
            blurStrip(count: size.width)
            wr_strip_to_rows(output.base, plane + y * stride, stride, rows, size.width)
        }
        for x in Swift.stride(from: 0, to: size.width, by: lanes) {
            if x % 128 == 0 { try task.check() }
            wr_strip_from_columns(plane + x, stride, size.height, line)
            blurStrip(count: size.height)
            wr_strip_to_columns(output.base, plane + x, stride, size.height)
        }
    }

    func apply(to plane: ScratchPlane, task: TaskContext) throws(MediaError) {
        try apply(to: plane.row(0), stride: plane.stride, size: plane.size, task: task)
    }
}

/// Deriche's approximation of a half Gaussian by two damped oscillations, Σ (a·cos(ωx/σ) + b·sin(ωx/σ))·exp(−λx/σ), x ≥
/// 0.
private enum Deriche {
    private struct Wave {
        var a, b, lambda, omega: Double
    }

    private static let waves = [
        Wave(a: 1.68, b: 3.735, lambda: 1.783, omega: 0.6318),
        Wave(a: -0.6803, b: -0.2598, lambda: 1.723, omega: 1.997),
    ]

    /// Four causal numerators, four anticausal numerators and four denominators, normalised to unit gain.
    static func coefficients(sigma: Double) -> [Double] {
        // The z-transform of each wave is (n0 + n1·z⁻¹) / (1 + d1·z⁻¹ + d2·z⁻²); both share one denominator.
        let parts = waves.map { wave in
            let decay = exp(-wave.lambda / sigma)
            let c = cos(wave.omega / sigma)
            let s = sin(wave.omega / sigma)
            return (n: [wave.a, decay * (wave.b * s - wave.a * c)], d: [1, -2 * decay * c, decay * decay])
        }
        let denominator = product(parts[0].d, parts[1].d)
        let first = product(parts[0].n, parts[1].d)
        let second = product(parts[1].n, parts[0].d)
        let causal = zip(first, second).map { $0 + $1 }
        // The anticausal part excludes the value at 0, which must not count twice.
        let anticausal = (1...4).map { ($0 < 4 ? causal[$0] : 0) - denominator[$0] * causal[0] }
        let gain = (causal.reduce(0, +) + anticausal.reduce(0, +)) / denominator.reduce(0, +)
        return (causal + anticausal).map { $0 / gain } + denominator.dropFirst()
    }

    private static func product(_ p: [Double], _ q: [Double]) -> [Double] {
        var result = [Double](repeating: 0, count: p.count + q.count - 1)
        for (i, a) in p.enumerated() {
            for (j, b) in q.enumerated() { result[i + j] += a * b }
        }
        return result
    }
}
