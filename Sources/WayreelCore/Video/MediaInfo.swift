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
    /// What the tags say about author and licence; nil if they say nothing.
    public var attribution: MediaAttribution?

    public init(
        container: String, seconds: Double?, bytes: Int?, streams: [MediaStream], chapters: [MediaChapter] = [],
        attribution: MediaAttribution? = nil
    ) {
        self.container = container
        self.seconds = seconds
        self.bytes = bytes
        self.streams = streams
        self.chapters = chapters
        self.attribution = attribution
    }

    /// The video stream that a player would show; cover images do not count.
    public var video: MediaStream? { Self.preferred(among: streams.filter { $0.kind == .video }) }
    /// The audio stream that a player would play.
    public var audio: MediaStream? { Self.preferred(among: streams.filter { $0.kind == .audio }) }

    /// Returns the default stream if it can be decoded, else the first that can, else the default or the first one.
    package static func preferred(among streams: [MediaStream]) -> MediaStream? {
        let decodable = streams.filter { $0.undecodable == nil }
        return decodable.first(where: \.isDefault) ?? decodable.first ?? streams.first(where: \.isDefault)
            ?? streams.first
    }

    /// Returns the audio streams of the recording that `stream` belongs to, in the order of their loudspeakers: only
    /// itself, or streams in a row that hold one channel each, among them left and right. QuickTime and field recorders
    /// write a stream per channel.
    package func recording(of stream: MediaStream) -> [MediaStream] {
        var groups: [[MediaStream]] = []
        for next in streams where next.kind == .audio {
            if let last = groups.last, next.isChannel(besides: last) {
                groups[groups.count - 1].append(next)
            } else {
                groups.append([next])
            }
        }
        var group = groups.first { $0.contains { $0.index == stream.index } } ?? []
        let has = { (channel: AudioChannel) in group.contains { $0.soleChannel == channel } }
        // Every mono track is declared as the center. It belongs to surround sound, not to stereo.
        if !has(.lowFrequency) { group.removeAll { $0.soleChannel == .center } }
        guard has(.left), has(.right), group.contains(where: { $0.index == stream.index }) else { return [stream] }
        let order = { (stream: MediaStream) in
            AudioChannel.maskOrder.firstIndex { $0 == stream.soleChannel } ?? AudioChannel.maskOrder.count
        }
        return group.sorted { order($0) < order($1) }
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
    /// The reason for which audio or video cannot be decoded, as a clause: `FFmpeg 5.1 has no decoder for VVC`; nil if
    /// it can.
    public var undecodable: String?
    /// Properties of a video stream or a cover.
    public var videoProperties: VideoProperties?
    /// Format of an audio stream.
    public var format: AudioFormat?
    /// The loudspeaker of the only channel of an audio stream: `left`, `center`; nil if the container declares none.
    public var soleChannel: AudioChannel?

    /// End on the file's timeline in seconds; nil if unknown.
    package var end: Double? { seconds.map { $0 + max(0, start) } }

    public init(index: Int, kind: Kind, codec: String, isDefault: Bool = false, start: Double = 0) {
        self.index = index
        self.kind = kind
        self.codec = codec
        self.isDefault = isDefault
        self.start = start
    }

    /// Streams of one recording differ in start and end by less than this many seconds.
    private static let maxChannelOffset = 1.0

    /// Whether the stream holds another channel of the recording that `streams` are channels of.
    fileprivate func isChannel(besides streams: [MediaStream]) -> Bool {
        guard let first = streams.first, let channel = soleChannel, first.soleChannel != nil,
            !streams.contains(where: { $0.soleChannel == channel })
        else { return false }
        let isAligned = [(start, first.start), (end ?? 0, first.end ?? 0)].allSatisfy {
            abs($0 - $1) < Self.maxChannelOffset
        }
        return isAligned && codec == first.codec && language == first.language
            && format?.sampleRate == first.format?.sampleRate
            && undecodable == nil && first.undecodable == nil && encryption == first.encryption
    }
}

/// A named section of a video or an audio file.
public struct MediaChapter: Hashable, Sendable, Codable {
    /// Seconds on the file's timeline.
    public var start: Double
    public var end: Double
    public var title: String?

    public init(start: Double, end: Double, title: String?) {
        self.start = start
        self.end = end
        self.title = title
    }
}

/// A section of a video timeline.
public struct TimeRange: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Seconds, 0 or more.
    public var start: Double
    /// Seconds, after ``start``; nil for the end of the video.
    public var end: Double?

    public init(start: Double = 0, end: Double? = nil) {
        self.start = start
        self.end = end
    }

    /// Returns the duration of the section within a video of `seconds`; nil if both are unknown.
    package func length(in seconds: Double?) -> Double? {
        let last = [seconds, end].compactMap(\.self).min()
        return last.map { max(0, $0 - start) }
    }

    /// Duration of the section; nil without an end.
    package var length: Double? { end.map { $0 - start } }

    /// `from 1.5 s to 4 s`.
    public var description: String {
        "from \(Self.rounded(start)) s" + (end.map { " to \(Self.rounded($0)) s" } ?? " to the end")
    }

    private static func rounded(_ seconds: Double) -> String { seconds.rounded(places: 3).shortDescription }

    /// Parses a time of a timeline: `90`, `1:30` or `00:01:30.5`. nil for anything else.
    package static func seconds(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 3, let last = parts.last.flatMap({ number($0) }) else { return nil }
        var seconds = 0.0
        for part in parts.dropLast() {
            guard let whole = Int(part), whole >= 0 else { return nil }
            seconds = (seconds + Double(whole)) * 60
        }
        return parts.count == 1 || last < 60 ? seconds + last : nil
    }

    private static func number(_ text: Substring) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ "0123456789.".utf8.contains($0) }) else { return nil }
        return Double(text)
    }
}
