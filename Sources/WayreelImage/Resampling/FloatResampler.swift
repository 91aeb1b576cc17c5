internal import WayreelCore
internal import WayreelKernels

/// The general path in floats: 16-bit images, alpha (premultiplied before filtering), linear light.
final class FloatResampler: RowResampler {
    private(set) var image: Image
    private let components: Int
    private let hasAlpha: Bool
    private let bits: Int
    private let width: Int
    private let linearised: [Float]?
    private let columnBank: FilterBank
    private let rowBank: FilterBank

    private let rowsInRing: Int
    private let span: Int
    private let ring: AlignedMemory
    private let incoming: AlignedMemory
    private let filtered: AlignedMemory
    private let planes: AlignedMemory
    private let planeSpan: Int
    private var nextOutput = 0

    init(layout: ImageHeader.RowLayout, bits: Int, plan: ResamplingPlan) throws(MediaError) {
        image = try Image(unset: plan.output, hasAlpha: layout.components == 4)
        components = layout.components
        hasAlpha = layout == .rgba
        self.bits = bits
        width = plan.source.width
        linearised = plan.inLinearLight && layout != .cmyk ? SRGBTransfer.table(bits: bits) : nil
        rowBank = .shared(for: plan.columns)
        columnBank = .shared(for: plan.rows)
        span = (width * components + 15) / 16 * 16
        rowsInRing = columnBank.taps + 1
        ring = try AlignedMemory(zeroed: rowsInRing * span * 4, step: .resample)
        incoming = try AlignedMemory(zeroed: width * components * (bits / 8) + 64, step: .resample)
        filtered = try AlignedMemory(zeroed: span * 4, step: .resample)
        planeSpan = (width + rowBank.taps + 15) / 16 * 16
        planes = try AlignedMemory(zeroed: planeSpan * 4 * 4, step: .resample)
    }

    func buffer(forRow y: Int) -> UnsafeMutableRawPointer { incoming.base }

    func take(row y: Int) {
        convert(into: ringRow(y))
        while nextOutput < image.height, Int(columnBank.end[nextOutput]) <= y + 1 {
            weigh(nextOutput)
            nextOutput += 1
        }
    }

    private func ringRow(_ y: Int) -> UnsafeMutablePointer<Float> {
        (ring.base + y % rowsInRing * span * 4).assumingMemoryBound(to: Float.self)
    }

    /// Converts integers to 0…1, optionally linear, premultiplied.
    private func convert(into row: UnsafeMutablePointer<Float>) {
        let scale = 1 / Float((1 << bits) - 1)
        let bytes = incoming.base.assumingMemoryBound(to: UInt8.self)
        let words = incoming.base.assumingMemoryBound(to: UInt16.self)
        switch (linearised, bits) {
        case (let table?, 8): wr_look_up_bytes(bytes, row, width, components, table, scale)
        case (let table?, _): wr_look_up_words(words, row, width, components, table, scale)
        case (nil, 8): wr_bytes_to_floats(bytes, row, width * components, scale)
        case (nil, _): wr_words_to_floats(words, row, width * components, scale)
        }
        if hasAlpha { wr_premultiply_pixels(row, width) }
    }

    private func weigh(_ output: Int) {
        let taps = columnBank.taps
        let sources = (0..<taps).map {
            UnsafePointer(ringRow(Int(columnBank.first[output]) + $0)) as UnsafePointer<Float>?
        }
        let filtered = filtered.base.assumingMemoryBound(to: Float.self)
        columnBank.weights.withUnsafeBufferPointer { weights in
            wr_resample_columns_f(sources, weights.baseAddress! + output * taps, taps, filtered, width * components)
        }
        let plane = (0..<4).map { planes.base.assumingMemoryBound(to: Float.self) + $0 * planeSpan }
        wr_split_planes(filtered, width, components, plane[0], plane[1], plane[2], plane[3])
        image.withMutablePlanes { result in
            for index in 0..<components {
                wr_resample_row_f(
                    plane[index], rowBank.first, rowBank.weights, rowBank.taps, result.width,
                    result.row(output, plane: index))
            }
        }
    }
}
