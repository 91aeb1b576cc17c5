/// Properties of an audio or video file, as reported by its container and the start of its streams.
public struct MediaInfo: Hashable, Sendable, Codable {
    /// FFmpeg's short name of the container: `mov,mp4,m4a,3gp,3g2,mj2`, `matroska,webm`, `mpegts`.
    public var container: String
    /// Duration of the longest stream; nil if unknown.
    public var seconds: Double?
    /// Duration declared by the header, if the index and packets end earlier; nil otherwise.
    public var headerSeconds: Double?
    /// Size of the file; nil for a pipe.
    public var bytes: Int?
    public var streams: [MediaStream]
    public var chapters: [MediaChapter]

    public init(container: String, seconds: Double?, bytes: Int?, streams: [MediaStream], chapters: [MediaChapter] = [])
    {
        self.container = container
        self.seconds = seconds
        self.bytes = bytes
        self.streams = streams
        self.chapters = chapters
    }

    /// The video stream that a player would show: the default one, or else the first; cover images do not count.
    public var video: MediaStream? { preferred(.video) }
    /// The audio stream that a player would play.
    public var audio: MediaStream? { preferred(.audio) }

    private func preferred(_ kind: MediaStream.Kind) -> MediaStream? {
        let all = streams.filter { $0.kind == kind }
        return all.first(where: \.isDefault) ?? all.first
    }
}

/// One stream of a file.
public struct MediaStream: Hashable, Sendable, Codable {
    public enum Kind: String, Sendable, Codable {
        case video, audio, subtitles, data, attachment
        /// A still image that represents the file.
        case cover
    }

    /// Index in the file, from 0.
    public var index: Int
    public var kind: Kind
    /// FFmpeg's name: `h264`, `aac`; `unknown` if FFmpeg does not know it.
    public var codec: String
    /// `High`, `Main 10`, `LC`.
    public var profile: String?
    /// FFmpeg's level: 31 for H.264 level 3.1, 120 for HEVC level 4.0.
    public var level: Int?
    /// ISO 639 code.
    public var language: String?
    /// Title shown in a player's menu.
    public var title: String?
    public var isDefault: Bool
    /// Encryption scheme of its packets: `cenc`, `cbcs`, `AES-CTR` or `SAMPLE-AES`; nil if not encrypted.
    public var encryption: String?
    /// Start on the file's timeline in seconds.
    public var start: Double
    public var seconds: Double?
    /// Bits per second.
    public var bitRate: Int?
    /// Bits in the second with the highest bit rate; nil if not measured.
    public var peakBitRate: Int?
    /// Reasons besides the codec that prevent copying the stream: `its timestamps jump back`.
    public var irregularities: [String] = []
    /// Properties of a video stream or a cover.
    public var videoProperties: VideoProperties?
    /// Format of an audio stream.
    public var format: AudioFormat?

    /// End on the file's timeline in seconds; nil if unknown.
    package var end: Double? { seconds.map { $0 + max(0, start) } }

    public init(index: Int, kind: Kind, codec: String, isDefault: Bool = false, start: Double = 0) {
        self.index = index
        self.kind = kind
        self.codec = codec
        self.isDefault = isDefault
        self.start = start
    }
}
