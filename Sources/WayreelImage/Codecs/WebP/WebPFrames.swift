internal import WayreelCore

/// Decodes the frames of an animated WebP independently.
///
/// Ignores the background colour, as libwebp's animation decoder does: the canvas is transparent.
final class WebPFrames: FrameSource {
    let frames: [AnimationFrame]
    private let bytes: MediaBytes
    private let images: [WebPFrame]

    private init(_ bytes: MediaBytes, _ images: [WebPFrame]) {
        self.bytes = bytes
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
        let demuxer = try WebPDemuxer(bytes.buffer)
        var images: [WebPFrame] = []
        for number in 1...page {
            try task.check()
            images.append(try demuxer.frame(number))
        }
        return AnimationReader(WebPFrames(bytes, images), frame: page - 1, header: first.header, task: task)
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
