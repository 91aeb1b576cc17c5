internal import WayreelCore
internal import WayreelKernels

/// The fast path: resamples 8-bit images without alpha in integers.
///
/// Vertical first: a ring of paired source rows is filtered into a few output rows at a time, in strips that fit into
/// the L1 cache; then each row is filtered horizontally.
final class ByteResampler: RowResampler {
    private(set) var image: Image
    private let rows: Range<Int>
    private let components: Int
    private let width: Int
    private let columnBank: FilterBank
    private let rowBank: FilterBank

    /// Values in a source row, rounded up to whole strips of the kernels.
    private let span: Int
    private let pairsInRing: Int
    private let ring: AlignedMemory
    /// The pair of source rows being read.
    private let incoming: AlignedMemory
    private let filtered: AlignedMemory
    private let filteredSpan: Int
    private let paired: AlignedMemory
    private let pairedSpan: Int
    /// Pointers to the pairs of one output row, for the kernel.
    private let sources: UnsafeMutableBufferPointer<UnsafePointer<UInt8>?>
    private let sums: AlignedMemory
    private var nextOutput = 0

    /// Output rows per pass over the ring.
    private static let batch = 8
    /// Values per strip.
    private static let strip = 512

    init(layout: ImageHeader.RowLayout, plan: ResamplingPlan) throws(MediaError) {
        image = try Image(unset: plan.output, hasAlpha: layout.components == 4)
        components = layout.components
        width = plan.source.width
        rowBank = .shared(for: plan.columns)
        let columnBank = FilterBank.shared(for: plan.rows)
        self.columnBank = columnBank
        rows = columnBank.samples

        span = (width * components + 63) / 64 * 64
        let support = (0..<plan.output.height).map { output in
            let last = min(output + Self.batch, plan.output.height) - 1
            return Int(columnBank.first[last]) + columnBank.taps - Int(columnBank.first[output])
        }
        pairsInRing = support.max()! / 2 + 2
        ring = try AlignedMemory(zeroed: pairsInRing * span * 2 + 128, step: "resample")
        incoming = try AlignedMemory(zeroed: (span + 64) * 2, step: "resample")
        filteredSpan = span + 64
        filtered = try AlignedMemory(zeroed: filteredSpan * 2 * Self.batch, step: "resample")
        pairedSpan = (width + rowBank.taps + 2) * 4
        paired = try AlignedMemory(zeroed: pairedSpan * 2 * 4, step: "resample")
        sums = try AlignedMemory(zeroed: plan.output.width * 4 * 4 * 4, step: "resample")
        sources = .allocate(capacity: columnBank.taps / 2)
        sources.initialize(repeating: nil)
    }

    deinit { sources.deallocate() }

    func buffer(forRow y: Int) -> UnsafeMutableRawPointer {
        incoming.base + y % 2 * (span + 64)
    }

    func take(row y: Int) {
        let isLast = y + 1 == rows.upperBound
        if y % 2 == 1 || isLast {
            let upper = UnsafePointer(incoming.base.assumingMemoryBound(to: UInt8.self))
            // The second row of an odd last pair is stale; its weights are zero.
            wr_pair_rows(upper, upper + (span + 64), pair(y / 2), span)
            weighOutputs(below: y + 1, all: isLast)
        }
    }

    private func pair(_ index: Int) -> UnsafeMutablePointer<UInt8> {
        (ring.base + index % pairsInRing * span * 2).assumingMemoryBound(to: UInt8.self)
    }

    /// Produces the output rows whose source rows are all below `limit`: whole batches, or the rest at the end.
    private func weighOutputs(below limit: Int, all: Bool) {
        while nextOutput < image.height {
            let batchEnd = min(nextOutput + Self.batch, image.height)
            let ready = (nextOutput..<batchEnd).prefix { Int(columnBank.end[$0]) <= limit }
            guard ready.count == batchEnd - nextOutput || all, !ready.isEmpty else { return }
            weigh(ready)
            nextOutput = ready.endIndex
        }
    }

    private func weigh(_ outputs: Range<Int>) {
        weighColumns(outputs)
        weighRows(outputs)
    }

    private func weighColumns(_ outputs: Range<Int>) {
        let filtered = filtered.base.assumingMemoryBound(to: Int16.self)
        for start in stride(from: 0, to: span, by: Self.strip) {
            let count = min(Self.strip, span - start)
            for (index, output) in outputs.enumerated() {
                let first = Int(columnBank.first[output])
                let pairs = (Int(columnBank.end[output]) - first + 1) / 2
                for tap in 0..<pairs {
                    sources[tap] = UnsafePointer(pair(first / 2 + tap) + start * 2)
                }
                columnBank.fixedWeights.withUnsafeBufferPointer { weights in
                    wr_resample_columns(
                        sources.baseAddress, weights.baseAddress! + output * columnBank.taps, pairs,
                        filtered + index * filteredSpan + start, count)
                }
            }
        }
    }

    private func weighRows(_ outputs: Range<Int>) {
        let filtered = filtered.base.assumingMemoryBound(to: Int16.self)
        let paired = paired.base.assumingMemoryBound(to: Int16.self)
        let sums = sums.base.assumingMemoryBound(to: Int32.self)
        image.withMutablePlanes { planes in
            let sumSpan = planes.width * 4
            for start in stride(from: 0, to: outputs.count, by: 4) {
                for lane in 0..<4 {
                    // Lanes past the last row repeat it.
                    let row = min(start + lane, outputs.count - 1)
                    wr_pair_pixels(filtered + row * filteredSpan, paired + lane * pairedSpan, width, components)
                }
                let rows = (0..<4).map { UnsafePointer(paired + $0 * pairedSpan) as UnsafePointer<Int16>? }
                let results = (0..<4).map { sums + $0 * sumSpan as UnsafeMutablePointer<Int32>? }
                wr_resample_rows(
                    rows, rowBank.first, rowBank.pairedWeights, rowBank.taps, planes.width, results)
                for lane in 0..<min(4, outputs.count - start) {
                    let y = outputs.lowerBound + start + lane
                    wr_sums_to_planes(
                        sums + lane * sumSpan, planes.width, planes.row(y, plane: 0), planes.row(y, plane: 1),
                        planes.row(y, plane: 2), planes.count == 4 ? planes.row(y, plane: 3) : nil)
                }
            }
        }
    }
}
