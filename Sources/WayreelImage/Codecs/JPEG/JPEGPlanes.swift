internal import WayreelCore
internal import WayreelJPEG

/// A sequential Huffman-coded JPEG, decoded by WayreelJPEG at full or at a reduced size.
///
/// An image with any anomaly is left to libjpeg, so that its pixels, warnings and errors are libjpeg's.
final class JPEGPlanes {
    /// The memory that planes may take, in bytes.
    static let maxBytes = 64 << 20

    /// The eighths of its size at which an image may be decoded, and the pixels that are kept at least for each one of the
    /// result: with fewer, the filter of the reduction would see the edge of what the transform keeps, or the steps between
    /// blocks of few samples. Chosen by SSIMULACRA2 of the photos of 40 cameras.
    private static let scales: [(eighths: Int, keptPixels: Double)] = [
        (1, 4), (2, 2.5), (3, 1.75), (4, 1.65), (6, 1.65),
    ]

    private var header: wj_frame
    private let planes: [wj_plane]
    private let memory: UnsafeMutableRawPointer
    private let byteCount: Int
    private let scratch: AlignedMemory

    /// The header of an accepted image.
    struct Frame {
        fileprivate let header: wj_frame

        /// Returns nil if the image is left to libjpeg.
        init?(_ bytes: MediaBytes) {
            var header = wj_frame()
            let memory = bytes.buffer.assumingMemoryBound(to: UInt8.self)
            guard let base = memory.baseAddress, wj_read_frame(base, memory.count, &header) == WJ_ACCEPTED else {
                return nil
            }
            self.header = header
        }

        /// Returns the eighths of its size that are enough for a reduction to one `reduction`th; nil if it is the whole.
        func scale(for reduction: Double) -> Int? {
            scales.first { Double($0.eighths) / 8 * reduction >= $0.keptPixels && planes(scale: $0.eighths) != nil }?
                .eighths
        }

        /// Returns the memory of planes and blocks for a reduction to one `reduction`th, in bytes; nil if the planes would take
        /// too much, or if rows cannot be made of them.
        func decoderBytes(reduction: Double) -> Int? {
            let blocks = min(WJ_BLOCK_MEMORY, 3 * Int(header.width) * Int(header.height))
            return planes(scale: scale(for: reduction) ?? 8).map { byteCount($0) + blocks }
        }

        /// Returns the planes at `scale` eighths of luma's size, without memory. nil if they take too much of it, or if rows
        /// cannot be made of them.
        fileprivate func planes(scale: Int) -> [wj_plane]? {
            var header = header
            let planes = header.componentList.map { component in
                // Chroma that is half as large is decoded at twice the scale, so that both are of one size.
                let ratio = max(header.h_max / Int32(component.h), header.v_max / Int32(component.v))
                let own = scale == 8 ? 8 : Int32(scale) * ratio
                let stride = (Int(component.blocks_wide) * Int(own) + 63) / 64 * 64
                return wj_plane(scale: own, samples: nil, stride: stride, coefficients: nil)
            }
            let isPossible =
                planes.allSatisfy { [1, 2, 3, 4, 6, 8].contains($0.scale) } && wj_has_rows(&header, planes) != 0
            return isPossible && byteCount(planes) <= maxBytes ? planes : nil
        }

        /// The memory of planes whose rows begin at whole cache lines.
        fileprivate func byteCount(_ planes: [wj_plane]) -> Int {
            zip(planes, header.componentList).reduce(64) { $0 + $1.0.stride * Int($1.1.blocks_high) * Int($1.0.scale) }
        }
    }

    /// Decodes the planes at `scale` eighths of their size. Returns nil if the image is left to libjpeg. Throws if `task`
    /// must stop.
    init?(_ frame: Frame, scale: Int = 8, task: TaskContext) throws(MediaError) {
        guard var planes = frame.planes(scale: scale) else { return nil }
        var header = frame.header
        scratch = try AlignedMemory(uninitialized: wj_row_scratch(&header), step: .decode)
        byteCount = frame.byteCount(planes)
        guard let memory = PlaneMemory.take(byteCount) else { return nil }
        self.memory = memory
        var next = memory.assumingMemoryBound(to: UInt8.self)
        for (index, component) in header.componentList.enumerated() {
            planes[index].samples = next
            next += planes[index].stride * Int(component.blocks_high) * Int(planes[index].scale)
        }
        self.header = header
        self.planes = planes
        guard try Self.decode(header, planes, task) else { return nil }
    }

    deinit { PlaneMemory.give(memory, byteCount) }

    /// The size of luma's plane.
    private(set) lazy var size = PixelSize(
        width: Int(wj_row_width(&header, planes)), height: Int(wj_row_count(&header, planes)))

    /// Converts row `y` to interleaved R′G′B′; at full size as libjpeg does.
    func convertRow(_ y: Int, isYCbCr: Bool, into row: UnsafeMutableRawPointer) {
        wj_read_row(
            &header, planes, UInt32(y), isYCbCr ? 1 : 0, scratch.pointer(to: UInt8.self),
            row.assumingMemoryBound(to: UInt8.self))
    }

    // MARK: Decoding

    /// Bytes of a scan that are worth a second thread.
    private static let minBytesPerThread = 256 << 10

    /// Returns whether the image was decoded; if not, it is left to libjpeg.
    private static func decode(
        _ header: wj_frame, _ planes: [wj_plane], _ task: TaskContext
    ) throws(MediaError) -> Bool {
        var decoder: OpaquePointer?
        var header = header
        guard wj_decoder_open(&header, planes, &decoder) == WJ_ACCEPTED, let decoder else { return false }
        let work = SharedDecoder(decoder: decoder)
        let helpers = min(task.threads, wj_decoder_scan_size(decoder) / minBytesPerThread) - 1
        let threads = (0..<max(0, helpers)).compactMap { _ in
            let own = task.child()
            // With fewer threads, decoding only takes longer.
            return try? WorkThread("decode") {
                work.run(own)
                own.countThread()
            }
        }
        work.run(task)
        for thread in threads { thread.join() }
        let verdict = wj_decoder_close(decoder)
        try task.check()
        return verdict == WJ_ACCEPTED
    }

    /// A decoder that several threads work with: `wj_decoder_work` may be called by any number of them at once.
    private struct SharedDecoder: @unchecked Sendable {
        let decoder: OpaquePointer

        func run(_ task: TaskContext) {
            wj_decoder_work(decoder, mustStop, Unmanaged.passUnretained(task).toOpaque())
        }
    }
}

/// The rows of a JPEG that was decoded at a reduced size.
final class JPEGReducedRows: SeekableRowReader {
    let header: ImageHeader
    let damage: Damage? = nil
    var nextRow = 0
    private let planes: JPEGPlanes

    /// `header` is that of the whole image.
    init(_ planes: JPEGPlanes, of header: ImageHeader) {
        self.planes = planes
        var header = header
        header.size = planes.size
        self.header = header
    }

    func readRow(into row: UnsafeMutableRawPointer) {
        planes.convertRow(nextRow, isYCbCr: header.model == .yCbCr, into: row)
        nextRow += 1
    }
}

extension wj_frame {
    fileprivate var componentList: [wj_component] {
        let all = [components.0, components.1, components.2]
        return Array(all.prefix(Int(component_count)))
    }
}
