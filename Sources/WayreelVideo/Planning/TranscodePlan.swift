public import WayreelCore

/// What becomes of each stream of a video, and why, before anything is encoded.
public struct TranscodePlan: Hashable, Sendable, Codable {
    public var source: MediaInfo
    /// The part of it that is delivered; nil: all of it.
    public var range: TimeRange?
    /// nil only where the file is to have none.
    public var picture: VideoPlan?
    /// The audio that is played unless another track is chosen; nil where there is none.
    public var sound: AudioPlan?
    /// Audio tracks beside ``sound``, in their order.
    public var furtherAudio: [AudioPlan]
    public var subtitles: [SubtitlePlan]
    /// Streams that are in no output.
    public var dropped: [DroppedStream]
    /// What the caller should know.
    public var warnings: [String]

    public init(
        source: MediaInfo, range: TimeRange? = nil, picture: VideoPlan?, sound: AudioPlan?,
        furtherAudio: [AudioPlan] = [], subtitles: [SubtitlePlan] = [], dropped: [DroppedStream] = [],
        warnings: [String] = []
    ) {
        self.source = source
        self.range = range
        self.picture = picture
        self.sound = sound
        self.furtherAudio = furtherAudio
        self.subtitles = subtitles
        self.dropped = dropped
        self.warnings = warnings
    }
}

extension TranscodePlan {
    /// Whether a stream is taken over as it is.
    var copiesAny: Bool { picture?.action == .copy || audio.contains { $0.action == .copy } }

    /// All audio tracks, the default one first.
    var audio: [AudioPlan] {
        get { [sound].compactMap(\.self) + furtherAudio }
        set {
            sound = newValue.first
            furtherAudio = Array(newValue.dropFirst())
        }
    }

    /// Of the output, as far as the source tells; nil where it does not.
    var seconds: Double? { range?.length(in: source.seconds) ?? source.seconds }
}

public enum StreamAction: String, Hashable, Sendable, Codable {
    /// Taken over bit by bit.
    case copy
    case transcode
}

/// What becomes of the pictures.
public struct VideoPlan: Hashable, Sendable, Codable {
    /// The place of the stream in the file.
    public var stream: Int
    public var action: StreamAction
    /// Why it is not copied; why it is encoded as it is.
    public var reasons: [String]
    /// When pictures are shown.
    public var timing: FrameTiming
    /// FFmpeg filters that every rendition shares, for a picture as decoded: deinterlacing, tone mapping at the largest
    /// size; empty for none. Their output is SDR.
    public var sharedChain: String
    /// For one file one; for HLS the rungs, the first variant first.
    public var renditions: [RenditionPlan]
    /// Seconds: a key frame is asked for at the first picture of each such stretch of the output, where the encoder cannot see
    /// to it by counting pictures; nil: it counts.
    public var keyFrameInterval: Double?
    /// Seconds of output: pictures are encoded in parts of that length, each by encoders that begin anew, and an interrupted
    /// transcode goes on with the first part that is missing; nil: all at once.
    public var partSeconds: Double?
    /// The part of the stream that is delivered, on the file's timeline; nil: all of it.
    public var range: TimeRange?

    public init(
        stream: Int, action: StreamAction, reasons: [String], timing: FrameTiming, sharedChain: String = "",
        renditions: [RenditionPlan], keyFrameInterval: Double? = nil, partSeconds: Double? = nil,
        range: TimeRange? = nil
    ) {
        self.stream = stream
        self.action = action
        self.reasons = reasons
        self.timing = timing
        self.sharedChain = sharedChain
        self.renditions = renditions
        self.keyFrameInterval = keyFrameInterval
        self.partSeconds = partSeconds
        self.range = range
    }
}

extension VideoPlan {
    /// The rendition that a preview is made of.
    var smallestRendition: Int? {
        renditions.indices.min { renditions[$0].size.pixels < renditions[$1].size.pixels }
    }
}

