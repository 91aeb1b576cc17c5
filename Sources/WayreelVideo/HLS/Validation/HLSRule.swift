internal import WayreelCore

/// The rules of RFC 8216 and Apple's authoring specification that can be checked from files.
public enum HLSRule: String, Hashable, Sendable, Codable, CaseIterable {
    case masterPlaylist = "master-playlist"
    case playlistSyntax = "playlist-syntax"
    case missingFile = "missing-file"
    case outsideFolder = "outside-folder"
    case version
    case vod
    case endOfList = "end-of-list"
    case independentSegments = "independent-segments"
    case targetDuration = "target-duration"
    case segmentLength = "segment-length"
    case initSegment = "init-segment"
    case damagedSegment = "damaged-segment"
    case encryption
    case exposedKey = "exposed-key"
    case segmentDuration = "segment-duration"
    case totalDuration = "total-duration"
    case segmentStart = "segment-start"
    case keyFrameInterval = "key-frame-interval"
    case timestampGap = "timestamp-gap"
    case decoding
    case streamChange = "stream-change"
    case audioRate = "audio-rate"
    case frameRateLimit = "frame-rate-limit"
    case container
    case codecs
    case resolution
    case videoRange = "video-range"
    case frameRate = "frame-rate"
    case bandwidth
    case averageBandwidth = "average-bandwidth"
    case peakRate = "peak-rate"
    case repeatedVariant = "repeated-variant"
    case firstVariant = "first-variant"
    case audioGroup = "audio-group"
    case audioChannels = "audio-channels"
    case subtitleGroup = "subtitle-group"
    case subtitleSegment = "subtitle-segment"
    case subtitleTime = "subtitle-time"
    case language
    case renditionGroup = "rendition-group"
    case alignedStarts = "aligned-starts"
    case alignedSegments = "aligned-segments"
    case alignedKeyFrames = "aligned-key-frames"
    case alignedDiscontinuities = "aligned-discontinuities"
    case matchingDurations = "matching-durations"
    case iFramePlaylist = "i-frame-playlist"
    case iFrameEntries = "i-frame-entries"
    case preview

    public enum Severity: String, Sendable, Codable {
        /// Players may fail.
        case error
        /// Players work, but the folder should be corrected.
        case warning
    }

    public var severity: Severity { Self.table[self]?.severity ?? .error }

    /// The requirement, in a sentence without a full stop.
    public var summary: String { Self.table[self]?.summary ?? rawValue }

