package import WayreelAV
public import WayreelCore
public import WayreelImage

/// Makes posters: find the frame → resample to upright RGB → filters → overlays → encode.
///
/// It is created once for its options, which it checks, and runs for any number of videos on any number of threads.
public struct PosterPipeline: Sendable {
    public let options: PosterOptions
    private let effects: Effects

    /// Checks the options and loads the files that they name: `.cube` LUTs, overlay images.
    ///
    /// Throws a `parameter` error for invalid options, `io`, `limit` and `decoding` errors for files that cannot be
    /// used.
    public init(_ options: PosterOptions) throws(MediaError) {
        try options.framing.check()
        try options.encoding.check()
        try require(
            options.framing.trim == nil, "borders of a video are not trimmed", "leave the trim out", step: .poster)
        try require(
            options.framing.crop == nil && options.framing.turning == .upright,
            "frames of a video are not cropped freely, flipped or rotated",
            "prepare the poster as a capture afterwards", step: .poster)
        if let time = options.time {
            try require(
                (0...1e9).contains(time), "a time of \(time.shortDescription) s is out of range",
                "use 0 to the video's length", step: .poster)
        }
        try options.range?.check()
        try require(
            options.encoding.metadata == .none, "a poster carries no metadata of its video",
            "leave the setting 'metadata' out", step: .poster)
        self.options = options
        effects = try Effects(
            filters: options.filters, overlays: options.overlays, limits: options.limits.forImages)
    }

    /// Makes the poster of one video on the calling thread, decoding on `threads`.
    ///
    /// Throws the errors of opening the file, an `unsupported` error if it has no video, a `decoding` error if no frame
    /// can be decoded.
    package func make(_ source: MediaInput, threads: Int = 1, task: TaskContext) throws(MediaError) -> Poster {
        try render(source, threads: threads, task: task) { (image, seconds, info) throws(MediaError) in
            let encoded = try task.step(.encode) { () throws(MediaError) in
                try ImageEncoders.encode(image, as: options.encoding, metadata: OutputMetadata(), task: task)
            }
            return Poster(
                bytes: encoded.bytes, format: options.encoding.format, foundQuality: encoded.foundQuality,
                size: image.size, seconds: seconds, source: info, steps: task.steps, warnings: task.warnings)
        }
    }

    /// Finds the poster, and measures the sizes and similarities of its encodings at other qualities.
    package func measure(
        _ source: MediaInput, qualities: [Int], threads: Int, task: TaskContext
    ) throws(MediaError) -> ImageQualities {
        try render(source, threads: threads, task: task) { (image, _, _) throws(MediaError) in
            try ImageQualities(
                of: image, as: options.encoding, qualities: qualities, metadata: OutputMetadata(), task: task)
        }
    }

    /// Passes the finished image, its time and the description of the file to `body`.
    private func render<Result>(
        _ source: MediaInput, threads: Int, task: TaskContext,
        _ body: (Image, Double, MediaInfo) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        let finder = try task.step(.open, on: .process) { () throws(MediaError) in
            try FrameFinder(
                source, limits: options.limits, threads: threads, usesWayreelJPEG: true, task: task)
        }
        do throws(MediaError) {
            try options.limits.check(seconds: finder.seconds ?? 0)
            // An output that is too large is refused before the video is decoded.
            if let video = finder.stream.videoProperties {
                _ = try plan(for: video.size, pixelAspect: video.pixelAspect, video)
            }
            let found = try task.step(.find, on: .process) { () throws(MediaError) in try find(finder, task) }
            return try body(
                try image(of: found.frame, in: finder.stream, task), found.seconds, finder.file.info)
        } catch { throw error.naming(finder.file.name) }
    }

    /// Returns a frame as an upright image at the size of the framing, with the filters and overlays of the options.
    func image(of frame: Frame, in stream: MediaStream, _ task: TaskContext) throws(MediaError) -> Image {
        var (image, canvas) = try task.step(.resample, on: .process) { () throws(MediaError) in
            try resampled(frame, of: stream, task)
        }
        try task.step(.filterAndOverlay) { () throws(MediaError) in
            try effects.apply(to: &image, task: task) { (filtered) throws(MediaError) in
                try filtered.onCanvas(canvas, gravity: options.framing.gravity, background: options.background)
            }
        }
        return image
    }

