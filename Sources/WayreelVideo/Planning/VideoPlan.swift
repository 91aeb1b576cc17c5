public import WayreelCore

/// The plan for the video stream.
public struct VideoPlan: Hashable, Sendable, Codable {
    /// The index of the stream in the file.
    public var stream: Int
    public var action: StreamAction
    /// The reasons why the stream is copied or not.
    public var reasons: [String]
    public var timing: FrameTiming
    /// What is done to the frames before they are encoded; nil if they are copied.
    package var conversion: FrameConversion?
    /// The renditions: one for MP4; for HLS the ladder, the first variant first.
    public var renditions: [RenditionPlan]
    /// The seconds between keyframes that are requested from the encoder; nil: it places them itself, by counting
    /// frames.
    public var keyFrameInterval: Double?
    /// Seconds of output per chunk. Each chunk is encoded by new encoders, so that an interrupted transcode resumes
    /// with the first missing chunk; nil: the video is encoded as a whole.
    public var chunkSeconds: Double?
    /// The part of the stream that is delivered, on the file's timeline; nil: all of it.
    public var range: TimeRange?

    package init(
        stream: Int, action: StreamAction, reasons: [String], timing: FrameTiming, conversion: FrameConversion? = nil,
        renditions: [RenditionPlan], keyFrameInterval: Double? = nil, chunkSeconds: Double? = nil,
        range: TimeRange? = nil
    ) {
        self.stream = stream
        self.action = action
        self.reasons = reasons
        self.timing = timing
        self.conversion = conversion
        self.renditions = renditions
        self.keyFrameInterval = keyFrameInterval
        self.chunkSeconds = chunkSeconds
        self.range = range
    }

    /// The index of the rendition that thumbnails are made from.
    var smallestRendition: Int? {
        renditions.indices.min { renditions[$0].size.pixels < renditions[$1].size.pixels }
    }
}

/// One encoding of the video.
public struct RenditionPlan: Hashable, Sendable, Codable {
    /// The upright size, with even sides.
    public var size: PixelSize
    public var codec: VideoCodec
    public var rate: RenditionRate
    /// FFmpeg's name of the encoder.
    public var encoder: String
    /// The encoder's options by its own names: `preset`, `profile`, `level`, `g`, `x264-params`, without those of the
    /// rate.
    public var options: [String: String]
    /// The number of encoder threads, which affects the output.
    public var threads: Int
    /// The number of GOPs that are encoded at the same time, each by its own encoder, which affects the output.
    public var parallelGOPs: Int

    package init(
        size: PixelSize, codec: VideoCodec, rate: RenditionRate, encoder: String, options: [String: String],
        threads: Int, parallelGOPs: Int = 1
    ) {
        self.size = size
        self.codec = codec
        self.rate = rate
        self.encoder = encoder
        self.options = options
        self.threads = threads
        self.parallelGOPs = parallelGOPs
    }
}

/// The rate control of an encoding.
public struct RenditionRate: Hashable, Sendable, Codable {
    /// The constant rate factor; nil: ``bitRate`` is used.
    public var crf: Double?
    /// The average bits per second.
    public var bitRate: Int?
    /// The maximum bits per second, over ``bufferBits``.
    public var maxBitRate: Int?
    public var bufferBits: Int?
    /// The quality for which ``crf`` must still be found.
    public var quality: QualityTarget?
    /// The maximum size of the whole file in bytes, reached in two passes.
    public var maxBytes: Int?

    public init(
        crf: Double? = nil, bitRate: Int? = nil, maxBitRate: Int? = nil, bufferBits: Int? = nil,
        quality: QualityTarget? = nil, maxBytes: Int? = nil
    ) {
        self.crf = crf
        self.bitRate = bitRate
        self.maxBitRate = maxBitRate
        self.bufferBits = bufferBits
        self.quality = quality
        self.maxBytes = maxBytes
    }
}
