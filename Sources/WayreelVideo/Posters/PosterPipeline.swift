package import WayreelAV
public import WayreelCore
public import WayreelImage

/// Makes posters: find the picture → upright RGB at its size → filters → overlays → encode.
///
/// Made once for its options, which it checks, and used for any number of videos from any number of threads.
public struct PosterPipeline: Sendable {
    public let options: PosterOptions
    private let look: Look

    /// Checks the options and loads what they name: `.cube` tables, overlay pictures.
    ///
    /// Throws a `parameter` error for a time, a filter, an overlay or an output setting that cannot be, `io`, `limit` and
    /// `decoding` errors for files that cannot be used.
    public init(_ options: PosterOptions) throws(MediaError) {
        try options.framing.check()
        try options.encoding.check()
        guard options.framing.trim == nil else {
            throw MediaError(
                .parameter, step: "poster", reason: "borders of a video are not trimmed", advice: "leave the trim out")
        }
        if let time = options.time {
            guard time >= 0, time <= 1e9 else {
                throw MediaError(
                    .parameter, step: "poster", reason: "a time of \(time.shortDescription) s is out of range",
                    advice: "use 0 to the video's length")
            }
        }
        try options.range?.check()
        guard options.encoding.metadata == .none else {
            throw MediaError(
                .parameter, step: "poster", reason: "a poster carries no metadata of its video",
                advice: "leave the setting 'metadata' out")
        }
        self.options = options
        look = try Look(
            filters: options.filters, overlays: options.overlays, limits: options.limits.forImages)
    }

    /// Makes the poster of one video on the calling thread, decoding on `threads`.
    ///
    /// Throws what opening the file throws, an `unsupported` error where there are no pictures in it, a `decoding` one where
    /// none can be decoded.
    package func make(_ source: AudioSource, threads: Int = 1, watch: TaskWatch) throws(MediaError) -> Poster {
        let finder = try watch.step("open", on: .process) { () throws(MediaError) in
            try PictureFinder(source, limits: options.limits, threads: threads, watch: watch)
        }
        do throws(MediaError) {
            try options.limits.check(seconds: finder.seconds ?? 0)
            let found = try watch.step("find", on: .process) { () throws(MediaError) in try find(finder, watch) }
            var (picture, canvas) = try watch.step("resample", on: .process) { () throws(MediaError) in
                try self.picture(found.frame, of: finder.stream, watch)
            }
            try watch.step("filter and overlay") { () throws(MediaError) in
                try look.apply(to: &picture, watch: watch) { (filtered) throws(MediaError) in
                    try filtered.onCanvas(canvas, gravity: options.framing.gravity, background: options.background)
                }
            }
            let encoded = try watch.step("encode") { () throws(MediaError) in
                try ImageEncoders.encode(picture, as: options.encoding, metadata: OutputMetadata(), watch: watch)
            }
            return Poster(
                bytes: encoded.bytes, format: options.encoding.format, foundQuality: encoded.foundQuality,
                size: picture.size, seconds: found.seconds,
                source: finder.file.info, steps: watch.steps, warnings: watch.warnings)
        } catch { throw error.naming(finder.file.name) }
    }

    private func find(_ finder: PictureFinder, _ watch: TaskWatch) throws(MediaError) -> PictureFinder.Found {
        guard let time = options.time else {
            return try PosterSearch(finder: finder, range: options.range ?? TimeRange(), watch: watch).best()
        }
        guard let (found, isPastEnd) = try finder.picture(at: time) else {
            throw MediaError(
                .decoding, step: "decode", reason: "no picture in it can be decoded",
                advice: "send the whole file, from its first key frame on")
        }
        if isPastEnd {
            let shown = (found.seconds * 1000).rounded() / 1000
            watch.warn(
                "poster",
                "\(time.shortDescription) s is past the end; the poster is the last picture, at \(shown.shortDescription) s"
            )
        }
        return found
    }

    /// The picture of a frame, upright, at the size that the framing makes of it, and that of the canvas that it lies on.
    private func picture(
        _ frame: Frame, of stream: MediaStream, _ watch: TaskWatch
    ) throws(MediaError) -> (picture: Image, canvas: PixelSize) {
        guard let properties = stream.picture else {
            throw MediaError(.unsupported, step: "poster", reason: "its pictures have no size")
        }
        let aspect = frame.size == properties.size ? properties.pixelAspect : frame.pixelAspect ?? 1
        let (plan, canvas) = try options.framing.plan(
            for: frame.size, pixelAspect: aspect, orientation: properties.orientation, limits: options.limits)
        let graph = try FilterGraph(PosterChain.description(for: frame, properties), timeBase: 1, watch: watch)
        var converted: Frame?
        try graph.filter(frame) { converted = $0 }
        if converted == nil { try graph.filter(nil) { converted = $0 } }
        guard let converted else {
            throw MediaError(.decoding, step: "poster", reason: "FFmpeg's filters made nothing of the picture")
        }
        var picture = try Resampling.resample(FrameRowReader(converted), plan: plan, watch: watch)
        if plan.inLinearLight { try ColorPipeline([.encodeSRGB]).apply(to: &picture, watch: watch) }
        picture = try picture.turned(upright: properties.orientation)
        picture = try picture.onCanvas(picture.size, background: options.background.opaque)
        if options.framing.cropsToAttention {
            let origin = try AttentionCrop(picture, watch: watch).origin(of: canvas, in: picture.size)
            picture = try picture.onCanvas(canvas, x: -origin.x, y: -origin.y)
        }
        return (picture, canvas)
    }
}

/// A picture that stands for a video: a whole encoded file and how it came about.
public struct Poster: Sendable {
    public let bytes: [UInt8]
    public let format: Encoding.Format
    /// The quality, 1 to 100, that was found for ``Encoding/maxBytes``.
    public let foundQuality: Int?
    /// In pixels.
    public let size: PixelSize
    /// When the picture is shown, on the video's timeline.
    public let seconds: Double
    public let source: MediaInfo
    public let steps: [TaskReport.Step]
    public let warnings: [MediaWarning]
}

extension Framing {
    /// The plan for a picture that is stored with pixels `pixelAspect` times as wide as they are high, and the canvas that the
    /// result lies on.
    ///
    /// Throws a `limit` error where the output would be beyond `limits`.
    fileprivate func plan(
        for size: PixelSize, pixelAspect: Rational, orientation: Orientation, limits: VideoLimits
    ) throws(MediaError) -> (plan: ResamplingPlan, canvas: PixelSize) {
        let square = VideoProperties(size: size, pixelAspect: pixelAspect, pixelFormat: "").displayedSize
        let layout = layout(for: orientation.upright(square))
        var plan = plan(layout, for: square, orientation: orientation)
        let narrowing = Double(size.width) / Double(square.width)
        plan.source = size
        plan.region.x *= narrowing
        plan.region.width *= narrowing
        guard max(layout.canvas.pixels, layout.image.pixels) <= limits.pixels else {
            throw MediaError(
                .limit, step: "poster",
                reason: "the poster would be \(layout.canvas); the limit is \(limits.pixels.inMegapixels)",
                advice: "choose a smaller screen or raise the limit with --max-pixels")
        }
        return (plan, layout.canvas)
    }
}
