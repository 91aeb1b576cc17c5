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

/// Prepares one capture, from a file to a file.
public struct CaptureTask: MediaTask {
    /// A path, or `-` for standard input.
    public var input: String
    /// A path, or `-` for standard output.
    public var output: String
    public var options: CaptureOptions

    public init(input: String, output: String, options: CaptureOptions = CaptureOptions()) {
        self.input = input
        self.output = output
        self.options = options
    }

    public var maxSeconds: Double { options.limits.seconds }

    public var outputs: [String] { [output] }

    public var namedFiles: [String] { options.overlays.imagePaths + options.filters.flatMap(\.files) }

    public var isolationNeed: IsolationNeed {
        max(IsolationNeed(of: options.overlays), IsolationNeed(of: options.encoding))
    }

    public var inputNeedsIsolation: Bool { FileHead.isUninterruptibleImage(input, choosesPage: options.page != nil) }

    public func makePipeline() throws(MediaError) -> CapturePipeline { try CapturePipeline(options) }
}

extension CapturePipeline: MediaPipeline {
    /// Prepares an image in memory on one of `pool`'s threads.
    ///
    /// Throws a ``MediaError``; `cancelled` if the surrounding task is cancelled.
    public func prepare(_ bytes: [UInt8], on pool: WorkPool = .shared) async throws -> PreparedCapture {
        try await pool.run { (cancellation) throws(MediaError) in
            try prepare(MediaBytes(bytes), cancellation: cancellation)
        }
    }

    /// Runs the task on the calling thread and writes its output atomically. Tiles of HEIC and AVIF are decoded on up
    /// to `threads` threads. `task.options` must equal the pipeline's options.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func run(
        _ task: CaptureTask, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        let context = TaskContext(seconds: options.limits.seconds, threads: threads, cancellation: cancellation)
        return task.report(with: options, ifExists: ifExists, in: context) { (report) throws(MediaError) in
            let bytes = try context.step(.read) { () throws(MediaError) in
                try MediaBytes.read(path: task.input, limit: options.limits.inputBytes, task: context)
            }
            report.input.bytes = bytes.count
            if let named = Encoding.Format(fileName: task.output), named != options.encoding.format {
                context.warn(
                    .encode, "\(task.output) is written as \(options.encoding.format.rawValue), despite its name")
            }
            let prepared = try prepare(bytes, task: context)
            report.input.format = prepared.sourceFormat
            report.input.width = prepared.sourceSize.width
            report.input.height = prepared.sourceSize.height
            try context.step(.write) { () throws(MediaError) in
                try OutputFile.write(prepared.bytes, to: task.output, ifExists: ifExists)
            }
            report.output = .init(
                path: task.output, format: prepared.format.rawValue, width: prepared.size.width,
                height: prepared.size.height, bytes: prepared.bytes.count)
            report.output.quality = prepared.foundQuality
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
        sourceSize: PixelSize, steps: [TaskReport.Step], warnings: [MediaWarning]
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
    /// Decodes the image in a file, upright and in sRGB, at its own size or as `framing` says.
    package static func load(
        path: String, framing: Framing = Framing(), limits: Limits
    ) throws(MediaError) -> Image {
        do {
            let task = TaskContext(seconds: limits.seconds)
            let bytes = try MediaBytes.read(path: path, limit: limits.inputBytes, task: task)
            var decoded = try SourceImage(bytes, limits: limits, task: task).decode(
                framing: framing, limits: limits, tolerance: .standard, task: task)
            try ColorPipeline(decoded.toSRGB).apply(to: &decoded.image, task: task)
            return try decoded.image.onCanvas(decoded.canvas, gravity: framing.gravity)
        } catch {
            throw error.naming(path)
        }
    }
}

extension IsolationNeed {
    /// Text layout is one call of Pango, which also checks the font when the pipeline is created. Decoding an overlay
    /// image may be one call too.
    package init(of overlays: [Overlay]) {
        let isUninterruptible =
            overlays.contains { if case .text = $0 { true } else { false } }
            || overlays.imagePaths.contains(where: FileHead.isUninterruptibleImage)
        self = isUninterruptible ? .pipeline : .none
    }

    /// AVIF encoding is one call.
    package init(of encoding: Encoding) { self = encoding.format == .avif ? .work : .none }
}

extension FileHead {
    /// Returns whether the image at `path` is decoded by calls that cannot be interrupted. False for pipes and missing
    /// files. `choosesPage` is true if the task selects a page other than the primary one.
    package static func isUninterruptibleImage(_ path: String, choosesPage: Bool) -> Bool {
        withFirstBytes(of: path) {
            ImageProbe.isUninterruptible(beginningWith: MediaBytes($0), choosesPage: choosesPage)
        } ?? isPipe(path)
    }

    /// Returns whether the primary image at `path` is decoded by calls that cannot be interrupted.
    package static func isUninterruptibleImage(_ path: String) -> Bool {
        isUninterruptibleImage(path, choosesPage: false)
    }
}
