package import WayreelCore

/// A small copy of a frame, for the preview of a player's seek bar.
package struct Thumbnail: Sendable {
    /// The number of the thumbnail, in intervals of the preview.
    package var index: Int
    package var size: PixelSize
    /// The red, green and blue planes, one after the other.
    package var planes: [UInt8]

    /// The maximum length of the longer side in pixels.
    static let maxSide = 160
    /// The maximum index, which no video exceeds.
    static let maxIndex = 1 << 40
}

/// A destination of thumbnails, which come in order.
package protocol ThumbnailSink: AnyObject, Sendable {
    func take(_ thumbnail: Thumbnail) throws(MediaError)
}

/// A request for thumbnails, which are made from the smallest rendition of a video.
package struct ThumbnailRequest: Sendable {
    /// Seconds between thumbnails.
    package var interval: Double
    package var sink: any ThumbnailSink

    package init(interval: Double, sink: any ThumbnailSink) {
        self.interval = interval
        self.sink = sink
    }

    package func sampler(timeBase: Rational) -> ThumbnailSampler {
        ThumbnailSampler(interval: interval, timeBase: timeBase, into: sink)
    }
}