/// When pictures are shown.
public struct FrameTiming: Hashable, Sendable, Codable {
    /// Pictures stand on the grid of this rate: their times are rounded to it, and of two in one place the later is left out;
    /// nil: they keep their times.
    public var grid: Rational?
    /// Seconds from the beginning to the grid's first place, less than it is wide: sources do not all begin on it.
    public var offset: Double
    /// No more than so many a second are kept: after each, the first that is due 1 / cap later or, where times waver, a little
    /// before.
    public var cap: Rational?
    /// Seconds in a unit of the output's times.
    public var timeBase: Rational
    /// Seconds: a picture that is shown for long is repeated at each multiple of it, and the first is shown from 0 on; nil: neither.
    public var repeatInterval: Double?

    public init(
        grid: Rational?, offset: Double = 0, cap: Rational? = nil, timeBase: Rational, repeatInterval: Double? = nil
    ) {
        self.grid = grid
        self.offset = offset
        self.cap = cap
        self.timeBase = timeBase
        self.repeatInterval = repeatInterval
    }
}

/// One encoding of the pictures.
public struct RenditionPlan: Hashable, Sendable, Codable {
    /// Upright, even.
    public var size: PixelSize
    /// FFmpeg filters that bring pictures of the shared chain to this rendition: crop, scale, turn, pixel format.
    public var chain: String
    /// Pictures of this size in 4:2:0 of 8 bits and limited range only have to be scaled: to them the chain does nothing else.
    public var plainSource: PixelSize?
    public var codec: VideoCodec
    public var rate: RenditionRate
    /// FFmpeg's name of the encoder.
    public var encoder: String
    /// The encoder's options by their names: `preset`, `profile`, `level`, `g`, `x264-params`, without those of the rate.
    public var options: [String: String]
    /// Of the encoder; its bytes depend on it.
    public var threads: Int

    public init(
        size: PixelSize, chain: String, plainSource: PixelSize? = nil, codec: VideoCodec, rate: RenditionRate,
        encoder: String,
        options: [String: String], threads: Int
    ) {
        self.size = size
        self.chain = chain
        self.plainSource = plainSource
        self.codec = codec
        self.rate = rate
        self.encoder = encoder
        self.options = options
        self.threads = threads
    }
}

/// How many bits an encoding gets.
public struct RenditionRate: Hashable, Sendable, Codable {
    /// Constant rate factor; nil: ``bitRate`` decides.
    public var factor: Double?
    /// Bits per second on average.
    public var bitRate: Int?
    /// Bits per second at most, over ``bufferBits``.
    public var maxBitRate: Int?
    public var bufferBits: Int?
    /// The quality that ``factor`` is still to be found for.
    public var quality: QualityTarget?
    /// The bytes that the whole file is to fit into, in two passes.
    public var maxBytes: Int?

    public init(
        factor: Double? = nil, bitRate: Int? = nil, maxBitRate: Int? = nil, bufferBits: Int? = nil,
        quality: QualityTarget? = nil, maxBytes: Int? = nil
    ) {
        self.factor = factor
        self.bitRate = bitRate
        self.maxBitRate = maxBitRate
        self.bufferBits = bufferBits
        self.quality = quality
        self.maxBytes = maxBytes
    }
}

/// What becomes of the sound.
public struct AudioPlan: Hashable, Sendable, Codable {
    /// The place of the stream in the file.
    public var stream: Int
    /// Its place among the sound tracks, from 1.
    public var track: Int
    public var action: StreamAction
    public var reasons: [String]
    /// Of the output.
    public var sampleRate: Int
    public var channelCount: Int
    public var bitRate: Int
    /// LUFS that it is brought to.
    public var loudness: Double?
    /// The part of the track that is delivered, on the file's timeline; nil: all of it.
    public var range: TimeRange?

    public init(
        stream: Int, track: Int, action: StreamAction, reasons: [String], sampleRate: Int, channelCount: Int,
        bitRate: Int, loudness: Double? = nil, range: TimeRange? = nil
    ) {
        self.stream = stream
        self.track = track
        self.action = action
        self.reasons = reasons
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitRate = bitRate
        self.loudness = loudness
        self.range = range
    }
}

/// A stream that is left out.
public struct DroppedStream: Hashable, Sendable, Codable {
    /// The place of the stream in the file.
    public var stream: Int
    public var kind: MediaStream.Kind
    public var reason: String

    public init(stream: Int, kind: MediaStream.Kind, reason: String) {
        self.stream = stream
        self.kind = kind
        self.reason = reason
    }
}
