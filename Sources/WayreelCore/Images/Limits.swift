/// Limits for one image. Checked from the header, before memory is allocated.
public struct Limits: Hashable, Sendable, Codable {
    /// Max width × height of an image that is decoded as a whole, and of outputs. 100 megapixels.
    public var pixels: Int
    /// Max width × height of an image that is decoded by rows, or by rows of small tiles, so that its size takes time but
    /// no memory. 400 megapixels.
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
            throw MediaError(.decoding, step: "decode", reason: "the header declares an image of \(size) pixels")
        }
        guard size.pixels <= pixels else {
            throw MediaError(
                .limit, code: .tooManyPixels, step: "decode",
                reason: "the image is \(size), \(size.pixels.inMegapixels(beside: pixels)); "
                    + "the limit is \(pixels.inMegapixels(beside: size.pixels))",
                advice: "raise it with \(.maxPixels) if you trust the file")
        }
    }

    /// Throws a `parameter` error if page `number` (from 1) does not exist.
    package func check(page number: Int, of count: Int) throws(MediaError) {
        guard (1...max(1, count)).contains(number) else {
            throw MediaError(
                .parameter, step: "decode", reason: "page \(number) does not exist; the file has \(count)",
                advice: count > 1 ? "use \(.page) 1 to \(count)" : "remove \(.page)")
        }
    }

    /// Throws a `limit` error if a file holds more frames than ``frames``.
    public func check(frames count: Int, isMinimum: Bool = false) throws(MediaError) {
        guard count <= frames else {
            throw MediaError(
                .limit, code: .tooManyFrames, step: "decode",
                reason: "the file holds \(isMinimum ? "at least " : "")\(count) frames; the limit is \(frames)",
                advice: "it may be a video; raise the limit with \(.maxFrames) to use one of its frames")
        }
    }
}
