internal import Glibc
internal import WayreelCore

/// The size and the similarity of encodings of one video at any CRF, from a few that were measured.
///
/// The logarithm of the size and the similarity in decibels are nearly linear in the CRF. Both are monotone cubic
/// curves through the measured points (Fritsch and Carlson, "Monotone Piecewise Cubic Interpolation", 1980), and
/// straight beyond them.
struct RateCurve {
    struct Point {
        var crf: Double
        /// The natural logarithm of the size in bytes.
        var size: Double
        var decibels: Double
    }

    /// By increasing CRF.
    private(set) var points: [Point] = []

    /// How the logarithm of the size and the decibels change per CRF, until two points show it; as measured for x264.
    private static let defaultSlopes = (size: -0.14, decibels: -0.6)

    mutating func add(_ reading: CRFSearch.Measured) {
        let point = Point(
            crf: reading.crf, size: log(max(1, reading.bytes)), decibels: QualityTarget.decibels(reading.similarity))
        points.insert(point, at: points.firstIndex { $0.crf > point.crf } ?? points.count)
    }

    /// Returns the expected encoding at a CRF. There must be a point.
    func expected(crf: Double) -> (bytes: Double, similarity: Double) {
        let size = value(\.size, Self.defaultSlopes.size, at: crf)
        let decibels = value(\.decibels, Self.defaultSlopes.decibels, at: crf)
        return (exp(min(size, 34)), 1 - pow(10, -decibels / 10))
    }

    /// Returns the expected encoding of `bytes` on average. Simple content does not use them, and difficult content
    /// does not become smaller than at the highest CRF of `range`.
    func expected(bytes: Double, in range: ClosedRange<Double>) -> (bytes: Double, similarity: Double) {
        guard let crf = crf(bytes: bytes) else { return (bytes, 0) }
        let clamped = min(max(crf, range.lowerBound), range.upperBound)
        let expected = expected(crf: clamped)
        return (clamped == crf ? bytes : expected.bytes, expected.similarity)
    }

    /// The CRF at which `bytes` are expected; nil without a point.
    func crf(bytes: Double) -> Double? {
        guard let first = points.first else { return nil }
        // The size falls with the CRF, so bisection finds it.
        let wanted = log(max(1, bytes))
        var (low, high) = (first.crf - 100, first.crf + 100)
        for _ in 0..<50 {
            let middle = (low + high) / 2
            if value(\.size, Self.defaultSlopes.size, at: middle) > wanted { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    // MARK: Interpolation

    private func value(_ key: KeyPath<Point, Double>, _ usualSlope: Double, at crf: Double) -> Double {
        guard points.count > 1 else { return points[0][keyPath: key] + usualSlope * (crf - points[0].crf) }
        let secants = zip(points, points.dropFirst()).map {
            ($1[keyPath: key] - $0[keyPath: key]) / ($1.crf - $0.crf)
        }
        let index = (points.firstIndex { $0.crf > crf } ?? points.count - 1) - 1
        let segment = max(0, min(index, points.count - 2))
        let (from, to) = (points[segment], points[segment + 1])
        let (first, last) = (Self.slope(secants, at: segment), Self.slope(secants, at: segment + 1))
        if crf < from.crf { return from[keyPath: key] + first * (crf - from.crf) }
        if crf > to.crf { return to[keyPath: key] + last * (crf - to.crf) }
        let length = to.crf - from.crf
        let t = (crf - from.crf) / length
        // The cubic Hermite polynomials.
        return (1 + 2 * t) * (1 - t) * (1 - t) * from[keyPath: key] + t * (1 - t) * (1 - t) * length * first
            + t * t * (3 - 2 * t) * to[keyPath: key] - t * t * (1 - t) * length * last
    }

    /// The slope in a point: inside the harmonic mean of the secants on both sides; at an end such that the curve bends
    /// evenly.
    private static func slope(_ secants: [Double], at index: Int) -> Double {
        func inner(_ index: Int) -> Double {
            let (before, after) = (secants[index - 1], secants[index])
            return before * after > 0 ? 2 * before * after / (before + after) : 0
        }
        func outer(_ secant: Double, _ neighbour: Double) -> Double {
            guard secant != 0 else { return 0 }
            return secant * min(max(1.5 - neighbour / secant / 2, 0), 3)
        }
        switch index {
        case _ where secants.count == 1: return secants[0]
        case 0: return outer(secants[0], inner(1))
        case secants.count: return outer(secants[index - 1], inner(index - 1))
        default: return inner(index)
        }
    }
}

extension RateCurve {
    private static let maxTries = 3
    /// The distance, in the logarithm of the size, at which a size counts as measured: 35 %.
    private static let tolerance = 0.3

    /// Measures the curve where it is needed: near the largest and the smallest of `sizes`.
    init(of sizes: [Double], by search: CRFSearch, _ encoder: VideoEncoderInfo) throws(MediaError) {
        var next = encoder.defaultCRF
        let ends = Self.ends(of: sizes)
        for _ in 0..<Self.maxTries {
            add(try search.measure(crf: next))
            let gaps = [ends.lowerBound, ends.upperBound].map { end in
                (end, points.map { abs($0.size - end) }.min() ?? 0)
            }
            guard let (end, gap) = gaps.max(by: { $0.1 < $1.1 }), gap > Self.tolerance else { return }
            next = encoder.measured(crf: crf(bytes: exp(end)))
            guard !points.contains(where: { abs($0.crf - next) < 1 }) else { return }
        }
    }

    /// Returns the curve of another encoding, which has the same shape and goes through one measured point between
    /// `sizes`. Its sizes are expected to be `growth` times as large.
    func moved(
        to sizes: [Double], growth: Double, by search: CRFSearch, _ encoder: VideoEncoderInfo
    ) throws(MediaError) -> RateCurve {
        let ends = Self.ends(of: sizes)
        var moved = self
        moved.move(size: log(growth), decibels: 0)
        var tried: [Double] = []
        for _ in 0..<Self.maxTries {
            let next = encoder.measured(crf: moved.crf(bytes: exp((ends.lowerBound + ends.upperBound) / 2)))
            guard !tried.contains(where: { abs($0 - next) < 1 }) else { break }
            tried.append(next)
            let found = try search.measure(crf: next)
            let expected = moved.expected(crf: next)
            let size = log(max(1, found.bytes))
            moved.move(
                size: size - log(expected.bytes),
                decibels: QualityTarget.decibels(found.similarity) - QualityTarget.decibels(expected.similarity))
            if size > ends.lowerBound - Self.tolerance, size < ends.upperBound + Self.tolerance { break }
        }
        return moved
    }

    private mutating func move(size: Double, decibels: Double) {
        for index in points.indices {
            points[index].size += size
            points[index].decibels += decibels
        }
    }

    /// The logarithms of the smallest and the largest.
    private static func ends(of sizes: [Double]) -> ClosedRange<Double> {
        let logarithms = sizes.map { log(max(1, $0)) }
        return (logarithms.min() ?? 0)...(logarithms.max() ?? 0)
    }
}

extension VideoEncoderInfo {
    /// The CRF values that an average bit rate may lead to: from visually lossless on.
    var usefulCRFs: ClosedRange<Double> { crfRange.lowerBound + 6...crfRange.upperBound }

    /// A value that the encoder distinguishes. Values without visible loss take long and are not measured.
    fileprivate func measured(crf: Double?) -> Double {
        rounded(crf: min(max(crf ?? defaultCRF, searchedCRFs.lowerBound), crfRange.upperBound))
    }

    func rounded(crf: Double) -> Double { (crf / crfStep).rounded() * crfStep }
}
