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
        let task = TaskContext(seconds: options.limits.seconds)
        filters = try FilterChain(options.filters, task: task)
        overlays = try OverlayRenderer(options.overlays) { (path) throws(MediaError) in
            try Image.load(path: path, limits: options.limits)
        }
    }

    /// Prepares one image on the calling thread.
    ///
    /// Throws a ``MediaError`` that names the step; the caller adds the file.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func prepare(
        _ bytes: MediaBytes, cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> PreparedCapture {
        try prepare(bytes, task: TaskContext(seconds: options.limits.seconds, cancellation: cancellation))
    }

    package func prepare(_ bytes: MediaBytes, task: TaskContext) throws(MediaError) -> PreparedCapture {
        let capture = try render(bytes, task: task)
        let encoded = try task.step(.encode) { () throws(MediaError) in
            try ImageEncoders.encode(
                capture.image, as: options.encoding, metadata: metadata(of: capture, task), task: task)
        }
        return PreparedCapture(
            bytes: encoded.bytes, format: options.encoding.format, foundQuality: encoded.foundQuality,
            size: capture.image.size, sourceFormat: capture.header.format.name, sourceSize: capture.sourceSize,
            steps: task.steps, warnings: task.warnings)
    }

    /// Prepares one image without encoding it, and measures the size and similarity of its encodings with other
    /// qualities.
    package func measure(
        _ bytes: MediaBytes, qualities: [Int], task: TaskContext
    ) throws(MediaError) -> ImageQualities {
        let capture = try render(bytes, task: task)
        return try ImageQualities(
            of: capture.image, as: options.encoding, qualities: qualities, metadata: metadata(of: capture, task),
            task: task)
    }

    private func metadata(of capture: SourceImage.Decoded, _ task: TaskContext) -> OutputMetadata {
        OutputMetadata(
            keeping: options.encoding.metadata, from: capture.header, for: options.encoding.format,
            size: capture.image.size, task: task)
    }

    /// Runs all steps before the encoding.
    private func render(_ bytes: MediaBytes, task: TaskContext) throws(MediaError) -> SourceImage.Decoded {
        var capture = try decode(bytes, task: task)
        try task.step(.filter) { () throws(MediaError) in
            try filters.apply(to: &capture.image, after: capture.toSRGB, task: task)
            capture.image = try capture.image.onCanvas(
                capture.canvas, gravity: options.framing.gravity, background: options.background)
        }
        try task.step(.overlay) { () throws(MediaError) in
            try overlays.draw(on: &capture.image, task: task)
        }
        return capture
    }

    /// Opens and decodes. The decoder's memory is released on return, before filters and encoders need theirs.
    private func decode(_ bytes: MediaBytes, task: TaskContext) throws(MediaError) -> SourceImage.Decoded {
        let source = try task.step(.open) { () throws(MediaError) in
            try SourceImage(bytes, page: options.page, limits: options.limits, task: task)
        }
        // One step: rows are resampled while they are being decoded.
        return try task.step(.decodeAndResample) { () throws(MediaError) in
            try source.decode(
                framing: options.framing, format: options.encoding.format, limits: options.limits,
                tolerance: options.tolerance, task: task)
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
            let task = TaskContext(seconds: limits.seconds)
            let bytes = try MediaBytes.read(path: path, limit: limits.inputBytes, task: task)
            var decoded = try SourceImage(bytes, limits: limits, task: task).decode(
                framing: Framing(), limits: limits, tolerance: .standard, task: task)
            try ColorPipeline(decoded.toSRGB).apply(to: &decoded.image, task: task)
            return decoded.image
        } catch {
            throw error.naming(path)
        }
    }
}
