internal import Glibc
internal import Synchronization
internal import WayreelKernels

/// One axis of a resampling: maps a range of samples to outputs.
struct ResamplingAxis: Hashable, Sendable {
    /// The samples of the source that may be used.
    var samples: Range<Int>
    /// Start of the resampled range, in samples; may be fractional.
    var origin: Double
    var extent: Double
    /// Samples in the output.
    var outputs: Int
}

/// The weights of one axis: the source samples of each output and their weights.
///
/// A three-lobed Lanczos filter, stretched by the ratio when downscaling so that it also prevents aliasing. Samples
/// beyond the edge are dropped and the other weights normalised.
struct FilterBank: Sendable {
    /// First sample of each output; even.
    let first: [Int32]
    /// One past the last sample with a weight.
    let end: [Int32]
    /// Weights per output, including zeros; a multiple of 8.
    let taps: Int
    let weights: [Float]

    init(_ axis: ResamplingAxis) {
        let step = axis.extent / Double(axis.outputs)
        let stretch = max(step, 1)
        let radius = Self.lobes * stretch
        let spans = (0..<axis.outputs).map { output in
            let center = axis.origin + (Double(output) + 0.5) * step
            let low = max(
                axis.samples.lowerBound, min(axis.samples.upperBound - 1, Int((center - radius + 0.5).rounded(.down))))
            let high = max(low + 1, min(axis.samples.upperBound, Int((center + radius + 0.5).rounded(.down))))
            return Self.span(center: center, stretch: stretch, low: low, high: high)
        }
        let longest = spans.map { $0.weights.count + $0.first % 2 }.max() ?? 1
        taps = (longest + 7) / 8 * 8
        first = spans.map { Int32($0.first & ~1) }
        end = spans.map { Int32($0.first + $0.weights.count) }
        weights = spans.flatMap { span in
            let lead = [Float](repeating: 0, count: span.first % 2)
            let values = lead + span.weights.map { Float($0) }
            return values + [Float](repeating: 0, count: (longest + 7) / 8 * 8 - values.count)
        }
        fixedWeights = Self.fixed(weights, taps: taps)
        pairedWeights = Self.paired(fixedWeights)
    }

    private static let lobes = 3.0

    /// Normalised weights of the samples `low..<high`, without zeros at either end.
    private static func span(center: Double, stretch: Double, low: Int, high: Int) -> (first: Int, weights: [Double]) {
        let raw = (low..<high).map { lanczos((Double($0) + 0.5 - center) / stretch) }
        guard let from = raw.firstIndex(where: { $0.magnitude > 1e-9 }),
            let to = raw.lastIndex(where: { $0.magnitude > 1e-9 })
        else { return (low, [1]) }
        let kept = raw[from...to]
        let sum = kept.reduce(0, +)
        return (low + from, kept.map { $0 / sum })
    }

    /// sinc(x) · sinc(x / 3) for |x| < 3, else 0.
    private static func lanczos(_ x: Double) -> Double {
        guard x.magnitude < lobes else { return 0 }
        guard x.magnitude > 1e-8 else { return 1 }
        let angle = Double.pi * x
        return lobes * sin(angle) * sin(angle / lobes) / (angle * angle)
    }

    /// Weights in fixed point with `WR_WEIGHT_BITS` fractional bits. Rounding errors are carried from tap to tap, so
    /// that each output's weights sum to exactly one.
    let fixedWeights: [Int16]

    /// The fixed-point weights of each pair of taps, repeated four times: once per component of a pair of pixels.
    let pairedWeights: [Int16]

    private static func fixed(_ weights: [Float], taps: Int) -> [Int16] {
        let one = Double(1 << WR_WEIGHT_BITS)
        var fixed = [Int16](repeating: 0, count: weights.count)
        for start in stride(from: 0, to: weights.count, by: taps) {
            var exact = 0.0
            var spent = 0
            for tap in start..<start + taps where weights[tap] != 0 {
                exact += Double(weights[tap]) * one
                let value = Int(exact.rounded()) - spent
                fixed[tap] = Int16(value)
                spent += value
            }
        }
        return fixed
    }

    private static func paired(_ weights: [Int16]) -> [Int16] {
        stride(from: 0, to: weights.count, by: 2).flatMap { tap in
            (0..<4).flatMap { _ in [weights[tap], weights[tap + 1]] }
        }
    }

    /// Returns the filter bank for `axis`, from a small cache: images of a batch usually share theirs.
    static func shared(for axis: ResamplingAxis) -> FilterBank {
        if let bank = latest.withLock({ $0.first { $0.axis == axis }?.bank }) { return bank }
        let bank = FilterBank(axis)
        latest.withLock { store in
            store.insert((axis, bank), at: 0)
            if store.count > 16 { store.removeLast() }
        }
        return bank
    }

    private static let latest = Mutex<[(axis: ResamplingAxis, bank: FilterBank)]>([])
}
