/// What one video may be and cost.
public struct VideoLimits: Hashable, Sendable, Codable {
    /// Width × height of a coded picture. 8192 × 4320 and some.
    public var pixels: Int
    /// Pictures a second beyond which a warning tells that the timestamps are damaged. 1000.
    public var framesPerSecond: Double
    /// Length in seconds. A week.
    public var videoSeconds: Double
    /// Wall time of the work, in seconds. A day.
    public var seconds: Double
    /// Streams that are looked at; more fail the file. 100.
    public var streams: Int

    public init(
        pixels: Int = 40_000_000, framesPerSecond: Double = 1000, videoSeconds: Double = 168 * 3600,
        seconds: Double = 86_400, streams: Int = 100
    ) {
        self.pixels = pixels
        self.framesPerSecond = framesPerSecond
        self.videoSeconds = videoSeconds
        self.seconds = seconds
        self.streams = streams
    }

    public static let standard = VideoLimits()

    /// Of the images that the options of a video name, which have no more time than the video.
    package var forImages: Limits { Limits(seconds: min(Limits.standard.seconds, seconds)) }

    /// Throws a `limit` error for a video of more `seconds` than are allowed.
    package func check(seconds: Double) throws(MediaError) {
        guard seconds <= videoSeconds else {
            throw MediaError(
                .limit, step: "decode", reason: "is longer than the limit of \(videoSeconds.shortDescription) s",
                advice: "raise it with --max-hours")
        }
    }
}
