/// Limits for one video.
public struct VideoLimits: Hashable, Sendable, Codable {
    /// Max width × height of a coded frame, a little above 8192 × 4320.
    public var pixels: Int
    /// Max frames per second; above it a warning reports damaged timestamps. 1000.
    public var framesPerSecond: Double
    /// Max duration in seconds. A week.
    public var videoSeconds: Double
    /// Max wall time in seconds. A day.
    public var seconds: Double
    /// Max number of streams. 100.
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

    /// Limits for images given in a video's options; they share the video's time limit, and a raised limit of pixels.
    package var forImages: Limits {
        Limits(pixels: max(Limits.standard.pixels, pixels), seconds: min(Limits.standard.seconds, seconds))
    }

    /// Throws a `limit` error if `seconds` exceeds ``videoSeconds``.
    package func check(seconds: Double) throws(MediaError) {
        guard seconds <= videoSeconds else {
            throw MediaError(
                .limit, code: .tooLong, step: "decode",
                reason: "is longer than the limit of \(videoSeconds.shortDescription) s",
                advice: "raise it with \(.maxVideoSeconds)")
        }
    }
}
