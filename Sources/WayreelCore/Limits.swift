/// What one picture may cost. Checked from the header, before memory is taken.
public struct Limits: Hashable, Sendable, Codable {
    /// Width × height of the encoded picture. 100 megapixels.
    public var pixels: Int
    /// Size of the encoded input in bytes. 256 MiB.
    public var inputBytes: Int
    /// Wall time for one picture, in seconds. Looked at between steps and every few rows. 60 s.
    public var seconds: Double
    /// Frames a file may hold before it is taken for a film and refused; one of them is prepared. 10 000.
    public var frames: Int

    public init(
        pixels: Int = 100_000_000, inputBytes: Int = 256 << 20, seconds: Double = 60, frames: Int = 10_000
    ) {
        self.pixels = pixels
        self.inputBytes = inputBytes
        self.seconds = seconds
        self.frames = frames
    }

    public static let standard = Limits()

    /// Throws a `limit` error where a picture of `size` is over the pixel limit, a `decoding` error where a side is 0.
    public func check(size: PixelSize) throws(MediaError) {
        guard size.width > 0, size.height > 0 else {
            throw MediaError(.decoding, step: "decode", reason: "the header says the picture is \(size) pixels")
        }
        guard size.pixels <= pixels else {
            throw MediaError(
                .limit, step: "decode",
                reason: "the picture is \(size), \(size.pixels.inMegapixels); the limit is \(pixels.inMegapixels)",
                advice: "raise it with --max-pixels if you trust the file")
        }
    }

    /// Throws a `parameter` error where a file does not have page `number`, counted from 1.
    package func check(page number: Int, of count: Int) throws(MediaError) {
        guard (1...max(1, count)).contains(number) else {
            throw MediaError(
                .parameter, step: "decode", reason: "there is no page \(number): the file has \(count)",
                advice: "use --page 1 to \(max(1, count))")
        }
    }

    /// Throws a `limit` error where a file holds more frames than a picture is expected to.
    public func check(frames count: Int) throws(MediaError) {
        guard count <= frames else {
            throw MediaError(
                .limit, step: "decode", reason: "the file holds \(count) frames; the limit is \(frames)",
                advice: "it may be a film; raise the limit with --max-frames to take a frame of it")
        }
    }
}
