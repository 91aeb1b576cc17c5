/// What a file of sound or moving pictures holds, as far as its container and the beginning of its streams tell.
public struct MediaInfo: Hashable, Sendable, Codable {
    /// FFmpeg's short name of the container: `mov,mp4,m4a,3gp,3g2,mj2`, `matroska,webm`, `mpegts`.
    public var container: String
    /// Of the longest stream; nil where the file does not tell.
    public var seconds: Double?
    /// What the header of the file says its length is, where its index and packets end sooner; nil elsewhere.
    public var headerSeconds: Double?
    /// nil for a pipe.
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

    /// The moving pictures that a player would show: the default stream, or else the first; covers do not count.
    public var video: MediaStream? { preferred(.video) }
    /// The sound that a player would play.
    public var sound: MediaStream? { preferred(.sound) }

    private func preferred(_ kind: MediaStream.Kind) -> MediaStream? {
        let all = streams.filter { $0.kind == kind }
        return all.first(where: \.isDefault) ?? all.first
    }
}

/// One stream of a file.
public struct MediaStream: Hashable, Sendable, Codable {
    public enum Kind: String, Sendable, Codable {
        case video, sound, subtitles, data, attachment
        /// A still picture that stands for the file.
        case cover
    }

    /// Its place in the file, from 0.
    public var index: Int
    public var kind: Kind
    /// FFmpeg's name: `h264`, `aac`; `unknown` where FFmpeg does not know it.
    public var codec: String
    /// `High`, `Main 10`, `LC`.
    public var profile: String?
    /// As FFmpeg counts: 31 for H.264's 3.1, 120 for HEVC's 4.0.
    public var level: Int?
    /// ISO 639.
    public var language: String?
    /// What a player calls it in its menu.
    public var title: String?
    public var isDefault: Bool
    /// What encrypts its packets, as `cenc`, `cbcs`, `AES-CTR` or `SAMPLE-AES`; nil where they are clear.
    public var encryption: String?
    /// When it begins on the file's timeline, in seconds.
    public var start: Double
    public var seconds: Double?
    /// Bits per second.
    public var bitRate: Int?
    /// Bits in the second that has most; nil where that was not looked at.
    public var peakBitRate: Int?
    /// What stands against taking the stream over as it is, beside how it is coded: `its timestamps jump back`.
    public var irregularities: [String] = []
    /// Of a stream of pictures.
    public var picture: VideoProperties?
    /// Of a stream of sound.
    public var format: AudioFormat?

    /// When it ends on the file's timeline, in seconds; nil where that is not known.
    package var end: Double? { seconds.map { $0 + max(0, start) } }

    public init(index: Int, kind: Kind, codec: String, isDefault: Bool = false, start: Double = 0) {
        self.index = index
        self.kind = kind
        self.codec = codec
        self.isDefault = isDefault
        self.start = start
    }
}
