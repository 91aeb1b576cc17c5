internal import WayreelCore

/// The buckets of a sound whose length is not known before: as many as there is room for, each of which becomes twice
/// as long whenever the room is full.
final class CoarseningLog {
    /// Samples per channel of each bucket but the last.
    private(set) var bucketSize = 1
    private let channelCount: Int
    private let capacity: Int
    /// The readings of all channels of the first bucket, then of the next.
    private var readings: ContiguousArray<ChannelReading> = []

    private static let fewestBuckets = 65_536
    private static let bucketsPerPoint = 64
    private static let mostBytes = 24 << 20

    /// Room for 64 buckets a point, and 65 536 at least, as far as 24 MiB hold them.
    ///
    /// Throws a `limit` error where they do not hold four a point.
    init(points: Int, channelCount: Int) throws(MediaError) {
        let most = Self.mostBytes / (MemoryLayout<ChannelReading>.stride * channelCount)
        guard points <= most / 4 else {
            throw MediaError(
                .limit, step: "measure",
                reason: "\(points) points of \(channelCount) channels; the limit is \(most / 4)",
                advice: "ask for fewer, or for a rate")
        }
        self.channelCount = channelCount
        capacity = min(max(points * Self.bucketsPerPoint, Self.fewestBuckets), most) & ~1
        readings.reserveCapacity(capacity * channelCount)
    }

    /// Takes the readings of a bucket of ``bucketSize`` samples. The last may be shorter.
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

    /// Joins the buckets to `points`, each of which has those whose middle it holds: every bucket belongs to one. The
    /// readings of each are in `out` when `body` is called.
    ///
    /// Exact as long as a bucket is one sample; else a point's edges are as near to its own as half a bucket.
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
