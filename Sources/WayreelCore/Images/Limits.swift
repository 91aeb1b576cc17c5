/// Limits for one image. Checked from the header, before memory is allocated.
public struct Limits: Hashable, Sendable, Codable {
    /// Max width × height of an image that is decoded as a whole, and of outputs. 100 megapixels.
    public var pixels: Int
    /// Max width × height of an image that is decoded by rows, or by rows of small tiles, so that its size takes time
    /// but no memory. 400 megapixels.
    public var streamedPixels: Int
    /// Max size of the encoded input in bytes. 256 MiB.
    public var inputBytes: Int
    /// Max wall time for one image in seconds. Checked between steps and every few rows. 60 s.
    public var seconds: Double
    /// Max frames in a file; a file with more is treated as a video and rejected. 10 000.
    public var frames: Int

    /// A limit of `pixels` that is given holds for every image, however it is decoded; nil: the default limits.
    public init(
        pixels: Int? = nil, inputBytes: Int = 256 << 20, seconds: Double = 60, frames: Int = 10_000
    ) {
        self.pixels = pixels ?? 100_000_000
        streamedPixels = pixels ?? 400_000_000
        self.inputBytes = inputBytes
        self.seconds = seconds
        self.frames = frames
    }

    public static let standard = Limits()

    /// Throws a `limit` error if `size` exceeds the limit of whole or of streamed images, a `decoding` error if a side
    /// is 0.
    public func check(size: PixelSize, isStreamed: Bool = false) throws(MediaError) {
        let pixels = isStreamed ? streamedPixels : pixels
        guard size.width > 0, size.height > 0 else {
            throw MediaError(.decoding, step: .decode, reason: "the header declares an image of \(size) pixels")
        }
        guard size.pixels <= pixels else {
            throw MediaError(
                .limit, code: .tooManyPixels, step: .decode,
                reason: "the image is \(size), \(size.pixels.inMegapixels(beside: pixels)); "
                    + "the limit is \(pixels.inMegapixels(beside: size.pixels))",
                advice: "raise it with \(.maxPixels) if you trust the file")
        }
    }

    /// Throws a `parameter` error if page `number` (from 1) does not exist.
    package func check(page number: Int, of count: Int) throws(MediaError) {
        guard (1...max(1, count)).contains(number) else {
            throw MediaError(
                .parameter, step: .decode, reason: "page \(number) does not exist; the file has \(count)",
                advice: count > 1 ? "use \(.page) 1 to \(count)" : "remove \(.page)")
        }
    }

    /// Throws a `limit` error if a file holds more frames than ``frames``.
    public func check(frames count: Int, isMinimum: Bool = false) throws(MediaError) {
        guard count <= frames else {
            throw MediaError(
                .limit, code: .tooManyFrames, step: .decode,
                reason: "the file holds \(isMinimum ? "at least " : "")\(count) frames; the limit is \(frames)",
                advice: "it may be a video; raise the limit with \(.maxFrames) to use one of its frames")
        }
    }
}

/// Limits for one audio file.
public struct AudioLimits: Hashable, Sendable, Codable {
    /// Max duration of the audio in seconds; the default is 7 days. Also bounds the silence that fills gaps in the
    /// timestamps.
    public var audioSeconds: Double
    /// Max wall time in seconds; the default is one hour.
    public var seconds: Double
    public var channels: Int
    /// Max number of measured values, of all channels: two or more for each channel of a bucket. nil for any number,
    /// which takes a temporary file of four bytes for each beyond the first megabyte.
    public var values: Int?

    public init(audioSeconds: Double = 7 * 86_400, seconds: Double = 3600, channels: Int = 64, values: Int? = nil) {
        self.audioSeconds = audioSeconds
        self.seconds = seconds
        self.channels = channels
        self.values = values
    }

    public static let standard = AudioLimits()
}

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
                .limit, code: .tooLong, step: .decode,
                reason: "is longer than the limit of \(videoSeconds.shortDescription) s",
                advice: "raise it with \(.maxVideoSeconds)")
        }
    }
}
