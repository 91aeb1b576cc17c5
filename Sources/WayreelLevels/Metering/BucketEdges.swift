internal import WayreelCore

/// Iterates over the bucket edges of a grid with additions instead of the products of
/// ``LevelGrid/edge(_:sampleRate:sampleCount:)``. Exact.
struct BucketEdges {
    /// First sample after the bucket.
    private(set) var next = 0
    /// Increment of an edge in samples and in fractions of one.
    private let step: Int
    private let stepParts: Int
    private let partsPerSample: Int
    private let roundsUp: Bool
    private var whole = 0
    private var parts = 0

    /// `sampleCount`: samples of the audio, for a grid of points. Audio with fewer samples has one point per sample.
    ///
    /// Throws a `parameter` error if a bucket would have less than one sample or too many.
    init(_ grid: LevelGrid, sampleRate: Int, sampleCount: Int = 0) throws(MediaError) {
        if case .points = grid { roundsUp = false } else { roundsUp = true }
        switch grid {
        case .samples(let size):
            guard size > 0 else { throw Self.fault("\(size) samples per reading", "use one or more") }
            (step, stepParts, partsPerSample) = (size, 0, 1)
        case .rate(let rate):
            let (parts, isTooLong) = sampleRate.multipliedReportingOverflow(by: rate.denominator)
            guard !isTooLong else { throw Self.fault("\(rate) readings per second", "use a higher rate") }
            guard parts >= rate.numerator else {
                throw Self.fault(
                    "\(rate) readings per second at a sample rate of \(sampleRate) Hz",
                    "use \(sampleRate) or fewer")
            }
            (step, stepParts) = parts.quotientAndRemainder(dividingBy: rate.numerator)
            partsPerSample = rate.numerator
        case .points(let count):
            guard count > 0 else { throw Self.fault("\(count) points are not a valid count", "use one or more") }
            let count = max(1, min(count, sampleCount))
            (step, stepParts) = max(1, sampleCount).quotientAndRemainder(dividingBy: count)
            partsPerSample = count
        }
        advance()
    }

    /// Advances to the next bucket.
    mutating func advance() {
        whole += step
        parts += stepParts
        if parts >= partsPerSample {
            parts -= partsPerSample
            whole += 1
        }
        next = whole + (roundsUp && parts > 0 ? 1 : 0)
    }

    private static func fault(_ reason: String, _ advice: MediaError.Advice) -> MediaError {
        MediaError(.parameter, step: "measure", reason: reason, advice: advice)
    }
}
