package import WayreelAV
public import WayreelCore
public import WayreelImage

/// Reads the frames of videos: decode → resample to upright RGB → filters → overlays. A frame looks as a ``Poster`` of
/// its time does.
///
/// It is created once for its options, which it checks, and reads any number of videos on any number of threads.
public struct FramePipeline: Sendable {
    public let options: FrameOptions
    private let images: PosterPipeline

    /// Checks the options and loads the files that they name: `.cube` LUTs, overlay images.
    ///
    /// Throws a `parameter` error for invalid options, `io`, `limit` and `decoding` errors for files that cannot be
    /// used.
    public init(_ options: FrameOptions = FrameOptions()) throws(MediaError) {
        self.options = options
        images = try PosterPipeline(
            PosterOptions(
                range: options.range, framing: options.framing, filters: options.filters, overlays: options.overlays,
                background: options.background, limits: options.limits))
    }

    /// Decodes the video on the calling thread and `threads` of the decoder, and passes its frames to `body` in display
    /// order.
    ///
    /// Throws the errors of opening the file, an `unsupported` error if it has no video, a `decoding` error if no frame
    /// can be decoded, a `parameter` error if none begins in the range, and the errors of `body`.
    package func readFrames(
        of source: MediaInput, threads: Int = 1, task: TaskContext, _ body: (VideoFrame) throws(MediaError) -> Void
    ) throws(MediaError) {
        let file = try Demuxer(source, limits: options.limits, task: task)
        guard let stream = file.info.video else { throw FrameFinder.noVideo(file) }
        do throws(MediaError) {
            let reader = try FrameReader(
                file, stream: stream.index, threads: threads, limits: options.limits, task: task)
            let range = options.range ?? TimeRange()
            // Without an index, everything is decoded from the beginning.
            if range.start > 0, file.maxTimestampGap == nil {
                _ = reader.seek(before: range.start, awaitsKeyFrame: true)
            }
            try readFrames(of: reader, in: range, task: task, body)
        } catch { throw error.naming(file.name) }
    }

    private func readFrames(
        of reader: FrameReader, in range: TimeRange, task: TaskContext,
        _ body: (VideoFrame) throws(MediaError) -> Void
    ) throws(MediaError) {
        var pending: (frame: Frame, seconds: Double)?
        var hasFrames = false
        // A frame's duration is known when the next one arrives.
        func emit(until end: Double?) throws(MediaError) {
            guard let (frame, seconds) = pending else { return }
            hasFrames = true
            // A child context, because the steps and warnings of thousands of frames are not kept.
            let image = try images.image(of: frame, in: reader.stream, task.child())
            try body(
                VideoFrame(
                    size: image.size, pixels: image.packedRGBA(), seconds: seconds,
                    duration: end.map { max(0, $0 - seconds) } ?? reader.length(of: frame)))
        }
        while let frame = try reader.next() {
            let seconds = reader.seconds(frame.time ?? 0)
            try options.limits.check(seconds: seconds)
            guard seconds >= range.start - Self.tolerance else { continue }
            try emit(until: seconds)
            pending = nil
            if let end = range.end, seconds >= end - Self.tolerance { break }
            pending = (frame, seconds)
        }
        try emit(until: nil)
        guard !hasFrames else { return }
        guard options.range == nil else {
            throw MediaError(.parameter, step: .decode, reason: "no frame in it begins \(range.description)")
        }
        throw MediaError.undecodable()
    }

    /// The tolerance in seconds for a time that is rounded to a few decimals.
    private static let tolerance = 1e-4
}

/// The frames of a video to read, and how to process them.
public struct FrameOptions: Hashable, Sendable, Codable {
    /// The part of the video whose frames are read: those that begin in it; nil: all.
    public var range: TimeRange?
    public var framing: Framing
    /// The filters, which are applied in order to each frame at its final size.
    public var filters: [Filter]
    /// The overlays, which are drawn in order after the filters.
    public var overlays: [Overlay]
    /// The colour behind a transparent frame.
    public var background: RGBColor
    public var limits: VideoLimits

    public init(
        range: TimeRange? = nil, framing: Framing = Framing(fit: .contain), filters: [Filter] = [],
        overlays: [Overlay] = [], background: RGBColor = .black, limits: VideoLimits = .standard
    ) {
        self.range = range
        self.framing = framing
        self.filters = filters
        self.overlays = overlays
        self.background = background
        self.limits = limits
    }
}

/// A decoded frame of a video: upright, in sRGB.
public struct VideoFrame: Sendable {
    /// The size in pixels.
    public let size: PixelSize
    /// Red, green, blue and straight alpha of each pixel, 8 bits each, row after row from the top: ``rowStride`` ×
    /// height bytes.
    public let pixels: [UInt8]
    /// The time at which it is shown, in seconds on the video's timeline, which begins at 0.
    public let seconds: Double
    /// The seconds until the next frame. For the last frame: the duration in the file, or else that of a frame at the
    /// frame rate; 0 if neither is known.
    public let duration: Double

    public var width: Int { size.width }
    public var height: Int { size.height }
    /// Bytes from one row to the next: 4 × width.
    public var rowStride: Int { 4 * size.width }
}
