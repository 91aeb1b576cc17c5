internal import WayreelCore

/// The edges of a grid's buckets one after the other, by sums in place of
/// ``LevelGrid/edge(_:sampleRate:sampleCount:)``'s products. Exact.
struct BucketEdges {
    /// The first sample after the bucket.
    private(set) var next = 0
    /// What an edge is after the last in whole samples, and in parts of one.
    private let step: Int
    private let stepParts: Int
    private let partsPerSample: Int
    private var whole = 0
    private var parts = 0

    /// Throws a `parameter` error where a bucket would have less than one sample, or so many that they cannot be
    /// counted.
    init(_ grid: LevelGrid, sampleRate: Int) throws(MediaError) {
        switch grid {
        case .samples(let size):
            guard size > 0 else { throw Self.fault("\(size) samples a reading", "ask for one or more") }
            (step, stepParts, partsPerSample) = (size, 0, 1)
        case .rate(let rate):
            let (parts, isTooLong) = sampleRate.multipliedReportingOverflow(by: rate.denominator)
            guard !isTooLong else { throw Self.fault("\(rate) readings a second", "ask for more") }
            guard parts >= rate.numerator else {
                throw Self.fault(
                    "\(rate) readings a second of a sound with \(sampleRate) samples a second",
                    "ask for \(sampleRate) or fewer")
            }
            (step, stepParts) = parts.quotientAndRemainder(dividingBy: rate.numerator)
            partsPerSample = rate.numerator
        case .points:
            (step, stepParts, partsPerSample) = (1, 0, 1)
        }
        advance()
    }

    /// Goes on to the next bucket.
    mutating func advance() {
        whole += step
        parts += stepParts
        if parts >= partsPerSample {
            parts -= partsPerSample
            whole += 1
        }
        next = whole + (parts > 0 ? 1 : 0)
    }

    private static func fault(_ reason: String, _ advice: String) -> MediaError {
        MediaError(.parameter, step: "measure", reason: reason, advice: advice)
    }
}
