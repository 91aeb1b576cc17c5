package import WayreelAV
package import WayreelCore

/// A small picture that stands for a piece of the film.
struct Thumbnail: Sendable {
    /// Which piece, each as long as the preview's interval.
    var slot: Int
    var size: PixelSize
    /// Red, green and blue one after the other.
    var planes: [UInt8]

    /// Pixels of the longer side.
    static let side = 160
}

/// Picks the first picture of each interval and makes it small. Belongs to one thread at a time.
package final class ThumbnailSampler: @unchecked Sendable {
    private let interval: Double
    private let timeBase: Rational
    private let keep: (Thumbnail) throws(MediaError) -> Void
    private var graph: FilterGraph?
    /// The first piece of which no picture was taken.
    private var next = 0

    init(interval: Double, timeBase: Rational, keep: @escaping (Thumbnail) throws(MediaError) -> Void) {
        self.interval = interval
        self.timeBase = timeBase
        self.keep = keep
    }

    /// The next picture; what is not needed is let go. Throws where memory is short, and what `keep` throws.
    package func take(_ frame: Frame) throws(MediaError) {
        guard let time = frame.time else { return }
        // Rounding does not put it into the piece before.
        let slot = Int((Double(time) * timeBase.value / interval + 1e-6).rounded(.down))
        guard slot >= next else { return }
        next = slot + 1
        try keep(shrink(frame, slot))
    }

    private func shrink(_ frame: Frame, _ slot: Int) throws(MediaError) -> Thumbnail {
        let size = Self.fitted(frame.size)
        let graph: FilterGraph
        if let made = self.graph {
            graph = made
        } else {
            graph = try FilterGraph(
                "scale=\(size.width):\(size.height):flags=area+accurate_rnd,format=gbrp", timeBase: timeBase)
            self.graph = graph
        }
        var planes: [UInt8] = []
        try graph.filter(frame) { (small) throws(MediaError) in
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
            throw MediaError(.encoding, step: "preview", reason: "FFmpeg's filters gave no small picture")
        }
        return Thumbnail(slot: slot, size: size, planes: planes)
    }

    /// Never enlarged.
    private static func fitted(_ size: PixelSize) -> PixelSize {
        let scale = min(1, Double(Thumbnail.side) / Double(max(size.width, size.height, 1)))
        return PixelSize(
            width: max(1, Int((Double(size.width) * scale).rounded())),
            height: max(1, Int((Double(size.height) * scale).rounded())))
    }
}