    private static let table: [HLSRule: (severity: Severity, summary: String)] = [
        .masterPlaylist: (.error, "there is one master playlist, and it names variants"),
        .playlistSyntax: (.error, "playlists are well formed"),
        .missingFile: (.error, "every file that a playlist names is there"),
        .outsideFolder: (.error, "playlists name files of the folder only"),
        .version: (.error, "EXT-X-VERSION is high enough for the tags of the playlist"),
        .vod: (.error, "media playlists have EXT-X-PLAYLIST-TYPE:VOD"),
        .endOfList: (.error, "media playlists end with EXT-X-ENDLIST"),
        .independentSegments: (
            .error, "EXT-X-INDEPENDENT-SEGMENTS is there, in the master playlist or all media playlists"
        ),
        .targetDuration: (.error, "no segment is longer than EXT-X-TARGETDURATION by half a second"),
        .segmentLength: (.warning, "segments last about 6 seconds"),
        .initSegment: (.error, "fragmented MP4 has an EXT-X-MAP that names its media initialization section"),
        .damagedSegment: (.error, "segments can be read"),
        .encryption: (.error, "encrypted segments can be decrypted by the key that the playlist names"),
        .exposedKey: (.warning, "the key is not in the same folder as the segments"),
        .segmentDuration: (.error, "EXTINF is a segment's real length, within one frame and a half"),
        .totalDuration: (.error, "the sum of all EXTINF is the real length, within one frame"),
        .segmentStart: (.error, "segments of video begin with an IDR frame"),
        .keyFrameInterval: (.warning, "IDR frames come every two seconds"),
        .timestampGap: (.error, "timestamps are continuous across segments"),
        .decoding: (.error, "frames and audio packets decode without errors; checked only where they are decoded"),
        .streamChange: (.error, "the streams are the same in all segments"),
        .audioRate: (.error, "mono and stereo AAC has a bit rate of 32 to 160 kb/s"),
        .frameRateLimit: (.error, "the frame rate is at most 60"),
        .container: (.error, "HEVC and AV1 are in fragmented MP4, HEVC as hvc1"),
        .codecs: (.error, "CODECS names what the segments hold"),
        .resolution: (.error, "RESOLUTION is the size of the frames"),
        .videoRange: (.error, "VIDEO-RANGE is the dynamic range of the frames: SDR, PQ or HLG"),
        .frameRate: (.error, "FRAME-RATE is the measured frame rate"),
        .bandwidth: (.error, "BANDWIDTH is the measured peak rate, within 10 %"),
        .averageBandwidth: (.error, "AVERAGE-BANDWIDTH is the measured rate, within 10 %"),
        .peakRate: (.error, "the peak rate is at most twice the average"),
        .repeatedVariant: (.error, "each variant is named once"),
        .firstVariant: (.warning, "the first variant is the one nearest to 2000 kb/s"),
        .audioGroup: (.error, "every AUDIO group that a variant names exists"),
        .renditionGroup: (.error, "renditions of a group have different names, and one of them at most is DEFAULT"),
        .audioChannels: (.error, "CHANNELS is the number of audio channels"),
        .subtitleGroup: (.error, "every SUBTITLES group that a variant names exists"),
        .subtitleSegment: (.error, "segments of subtitles are WebVTT"),
        .subtitleTime: (.error, "cues are shown during their segment"),
        .language: (.error, "LANGUAGE is a language tag of RFC 5646"),
        .alignedStarts: (.error, "all renditions begin at the same time, audio within half a second"),
        .alignedSegments: (.error, "segments of all variants begin at the same times"),
        .alignedKeyFrames: (.error, "all variants have their keyframes at the same times"),
        .alignedDiscontinuities: (.error, "all renditions have their discontinuities at the same positions"),
        .matchingDurations: (.error, "all renditions are equally long, within half a second"),
        .iFramePlaylist: (.error, "there is an I-frame playlist"),
        .iFrameEntries: (.error, "entries of I-frame playlists are the I-frames of the variant"),
        .preview: (.error, "the cues of a preview follow each other over the whole video and name parts of its sheets"),
    ]
}

/// The violations found so far.
struct HLSFindings {
    private(set) var violations: [HLSViolation] = []

    mutating func add(_ rule: HLSRule, _ location: String, _ found: String, expected: String? = nil) {
        violations.append(
            HLSViolation(rule: rule, severity: rule.severity, location: location, found: found, expected: expected))
    }

    mutating func add(_ refusal: HLSFolder.Refusal, _ location: String) { add(refusal.rule, location, refusal.reason) }
}

/// The result of validating a folder of HLS.
public struct HLSValidation: Hashable, Sendable, Codable {
    /// The path of the folder or playlist.
    public var path: String
    /// The number of playlists that were read.
    public var playlists: Int
    public var segments: Int
    /// The length of the longest rendition.
    public var seconds: Double
    public var violations: [HLSViolation]

    /// Whether there are no errors.
    public var isValid: Bool { !violations.contains { $0.severity == .error } }
}

/// A violation of a rule.
public struct HLSViolation: Hashable, Sendable, Codable, CustomStringConvertible {
    public var rule: HLSRule
    public var severity: HLSRule.Severity
    /// A path relative to the folder, with a line after a colon: `audio/playlist.m3u8:8`.
    public var location: String
    /// The actual value, without a full stop.
    public var found: String
    /// The expected value.
    public var expected: String?

    /// The violation on one line: `error: 1-960x540/playlist.m3u8:9: EXTINF is 6.000 s, the segment is 5.000 s long
    /// (segment-duration)`.
    public var description: String {
        ("\(severity.rawValue): \(location): \(found)" + (expected.map { "; expected: \($0)" } ?? "")
            + " (\(rule.rawValue))")
            .onOneLine
    }
}
