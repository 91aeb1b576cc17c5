internal import Glibc
internal import Synchronization
internal import WayreelCore
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

    private var step: Double { extent / Double(outputs) }
    /// The width of the filter's lobes.
    var stretch: Double { max(step, 1) }

    /// The centre of an output, in samples.
    func center(of output: Int) -> Double { origin + (Double(output) + 0.5) * step }

    /// The samples that the filter reaches for an output, at least one.
    func span(of output: Int) -> Range<Int> {
        let (center, radius) = (center(of: output), FilterBank.lobes * stretch)
        let low = max(
            samples.lowerBound, min(samples.upperBound - 1, Int((center - radius + 0.5).rounded(.down))))
        return low..<max(low + 1, min(samples.upperBound, Int((center + radius + 0.5).rounded(.down))))
    }

    /// The samples that the filter reaches for all outputs, from an even one on.
    var support: Range<Int> { span(of: 0).lowerBound & ~1..<span(of: outputs - 1).upperBound }
}

/// The weights of one axis: the source samples of each output and their weights.
///
/// A three-lobed Lanczos filter, stretched by the ratio when downscaling so that it also prevents aliasing. Samples
/// beyond the edge are dropped and the other weights normalised.
struct FilterBank: Sendable {
    /// The identity in ``SampledLanczos`` is that of three lobes.
    fileprivate static let lobes = 3.0

    /// First sample of each output; even.
    let first: [Int32]
    /// One past the last sample with a weight.
    let end: [Int32]
    /// Weights per output, including zeros; a multiple of 8.
    let taps: Int
    let weights: [Float]
    /// One past the last sample with a weight for any output.
    let samplesEnd: Int

    init(_ axis: ResamplingAxis) {
        // Filled in place: each output size needs its own bank, and arrays of arrays took a tenth of the time of an
        // image.
        let spans = Spans(axis)
        let taps = (spans.longest + 7) / 8 * 8
        self.taps = taps
        first = spans.first.map { $0 & ~1 }
        end = zip(spans.first, spans.counts).map { $0 + Int32($1) }
        samplesEnd = Int(end.max() ?? 0)
        weights = Array(unsafeUninitializedCapacity: axis.outputs * taps) { weights, count in
            weights.initialize(repeating: 0)
            var values = spans.weights[...]
            for (output, length) in spans.counts.enumerated() {
                let start = output * taps + Int(spans.first[output] & 1)
                for (tap, value) in values.prefix(length).enumerated() { weights[start + tap] = value }
                values = values.dropFirst(length)
            }
            count = axis.outputs * taps
        }
        fixedWeights = Self.fixed(weights, taps: taps)
        pairedWeights = Self.paired(fixedWeights)
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
        Array(unsafeUninitializedCapacity: weights.count * 4) { paired, count in
            for tap in 0..<weights.count {
                for copy in 0..<4 {
                    (paired.baseAddress! + (tap / 2 * 8 + copy * 2 + tap % 2)).initialize(to: weights[tap])
                }
            }
            count = weights.count * 4
        }
    }

    /// Returns the filter bank for `axis`, from a small cache: images of a batch usually share theirs.
    static func shared(for axis: ResamplingAxis) -> FilterBank {
        if let bank = recent.withLock({ $0[axis] }) { return bank }
        let bank = FilterBank(axis)
        recent.withLock { $0.keep(bank, for: axis) }
        return bank
    }

    private static let recent = Mutex(
        RecentValues<ResamplingAxis, FilterBank>(maxCost: 16, evicting: .excess))
}

/// The samples of each output of an axis and their weights, which add up to one.
private struct Spans {
    private(set) var first: [Int32] = []
    private(set) var counts: [Int] = []
    /// Those of all outputs, one after the other.
    private(set) var weights: [Float] = []
    /// The count of the longest span from an even sample on.
    private(set) var longest = 1

    init(_ axis: ResamplingAxis) {
        first.reserveCapacity(axis.outputs)
        counts.reserveCapacity(axis.outputs)
        let lanczos = SampledLanczos(stretch: axis.stretch)
        var raw: [Double] = []
        for output in 0..<axis.outputs {
            let span = axis.span(of: output)
            lanczos.sample(span, around: axis.center(of: output), into: &raw)
            add(raw, from: span.lowerBound)
        }
    }

    /// Adds the normalised weights of the samples from `low` on, without zeros at either end.
    private mutating func add(_ raw: [Double], from low: Int) {
        let isWeight = { (value: Double) in value.magnitude > 1e-9 }
        var (start, kept) = (low, [1.0][...])
        if let from = raw.firstIndex(where: isWeight), let to = raw.lastIndex(where: isWeight) {
            (start, kept) = (low + from, raw[from...to])
        }
        let sum = kept.reduce(0, +)
        for value in kept { weights.append(Float(value / sum)) }
        first.append(Int32(start))
        counts.append(kept.count)
        longest = max(longest, kept.count + start % 2)
    }
}

/// The Lanczos filter sinc(x) · sinc(x / 3) at the distances of consecutive samples, `stretch` of which are a lobe.
private struct SampledLanczos {
    /// The angle πx / 3 between two samples, and its sine and cosine.
    private let step: Double
    private let (sine, cosine): (Double, Double)

    init(stretch: Double) {
        step = .pi / (FilterBank.lobes * stretch)
        (sine, cosine) = (sin(step), cos(step))
    }

    /// Replaces `values` by those of `samples`.
    ///
    /// With a = πx / 3, sin(3a) = 3 sin(a) − 4 sin³(a) makes the filter (sin(a) / a)² · (1 − 4/3 · sin²(a)). The sine
    /// of the next sample follows from the angle sum, so that only the first one is computed.
    func sample(_ samples: Range<Int>, around center: Double, into values: inout [Double]) {
        values.removeAll(keepingCapacity: true)
        let first = (Double(samples.lowerBound) + 0.5 - center) * step
        var (s, c) = (sin(first), cos(first))
        for index in 0..<samples.count {
            let angle = first + Double(index) * step
            // Near 0 the quotient would lose its precision, and the value differs from 1 by less than a float can tell.
            let ratio = angle.magnitude < 1e-4 ? 1 : s / angle
            values.append(angle.magnitude < .pi ? ratio * ratio * (1 - 4.0 / 3.0 * s * s) : 0)
            (s, c) = (s * cosine + c * sine, c * cosine - s * sine)
        }
    }
}
