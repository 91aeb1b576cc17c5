internal import CWebP
internal import WayreelCore

/// Decodes WebP through libwebp: lossy or lossless, with alpha; the first frame of an animation on its canvas.
final class WebPReader: WholeImageReader {
    let header: ImageHeader
    private(set) var damage: Damage?

    private let frame: WebPFrame
    var pixels: DecodedPixels?
    var nextRow = 0

    init(_ bytes: MediaBytes, limits: Limits) throws(MediaError) {
        let demuxer = try WebPDemuxer(bytes)
        try limits.check(size: demuxer.canvas)
        try limits.check(frames: demuxer.frameCount)
        frame = try demuxer.frame(1)
        var header = ImageHeader(format: .webp, size: demuxer.canvas)
        header.frames = demuxer.frameCount
        header.layout = frame.hasAlpha || frame.size != header.size ? .rgba : .rgb
        header.model = frame.isLossless ? .rgb : .yCbCr
        header.subsampling = frame.isLossless ? nil : "4:2:0"
        header.profile = demuxer.chunk("ICCP")
        header.exif = demuxer.chunk("EXIF").map(EXIFBlock.withoutIdentifier)
        header.xmp = demuxer.chunk("XMP ")
        self.header = header
    }

    func decode(into pixels: DecodedPixels) throws(MediaError) {
        let corner = pixels.row(frame.y) + frame.x * header.layout.components
        let (rows, reason) = try frame.decode(into: corner, stride: pixels.stride, hasAlpha: header.layout == .rgba)
        if let reason {
            let missing = frame.size.height - rows
            guard rows > 0 else { throw WebPDemuxer.fault(reason) }
            damage = Damage(
                missingShare: Double(missing * frame.size.width) / Double(header.size.pixels),
                description: "WebP: \(reason)")
            for y in frame.y + rows..<frame.y + frame.size.height {
                header.fillMissing(
                    pixels.row(y) + frame.x * header.layout.components,
                    count: frame.size.width * header.layout.components)
            }
        }
    }
}

/// A frame of a WebP file; a still image has one.
struct WebPFrame {
    /// VP8 or VP8L data with its alpha chunk, inside of `file`.
    fileprivate let bitstream: UnsafeRawBufferPointer
    fileprivate let file: MediaBytes
    let size: PixelSize
    let x: Int
    let y: Int
    let hasAlpha: Bool
    let isLossless: Bool
    /// Whether it is blended with the canvas rather than replacing it.
    let blends: Bool
    /// Whether its area is cleared before the next frame.
    let isCleared: Bool

    /// Decodes into rows at `corner`. Returns the number of decoded rows, and an error if some are missing.
    func decode(
        into corner: UnsafeMutableRawPointer, stride: Int, hasAlpha: Bool
    ) throws(MediaError) -> (rows: Int, reason: String?) {
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0 else {
            throw MediaError(
                .unsupported, step: .decode, reason: "the installed libwebp is incompatible with this build")
        }
        config.output.colorspace = hasAlpha ? MODE_RGBA : MODE_RGB
        config.output.is_external_memory = 1
        config.output.u.RGBA.rgba = corner.assumingMemoryBound(to: UInt8.self)
        config.output.u.RGBA.stride = Int32(stride)
        config.output.u.RGBA.size = stride * (size.height - 1) + size.width * (hasAlpha ? 4 : 3)
        // The decoder keeps the pointer to its output until it is deleted.
        return try withUnsafeMutablePointer(to: &config.output) { (output) throws(MediaError) in
            try decode(into: output)
        }
    }

    private func decode(
        into output: UnsafeMutablePointer<WebPDecBuffer>
    ) throws(MediaError) -> (rows: Int, reason: String?) {
        // Unlike the plain decoder, the incremental one keeps the rows in front of a fault.
        guard let decoder = WebPINewDecoder(output) else { throw WebPDemuxer.fault("no memory") }
        defer { WebPIDelete(decoder) }
        let start = bitstream.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let status = withExtendedLifetime(file) { WebPIUpdate(decoder, start, bitstream.count) }
        var rows: Int32 = 0
        _ = WebPIDecGetRGB(decoder, &rows, nil, nil, nil)
        if status == VP8_STATUS_OK { return (size.height, nil) }
        let reason = status == VP8_STATUS_SUSPENDED ? "the file ends early" : "the data is broken"
        return (min(Int(rows), size.height), reason)
    }
}

/// The chunks of a WebP file, complete or truncated.
final class WebPDemuxer {
    private let demuxer: OpaquePointer
    /// The file, which libwebp does not copy.
    private let file: MediaBytes

    static let fault = ErrorSite(step: .decode, format: .webp)

