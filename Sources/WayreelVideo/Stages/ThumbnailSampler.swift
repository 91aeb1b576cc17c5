package import WayreelAV
package import WayreelCore

/// Makes a thumbnail of the first frame of each interval, for a sink. Must be used by one thread at a time.
package final class ThumbnailSampler {
    private let timeBase: Rational
    private let sink: any ThumbnailSink
    private var schedule: IntervalSchedule
    private var graph: FilterGraph?

    init(interval: Double, timeBase: Rational, into sink: any ThumbnailSink) {
        schedule = IntervalSchedule(every: interval)
        self.timeBase = timeBase
        self.sink = sink
    }

    package func take(_ frame: Frame) throws(MediaError) {
        guard let time = frame.time, let index = schedule.interval(startingAt: Double(time) * timeBase.value) else {
            return
        }
        try sink.take(shrink(frame, index))
    }

    private func shrink(_ frame: Frame, _ index: Int) throws(MediaError) -> Thumbnail {
        let size = Self.fitted(frame.size)
        if graph == nil {
            graph = try FilterGraph(
                "scale=\(size.width):\(size.height):flags=area+accurate_rnd,format=gbrp", timeBase: timeBase)
        }
        var planes: [UInt8] = []
        try graph?.send(frame)
        if let small = try graph?.next() {
            try small.withPlanes { (rows) throws(MediaError) in
                // FFmpeg's order is green, blue, red.
                for plane in [rows[2], rows[0], rows[1]] {
                    for y in 0..<size.height {
                        planes.append(contentsOf: UnsafeBufferPointer(start: plane.row(y), count: size.width))
                    }
                }
            }
        }
        guard planes.count == 3 * size.pixels else {
            throw MediaError(.encoding, step: .preview, reason: "FFmpeg's filters made no thumbnail")
        }
        return Thumbnail(index: index, size: size, planes: planes)
    }

    /// Returns the size of a thumbnail, which is never enlarged.
    private static func fitted(_ size: PixelSize) -> PixelSize {
        let scale = min(1, Double(Thumbnail.maxSide) / Double(max(size.width, size.height, 1)))
        return PixelSize(
            width: max(1, Int((Double(size.width) * scale).rounded())),
            height: max(1, Int((Double(size.height) * scale).rounded())))
    }
}

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
    var interval: Double
    var sink: any ThumbnailSink

    package func sampler(timeBase: Rational) -> ThumbnailSampler {
        ThumbnailSampler(interval: interval, timeBase: timeBase, into: sink)
    }
}
