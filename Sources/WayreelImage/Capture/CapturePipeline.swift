public import WayreelCore

/// Prepares captures: decode → resample to the screen → upright → sRGB → filters → background → overlays → encode.
///
/// Checks its options when it is created. One pipeline prepares any number of images on any number of threads.
///
///     let pipeline = try CapturePipeline(CaptureOptions(framing: Framing(screen: PixelSize(width: 960, height: 640))))
///     let prepared = try pipeline.prepare(MediaBytes.read(path: "photo.jpg", limit: 1 << 28))
public struct CapturePipeline: Sendable {
    public let options: CaptureOptions
    private let filters: FilterChain
    private let overlays: OverlayRenderer

    /// Checks the options and loads the files they name: `.cube` tables, overlay images.
    ///
    /// Throws a `parameter` error for an invalid filter, overlay or output setting, and `io`, `limit` and `decoding`
    /// errors for files that cannot be used.
    public init(_ options: CaptureOptions) throws(MediaError) {
        try options.framing.check()
        try options.encoding.check()
        try options.checkBackground()
        self.options = options
        let watch = TaskWatch(seconds: options.limits.seconds)
        filters = try FilterChain(options.filters, watch: watch)
        overlays = try OverlayRenderer(options.overlays) { (path) throws(MediaError) in
            try Image.load(path: path, limits: options.limits)
        }
    }

    /// Prepares one image on the calling thread.
    ///
    /// Throws a ``MediaError`` that names the step; the caller adds the file.
    public func prepare(
        _ bytes: MediaBytes, cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> PreparedCapture {
        try prepare(bytes, watch: TaskWatch(seconds: options.limits.seconds, cancellation: cancellation))
    }

    package func prepare(_ bytes: MediaBytes, watch: TaskWatch) throws(MediaError) -> PreparedCapture {
        var capture = try decode(bytes, watch: watch)
        try watch.step("filter") { () throws(MediaError) in
            try filters.apply(to: &capture.picture, after: capture.toSRGB, watch: watch)
            capture.picture = try capture.picture.onCanvas(
                capture.canvas, gravity: options.framing.gravity, background: options.background)
        }
        try watch.step("overlay") { () throws(MediaError) in
            try overlays.draw(on: &capture.picture, watch: watch)
        }
        let encoded = try watch.step("encode") { () throws(MediaError) in
            let metadata = OutputMetadata(
                keeping: options.encoding.metadata, from: capture.header, for: options.encoding.format,
                size: capture.picture.size, watch: watch)
            return try ImageEncoders.encode(capture.picture, as: options.encoding, metadata: metadata, watch: watch)
        }
        return PreparedCapture(
            bytes: encoded.bytes, format: options.encoding.format, foundQuality: encoded.foundQuality,
            size: capture.picture.size, sourceFormat: capture.header.format.name, sourceSize: capture.sourceSize,
            steps: watch.steps, warnings: watch.warnings)
    }

    /// Opens and decodes. The decoder's memory is released on return, before filters and encoders need theirs.
    private func decode(_ bytes: MediaBytes, watch: TaskWatch) throws(MediaError) -> SourceImage.Decoded {
        let source = try watch.step("open") { () throws(MediaError) in
            try SourceImage(bytes, page: options.page, limits: options.limits, watch: watch)
        }
        // One step: rows are resampled while they are being decoded.
        return try watch.step("decode and resample") { () throws(MediaError) in
            try source.decode(
                framing: options.framing, format: options.encoding.format, limits: options.limits,
                tolerance: options.tolerance, watch: watch)
        }
    }
}

/// A prepared capture: the encoded file and its properties.
public struct PreparedCapture: Sendable {
    public let bytes: [UInt8]
    public let format: Encoding.Format
    /// The quality, 1 to 100, chosen for ``Encoding/maxBytes``.
    public let foundQuality: Int?
    /// In pixels.
    public let size: PixelSize
    /// `jpeg`, `png`, `heif`, …
    public let sourceFormat: String
    /// Upright, in pixels.
    public let sourceSize: PixelSize
    public let steps: [TaskReport.Step]
    public let warnings: [MediaWarning]

    package init(
        bytes: [UInt8], format: Encoding.Format, foundQuality: Int?, size: PixelSize, sourceFormat: String,
        sourceSize: PixelSize,
        steps: [TaskReport.Step], warnings: [MediaWarning]
    ) {
        self.bytes = bytes
        self.format = format
        self.foundQuality = foundQuality
        self.size = size
        self.sourceFormat = sourceFormat
        self.sourceSize = sourceSize
        self.steps = steps
        self.warnings = warnings
    }
}

extension Image {
    /// Decodes the image in a file, upright, in sRGB and at its own size.
    package static func load(path: String, limits: Limits) throws(MediaError) -> Image {
        do {
            let watch = TaskWatch(seconds: limits.seconds)
            let bytes = try MediaBytes.read(path: path, limit: limits.inputBytes, watch: watch)
            var decoded = try SourceImage(bytes, limits: limits, watch: watch).decode(
                framing: Framing(), limits: limits, tolerance: .standard, watch: watch)
            try ColorPipeline(decoded.toSRGB).apply(to: &decoded.image, watch: watch)
            return decoded.image
        } catch {
            throw error.naming(path)
        }
    }
}
