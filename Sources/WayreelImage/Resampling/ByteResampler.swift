internal import WayreelCore
internal import WayreelKernels

/// The fast path: resamples 8-bit images without alpha in integers, vertically and then horizontally.
final class ByteResampler: RowResampler {
    private(set) var image: Image
    private let components: Int
    private let width: Int
    private let columns: ByteColumns
    private let rowBank: FilterBank

    private let paired: AlignedMemory
    private let pairedSpan: Int
    private let sums: AlignedMemory

    init(layout: ImageHeader.RowLayout, plan: ResamplingPlan) throws(MediaError) {
        image = try Image(unset: plan.output, hasAlpha: layout.components == 4)
        components = layout.components
        width = plan.source.width
        columns = try ByteColumns(plan.rows, count: width * components, batch: 8)
        rowBank = .shared(for: plan.columns)
        pairedSpan = (width + rowBank.taps + 2) * 4
        paired = try AlignedMemory(zeroed: pairedSpan * 2 * 4, step: .resample)
        sums = try AlignedMemory(zeroed: plan.output.width * 4 * 4 * 4, step: .resample)
    }

    func buffer(forRow y: Int) -> UnsafeMutableRawPointer { columns.buffer(forRow: y) }

    func take(row y: Int) {
        columns.take(row: y) { weighRows($0) }
    }

    private func weighRows(_ outputs: Range<Int>) {
        let paired = paired.base.assumingMemoryBound(to: Int16.self)
        let sums = sums.base.assumingMemoryBound(to: Int32.self)
        image.withMutablePlanes { planes in
            let sumSpan = planes.width * 4
            for start in stride(from: 0, to: outputs.count, by: 4) {
                for lane in 0..<4 {
                    // Lanes past the last row repeat it.
                    let row = min(start + lane, outputs.count - 1)
                    wr_pair_pixels(columns.row(row), paired + lane * pairedSpan, width, components)
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

/// The vertical pass over 8-bit rows, in integers: a ring of paired source rows is filtered into a few output rows at a
/// time, in strips that fit into the L1 cache.
final class ByteColumns {
    private let bank: FilterBank
    private let outputs: Int
    /// Output rows per pass over the ring.
    private let batch: Int

    /// Values in a source row, rounded up to whole strips of the kernels.
    private let span: Int
    private let pairsInRing: Int
    private let ring: AlignedMemory
    /// The pair of source rows being read.
    private let incoming: AlignedMemory
    private let filtered: AlignedMemory
    private let filteredSpan: Int
    /// Pointers to the pairs of one output row, for the kernel.
    private let sources: UnsafeMutableBufferPointer<UnsafePointer<UInt8>?>
    /// Output rows that have been passed on.
    private(set) var completeOutputs = 0

    /// Values per strip.
    private static let strip = 512

    /// Creates a pass over rows of `count` values, which filters up to `batch` output rows at a time.
    init(_ axis: ResamplingAxis, count: Int, batch: Int) throws(MediaError) {
        let bank = FilterBank.shared(for: axis)
        self.bank = bank
        self.batch = batch
        outputs = axis.outputs
        span = (count + 63) / 64 * 64
        let support = (0..<axis.outputs).map { output in
            let last = min(output + batch, axis.outputs) - 1
            return Int(bank.first[last]) + bank.taps - Int(bank.first[output])
        }
        pairsInRing = support.max()! / 2 + 2
        ring = try AlignedMemory(zeroed: pairsInRing * span * 2 + 128, step: .resample)
        incoming = try AlignedMemory(zeroed: (span + 64) * 2, step: .resample)
        filteredSpan = span + 64
        filtered = try AlignedMemory(zeroed: filteredSpan * 2 * batch, step: .resample)
        sources = .allocate(capacity: bank.taps / 2)
        sources.initialize(repeating: nil)
    }

    deinit { sources.deallocate() }

    /// Buffer for source row `y`; the caller provides the rows with a weight in order.
    func buffer(forRow y: Int) -> UnsafeMutableRawPointer {
        incoming.base + y % 2 * (span + 64)
    }

    /// Consumes source row `y` from its buffer. Calls `body` with each batch of output rows whose source rows are
    /// complete; they are in ``row(_:)``.
    func take(row y: Int, _ body: (Range<Int>) -> Void) {
        let isLast = y + 1 == bank.samplesEnd
        guard y % 2 == 1 || isLast else { return }
        let upper = UnsafePointer(incoming.base.assumingMemoryBound(to: UInt8.self))
        // The second row of an odd last pair is stale; its weights are zero.
        wr_pair_rows(upper, upper + (span + 64), pair(y / 2), span)
        while let ready = nextBatch(below: y + 1, all: isLast) {
            filter(ready)
            body(ready)
            completeOutputs = ready.endIndex
        }
    }

    /// The filtered row at `index` of the batch, with 6 fractional bits.
    func row(_ index: Int) -> UnsafePointer<Int16> {
        UnsafePointer(filtered.base.assumingMemoryBound(to: Int16.self) + index * filteredSpan)
    }

    private func pair(_ index: Int) -> UnsafeMutablePointer<UInt8> {
        (ring.base + index % pairsInRing * span * 2).assumingMemoryBound(to: UInt8.self)
    }

    /// Returns the next output rows whose source rows are all below `limit`: a whole batch, or the rest at the end.
    private func nextBatch(below limit: Int, all: Bool) -> Range<Int>? {
        let next = completeOutputs..<min(completeOutputs + batch, outputs)
        let ready = next.prefix { Int(bank.end[$0]) <= limit }
        return !ready.isEmpty && (all || ready.count == next.count) ? ready : nil
    }

    private func filter(_ outputs: Range<Int>) {
        let filtered = filtered.base.assumingMemoryBound(to: Int16.self)
        for start in stride(from: 0, to: span, by: Self.strip) {
            let count = min(Self.strip, span - start)
            for (index, output) in outputs.enumerated() {
                let first = Int(bank.first[output])
                let pairs = (Int(bank.end[output]) - first + 1) / 2
                for tap in 0..<pairs {
                    sources[tap] = UnsafePointer(pair(first / 2 + tap) + start * 2)
                }
                bank.fixedWeights.withUnsafeBufferPointer { weights in
                    wr_resample_columns(
                        sources.baseAddress, weights.baseAddress! + output * bank.taps, pairs,
                        filtered + index * filteredSpan + start, count)
                }
            }
        }
    }
}