    private func find(_ finder: FrameFinder, _ task: TaskContext) throws(MediaError) -> FrameFinder.Found {
        guard let time = options.time else {
            let search = PosterSearch(finder: finder, range: options.range ?? TimeRange(), task: task)
            return try finder.withOneDecoder(search.best)
        }
        let shown = try finder.withOneDecoder { () throws(MediaError) in try finder.frame(at: time) }
        guard let (found, isPastEnd) = shown else {
            throw MediaError.undecodable()
        }
        if isPastEnd {
            let shown = (found.seconds * 1000).rounded() / 1000
            task.warn(
                .poster,
                "\(time.shortDescription) s is past the end; the poster is the last frame, at \(shown.shortDescription) s"
            )
        }
        return found
    }

    /// Returns a frame as an upright image at the size of the framing, and the size of its canvas.
    private func resampled(
        _ frame: Frame, of stream: MediaStream, _ task: TaskContext
    ) throws(MediaError) -> (image: Image, canvas: PixelSize) {
        guard let properties = stream.videoProperties else {
            throw MediaError(.unsupported, step: .poster, reason: "its frames have no size")
        }
        let aspect = frame.size == properties.size ? properties.pixelAspect : frame.pixelAspect ?? 1
        let (plan, canvas) = try plan(for: frame.size, pixelAspect: aspect, properties)
        let graph = try FilterGraph(FrameConversion.toRGB(frame, of: properties), timeBase: 1, task: task)
        var only: Frame? = frame
        let converted = try graph.next {
            defer { only = nil }
            return only
        }
        guard let converted else {
            throw MediaError(.decoding, step: .poster, reason: "FFmpeg's filters returned no frame")
        }
        var image = try Resampling.resample(FrameRowReader(converted), plan: plan, task: task)
        if plan.inLinearLight { try ColorPipeline([.encodeSRGB]).apply(to: &image, task: task) }
        image = try image.turned(upright: properties.orientation)
        image = try image.onCanvas(image.size, background: options.background.opaque)
        if options.framing.cropsToAttention {
            let origin = try AttentionCrop(image, task: task).origin(of: canvas, in: image.size)
            image = try image.onCanvas(canvas, x: -origin.x, y: -origin.y)
        }
        return (image, canvas)
    }

    /// Returns the resampling plan for a frame with pixels `pixelAspect` times as wide as they are high, and the canvas
    /// of the result.
    ///
    /// Throws a `limit` error if the output would exceed the limits of the options or those of its format.
    private func plan(
        for size: PixelSize, pixelAspect: Rational, _ video: VideoProperties
    ) throws(MediaError) -> (plan: ResamplingPlan, canvas: PixelSize) {
        let square = VideoProperties(size: size, pixelAspect: pixelAspect, pixelFormat: "").displayedSize
        let layout = options.framing.layout(for: video.orientation.upright(square))
        guard max(layout.canvas.pixels, layout.image.pixels) <= options.limits.pixels else {
            throw MediaError(
                .limit, code: .tooManyPixels, step: .poster,
                reason: "the poster would be \(layout.canvas); the limit is \(options.limits.pixels.inMegapixels)",
                advice: "choose a smaller screen or raise the limit with \(.maxPixels)")
        }
        try options.encoding.format.check(output: layout.canvas)
        var plan = options.framing.plan(layout, for: square, orientation: video.orientation)
        let narrowing = Double(size.width) / Double(square.width)
        plan.source = size
        plan.region.x *= narrowing
        plan.region.width *= narrowing
        return (plan, layout.canvas)
    }
}

/// Makes the poster image of one video, from a file to a file.
public struct PosterTask: MediaTask {
    /// A path, or `-` for standard input.
    public var input: String
    /// A path, or `-` for standard output.
    public var output: String
    public var options: PosterOptions

    public init(input: String, output: String, options: PosterOptions = PosterOptions()) {
        self.input = input
        self.output = output
        self.options = options
    }

