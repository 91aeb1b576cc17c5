internal import WayreelCore

/// Stores buckets of audio with unknown duration: whenever the buffer is full, bucket sizes are doubled.
final class CoarseningLog {
    /// Samples per channel of each bucket except the last.
    private(set) var bucketSize = 1
    private let channelCount: Int
    private let capacity: Int
    /// Readings of all channels of the first bucket, then of the next.
    private var readings: ContiguousArray<ChannelReading> = []

    private static let minBuckets = 65_536
    private static let bucketsPerPoint = 64
    private static let maxBytes = 24 << 20

    /// Allocates 64 buckets per point, at least 65 536, up to 24 MiB.
    ///
    /// Throws a `limit` error if that is less than four per point.
    init(points: Int, channelCount: Int) throws(MediaError) {
        let maximum = Self.maxBytes / (MemoryLayout<ChannelReading>.stride * channelCount)
        guard points <= maximum / 4 else {
            throw MediaError(
                .limit, step: "measure",
                reason: "\(points) points of \(channelCount) channels; the limit is \(maximum / 4)",
                advice: "use fewer points, or a rate")
        }
        self.channelCount = channelCount
        capacity = min(max(points * Self.bucketsPerPoint, Self.minBuckets), maximum) & ~1
        readings.reserveCapacity(capacity * channelCount)
    }

    /// Adds the readings of a bucket of ``bucketSize`` samples. The last one may be shorter.
    func append(_ bucket: UnsafeMutableBufferPointer<ChannelReading>) {
        readings.append(contentsOf: bucket)
        guard readings.count == capacity * channelCount else { return }
        for bucket in 0..<capacity / 2 {
            for channel in 0..<channelCount {
                var joined = readings[2 * bucket * channelCount + channel]
                joined.join(readings[(2 * bucket + 1) * channelCount + channel])
                readings[bucket * channelCount + channel] = joined
            }
        }
        readings.removeLast(capacity / 2 * channelCount)
        bucketSize *= 2
    }

    /// Merges the buckets into `points`; each bucket belongs to the point that contains its centre. The readings of
    /// each point are in `out` when `body` is called.
    ///
    /// Exact if a bucket is one sample; otherwise edges are off by at maximum half a bucket.
    func forEachPoint(
        _ points: Int, sampleCount: Int, into out: UnsafeMutableBufferPointer<ChannelReading>,
        _ body: () throws(MediaError) -> Void
    ) throws(MediaError) {
        let grid = LevelGrid.points(points)
        let bucketCount = readings.count / channelCount
        var bucket = 0
        for point in 0..<points {
            let end = grid.edge(point + 1, sampleRate: 1, sampleCount: sampleCount)
            let first = bucket
            while bucket < bucketCount {
                let start = bucket * bucketSize
                let middle = start + min(bucketSize, sampleCount - start) / 2
                guard middle < end else { break }
                bucket += 1
            }
            for channel in 0..<channelCount {
                var joined = readings[first * channelCount + channel]
                for next in first + 1..<bucket { joined.join(readings[next * channelCount + channel]) }
                out[channel] = joined
            }
            try body()
        }
    }
}
