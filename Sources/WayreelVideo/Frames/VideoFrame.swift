public import WayreelCore

/// A decoded frame of a video: upright, in sRGB.
public struct VideoFrame: Sendable {
    /// The size in pixels.
    public let size: PixelSize
    /// Red, green, blue and straight alpha of each pixel, 8 bits each, row after row from the top: ``rowStride`` ×
    /// height bytes.
    public let pixels: [UInt8]
    /// The time at which it is shown, in seconds on the video's timeline, which begins at 0.
    public let seconds: Double
    /// The seconds until the next frame. For the last frame: the duration in the file, or else that of a frame at the
    /// frame rate; 0 if neither is known.
    public let duration: Double

    public var width: Int { size.width }
    public var height: Int { size.height }
    /// Bytes from one row to the next: 4 × width.
    public var rowStride: Int { 4 * size.width }
}