    init(_ file: MediaBytes) throws(MediaError) {
        try SharedLibrary.libwebp.require(step: .decode)
        self.file = file
        var data = WebPData(
            bytes: file.buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), size: file.count)
        var state = WEBP_DEMUX_PARSING_HEADER
        guard let demuxer = WebPDemuxPartial(&data, &state) else {
            throw Self.fault(
                state == WEBP_DEMUX_PARSING_HEADER ? "the file ends within its header" : "the header is broken")
        }
        self.demuxer = demuxer
    }

    deinit { WebPDemuxDelete(demuxer) }

    var canvas: PixelSize {
        PixelSize(
            width: Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH)),
            height: Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT)))
    }

    /// Number of frames in the file.
    var frameCount: Int { max(1, Int(WebPDemuxGetI(demuxer, WEBP_FF_FRAME_COUNT))) }

    /// Frame `number`, from 1.
    func frame(_ number: Int) throws(MediaError) -> WebPFrame {
        var iterator = WebPIterator()
        defer { WebPDemuxReleaseIterator(&iterator) }
        guard WebPDemuxGetFrame(demuxer, Int32(clamping: number), &iterator) != 0, iterator.width > 0,
            iterator.height > 0
        else {
            throw Self.fault("the file ends before image \(number)")
        }
        let bitstream = UnsafeRawBufferPointer(start: iterator.fragment.bytes, count: iterator.fragment.size)
        var features = WebPBitstreamFeatures()
        let status = WebPGetFeatures(iterator.fragment.bytes, iterator.fragment.size, &features)
        let size = PixelSize(width: Int(iterator.width), height: Int(iterator.height))
        let (x, y) = (Int(iterator.x_offset), Int(iterator.y_offset))
        guard status == VP8_STATUS_OK, Int(features.width) == size.width, Int(features.height) == size.height,
            x >= 0, y >= 0, x + size.width <= canvas.width, y + size.height <= canvas.height
        else { throw Self.fault("the frame header is broken") }
        return WebPFrame(
            bitstream: bitstream, file: file, size: size, x: x, y: y, hasAlpha: iterator.has_alpha != 0,
            isLossless: features.format == 2, blends: iterator.blend_method == WEBP_MUX_BLEND,
            isCleared: iterator.dispose_method == WEBP_MUX_DISPOSE_BACKGROUND)
    }

    /// Returns the first chunk of four-letter type `type`.
    func chunk(_ type: String) -> [UInt8]? {
        var iterator = WebPChunkIterator()
        defer { WebPDemuxReleaseChunkIterator(&iterator) }
        guard WebPDemuxGetChunk(demuxer, type, 1, &iterator) != 0, iterator.chunk.size > 0 else { return nil }
        return Array(UnsafeBufferPointer(start: iterator.chunk.bytes, count: iterator.chunk.size))
    }
}

/// Decodes the frames of an animated WebP independently.
///
/// Ignores the background colour, as libwebp's animation decoder does: the canvas is transparent.
final class WebPFrames: FrameSource {
    let frames: [AnimationFrame]
    private let images: [WebPFrame]

    private init(_ images: [WebPFrame]) {
        self.images = images
        frames = images.map { image in
            AnimationFrame(
                area: PixelRectangle(
                    columns: image.x..<image.x + image.size.width, rows: image.y..<image.y + image.size.height),
                hasAlpha: image.hasAlpha, blends: image.blends, disposal: image.isCleared ? .clear : .keep)
        }
    }

    /// Returns a reader for frame `page` (from 1) as displayed.
    static func open(
        _ bytes: MediaBytes, page: Int?, limits: Limits, task: TaskContext
    ) throws(MediaError) -> any RowReader {
        let first = try WebPReader(bytes, limits: limits)
        guard let page else { return first }
        try limits.check(page: page, of: first.header.frames)
        guard page > 1 else { return first }
        let demuxer = try WebPDemuxer(bytes)
        var images: [WebPFrame] = []
        for number in 1...page {
            try task.check()
            images.append(try demuxer.frame(number))
        }
        return AnimationReader(WebPFrames(images), frame: page - 1, header: first.header, task: task)
    }

    func decode(_ index: Int, use: (_ y: Int, _ row: UnsafeRawPointer) -> Void) throws(MediaError) -> Damage? {
        let image = images[index]
        var header = ImageHeader(format: .webp, size: image.size)
        header.layout = .rgba
        let pixels = try DecodedPixels(header)
        let (rows, reason) = try image.decode(into: pixels.base, stride: pixels.stride, hasAlpha: true)
        for y in 0..<rows { use(y, pixels.row(y)) }
        guard let reason else { return nil }
        guard rows > 0 else { throw WebPDemuxer.fault(reason) }
        return Damage(
            missingShare: Double(image.size.height - rows) / Double(image.size.height), description: "WebP: \(reason)")
    }
}
