internal import CPNG
internal import WayreelCore

/// Decodes the frames of an animated PNG independently (PNG Specification, Third Edition, sections 11.3.6 and 12.4).
/// Each frame is rewritten as a PNG of its own.
final class PNGFrames: FrameSource {
    let frames: [AnimationFrame]
    private let bytes: MediaBytes
    private let images: [Image]
    /// Complete chunks that every frame needs.
    private let header: UnsafeRawBufferPointer
    private let colors: [PNGChunks.Chunk]
    private let limits: Limits

    /// Whether the default image is the first frame.
    private let beginsWithMainImage: Bool

    /// A frame's control chunk and data.
    private struct Image {
        let control: UnsafeRawBufferPointer
        var data: [UnsafeRawBufferPointer] = []

        var size: PixelSize { PixelSize(width: field(at: 4), height: field(at: 8)) }

        func field(at offset: Int) -> Int { Int(control.bigEndian32(at: offset)) }
    }

    /// Returns a reader for frame `page` (from 1) as displayed, or for the default image.
    static func open(
        _ bytes: MediaBytes, page: Int?, limits: Limits, task: TaskContext
    ) throws(MediaError) -> any RowReader {
        let still = try PNGReader(bytes, limits: limits)
        guard let page else { return still }
        let animation = still.header.frames > 1 ? try PNGFrames(bytes, still.header, limits) : nil
        try limits.check(page: page, of: animation?.frames.count ?? 1)
        guard let animation, !animation.frames.isEmpty, page > 1 || !animation.beginsWithMainImage else { return still }
        return AnimationReader(animation, frame: page - 1, header: still.header, task: task)
    }

    /// Frames outside the canvas or without data end the animation.
    private init(_ bytes: MediaBytes, _ header: ImageHeader, _ limits: Limits) throws(MediaError) {
        self.bytes = bytes
        self.limits = limits
        var (images, colors): ([Image], [PNGChunks.Chunk]) = ([], [])
        var first: UnsafeRawBufferPointer?
        var isMainFirst: Bool?
        for chunk in PNGChunks(bytes.buffer) {
            switch chunk.type {
            case "IHDR": first = first ?? chunk.data
            case "PLTE", "tRNS": colors.append(chunk)
            case "fcTL" where chunk.data.count == 26 && images.count < limits.frames:
                images.append(Image(control: chunk.data))
            case "IDAT":
                isMainFirst = isMainFirst ?? !images.isEmpty
                if images.count == 1 { images[0].data.append(chunk.data) }
            case "fdAT" where chunk.data.count > 4 && !images.isEmpty:
                images[images.count - 1].data.append(UnsafeRawBufferPointer(rebasing: chunk.data.dropFirst(4)))
            default: break
            }
        }
        guard let first else { throw PNGReader.fault("it does not start with a header chunk") }
        self.images = Array(
            images.prefix { image in
                !image.data.isEmpty && image.size.width > 0 && image.size.height > 0
                    && image.field(at: 12) + image.size.width <= header.size.width
                    && image.field(at: 16) + image.size.height <= header.size.height
            })
        frames = self.images.enumerated().map { index, image in
            let (left, top) = (image.field(at: 12), image.field(at: 16))
            let disposals: [AnimationFrame.Disposal] = [.keep, .clear, .restore]
            return AnimationFrame(
                area: PixelRectangle(columns: left..<left + image.size.width, rows: top..<top + image.size.height),
                hasAlpha: header.layout == .rgba, blends: image.control[25] == 1,
                disposal: disposals.indices.contains(Int(image.control[24])) ? disposals[Int(image.control[24])] : .keep
            )
        }
        self.header = first
        self.colors = colors
        beginsWithMainImage = isMainFirst ?? false
    }

    func decode(_ index: Int, use: (_ y: Int, _ row: UnsafeRawPointer) -> Void) throws(MediaError) -> Damage? {
        let reader = try PNGReader(MediaBytes(file(of: images[index])), limits: limits)
        let isOpaque = reader.header.layout == .rgb
        let (width, sampleBytes) = (reader.header.size.width, reader.header.rowBits / 8)
        let memory = try AlignedMemory(uninitialized: 4 * width * sampleBytes + 64, step: .decode)
        let row = memory.base
        defer { withExtendedLifetime(memory) {} }
        for y in 0..<reader.header.size.height {
            try reader.readRow(into: row)
            if isOpaque { Self.addAlpha(row, count: width, sampleBytes: sampleBytes) }
            use(y, row)
        }
        return reader.damage
    }

    /// Expands three samples per pixel to four, with opaque alpha.
    private static func addAlpha(_ row: UnsafeMutableRawPointer, count: Int, sampleBytes: Int) {
        for x in (0..<count).reversed() {
            let pixel = row + 4 * x * sampleBytes
            pixel.copyMemory(from: row + 3 * x * sampleBytes, byteCount: 3 * sampleBytes)
            (pixel + 3 * sampleBytes).initializeMemory(as: UInt8.self, repeating: 0xFF, count: sampleBytes)
        }
    }

    /// Returns a PNG that contains one frame.
    private func file(of image: Image) -> [UInt8] {
        var file = PNGChunks.signature
        // Frame size, followed by the rest of the file's header.
        Self.append(
            "IHDR", [image.control[4..<12], header.dropFirst(8)].map(UnsafeRawBufferPointer.init(rebasing:)), to: &file)
        for chunk in colors { Self.append(chunk.type, [chunk.data], to: &file) }
        for data in image.data { Self.append("IDAT", [data], to: &file) }
        Self.append("IEND", [], to: &file)
        return file
    }

    private static func append(_ type: String, _ parts: [UnsafeRawBufferPointer], to file: inout [UInt8]) {
        func number(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
        file += number(UInt32(clamping: parts.reduce(0) { $0 + $1.count }))
        let start = file.count
        file += type.utf8
        for part in parts { file += part }
        let sum = file.withUnsafeBytes { bytes in
            cpng_checksum(
                bytes.baseAddress?.advanced(by: start).assumingMemoryBound(to: UInt8.self), bytes.count - start)
        }
        file += number(sum)
    }
}