    public var outputs: [String] { [output] }

    public var maxSeconds: Double { options.limits.seconds }

    public var namedFiles: [String] { options.overlays.imagePaths + options.filters.flatMap(\.files) }

    public var isolationNeed: IsolationNeed {
        max(IsolationNeed(of: options.overlays), IsolationNeed(of: options.encoding))
    }

    public func makePipeline() throws(MediaError) -> PosterPipeline { try PosterPipeline(options) }
}

extension PosterPipeline: MediaPipeline {
    /// Makes the poster of the video at `path` in memory, on one of `pool`'s threads.
    ///
    /// Throws a ``MediaError``; `cancelled` if the surrounding task is cancelled.
    public func poster(of path: String, on pool: WorkPool = .shared) async throws -> Poster {
        try await pool.run { (cancellation) throws(MediaError) in
            try makePoster(path, cancellation: cancellation)
        }
    }

    /// Makes the poster of an encoded video in memory, on one of `pool`'s threads.
    ///
    /// Throws a ``MediaError``; `cancelled` if the surrounding task is cancelled.
    public func poster(of bytes: [UInt8], on pool: WorkPool = .shared) async throws -> Poster {
        try await pool.run { (cancellation) throws(MediaError) in
            try MemoryFile.open(bytes) { (path) throws(MediaError) in
                try makePoster(path, cancellation: cancellation)
            }
        }
    }

    /// Makes the poster on the calling thread.
    private func makePoster(_ path: String, cancellation: Cancellation) throws(MediaError) -> Poster {
        let context = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
        return try RereadableInput(path, task: context).read { (source) throws(MediaError) in
            try make(source, task: context)
        }
    }

    /// Makes the poster of the task's input, decoding on `threads`, and writes it atomically. `task.options` must equal
    /// the pipeline's options.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func run(
        _ task: PosterTask, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        let context = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
        return task.report(with: options, ifExists: ifExists, in: context, cpuOf: .process) {
            (report) throws(MediaError) in
            let original = try context.step(.read) { () throws(MediaError) in
                try RereadableInput(task.input, task: context)
            }
            let poster = try original.read { (source) throws(MediaError) in
                try make(source, threads: threads, task: context)
            }
            report.input = TaskReport.Media(path: task.input, poster.source)
            try context.step(.write) { () throws(MediaError) in
                try OutputFile.write(poster.bytes, to: task.output, ifExists: ifExists)
            }
            report.output = TaskReport.Media(path: task.output, poster)
        }
    }
}

/// An encoded image that represents a video.
public struct Poster: Sendable {
    public let bytes: [UInt8]
    public let format: Encoding.Format
    /// The quality, 1 to 100, that was found for ``Encoding/maxBytes``.
    public let foundQuality: Int?
    /// The size in pixels.
    public let size: PixelSize
    /// The time of its frame on the video's timeline.
    public let seconds: Double
    public let source: MediaInfo
    public let steps: [TaskReport.Step]
    public let warnings: [MediaWarning]
}

/// Reads the rows of a packed RGB or RGBA frame, 8 or 16 bits, for the image resampler.
final class FrameRowReader: RowReader {
    let header: ImageHeader
    private let frame: Frame
    private var nextRow = 0

    /// Creates a reader of a frame in `rgb24`, `rgba`, `rgb48` or `rgba64`.
    init(_ frame: Frame) {
        let format = frame.pixelFormatName
        var header = ImageHeader(format: ImageFormat(name: "video", mimeType: "video/mp4"), size: frame.size)
        header.layout = format.hasPrefix("rgba") ? .rgba : .rgb
        header.rowBits = format.contains("48") || format.contains("64") ? 16 : 8
        self.header = header
        self.frame = frame
    }

    var damage: Damage? { nil }

    func readRow(into row: UnsafeMutableRawPointer) throws(MediaError) {
        try frame.withPlanes { row.copyMemory(from: $0[0].row(nextRow), byteCount: header.rowBytes) }
        nextRow += 1
    }

    func skipRows(_ count: Int) { nextRow += count }
}
