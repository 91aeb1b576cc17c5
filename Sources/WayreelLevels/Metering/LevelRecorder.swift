package import WayreelCore

/// Computes the levels of audio from consecutive blocks.
///
/// Keeps about a megabyte of readings in memory (``LevelLog``) for any duration, or up to 24 MiB for a grid of points,
/// whose bucket size is only known at the end.
package final class LevelRecorder {
    private let measurement: LevelMeasurement
    private let sampleRate: Int
    private let mixer: ChannelMixer
    private let meter: ChannelMeter
    private let log: LevelLog
    private var buckets: Buckets
    /// Samples per channel so far, and the end of the current bucket.
    private var position = 0
    private var end: Int
    /// Receives each bucket of a grid of edges when it ends, instead of the log. `isPartial` is true if the audio ended
    /// before the bucket.
    var onBucket: ((_ samples: Range<Int>, _ isPartial: Bool, [ChannelReading]) throws(MediaError) -> Void)?
    /// Readings of the bucket that has just ended.
    private let readings: UnsafeMutableBufferPointer<ChannelReading>

    private enum Buckets {
        /// Edges are known; each bucket is a row of the log.
        case edges(BucketEdges)
        /// Edges are known at the end.
        case points(Int, CoarseningLog)
    }

    /// Creates a recorder for audio with this format.
    ///
    /// Throws a `parameter` error if a bucket would have less than one sample, a `limit` error for more points than fit
    /// into memory.
    package init(_ measurement: LevelMeasurement, format: AudioFormat) throws(MediaError) {
        guard format.sampleRate > 0, !format.channels.isEmpty else {
            throw MediaError(
                .decoding, step: "measure",
                reason: "audio with \(format.channels.count) channels and \(format.sampleRate) samples per second")
        }
        self.measurement = measurement
        sampleRate = format.sampleRate
        mixer = ChannelMixer(
            measurement.channels, int16Rounding: measurement.int16Rounding, of: format.channels)
        let channelCount = mixer.channels.count
        meter = ChannelMeter(
            channelCount: channelCount, sampleRate: sampleRate, ballistics: measurement.meter)
        log = LevelLog(columnCount: channelCount * measurement.fields.count)
        if case .points(let count) = measurement.grid {
            guard count > 0 else {
                throw MediaError(
                    .parameter, step: "measure", reason: "\(count) points are not a valid count",
                    advice: "use one or more")
            }
            let points = try CoarseningLog(points: count, channelCount: channelCount)
            buckets = .points(count, points)
            end = points.bucketSize
        } else {
            let edges = try BucketEdges(measurement.grid, sampleRate: sampleRate)
            buckets = .edges(edges)
            end = edges.next
        }
        readings = .allocate(capacity: channelCount)
        readings.initialize(repeating: ChannelReading())
    }

    deinit { readings.deallocate() }

    /// Adds the next block. Blocks are contiguous and have the same sample type.
    ///
    /// Throws an `io` error if the disk is full.
    package func add(_ block: AudioBlock) throws(MediaError) {
        if block.isPadding, !measurement.countsEndPadding { return }
        try mixer.forEachPart(of: block) { (part) throws(MediaError) in
            var start = 0
            while start < part.count {
                let count = min(part.count - start, end - position)
                meter.add(part, start..<start + count)
                start += count
                position += count
                if position == end {
                    try endBucket()
                    beginBucket()
                }
            }
        }
    }

    private func beginBucket() {
        switch buckets {
        case .edges(var edges):
            edges.advance()
            end = edges.next
            buckets = .edges(edges)
        case .points(_, let points): end = position + points.bucketSize
        }
    }

    private func endBucket() throws(MediaError) {
        let start = position - meter.sampleCount
        meter.endBucket(into: readings)
        switch buckets {
        case .edges:
            guard let onBucket else { return try note(readings) }
            try onBucket(start..<position, position < end, Array(readings))
        case .points(_, let points): points.append(readings)
        }
    }

    /// Adds a row to the log.
    private func note(_ readings: UnsafeMutableBufferPointer<ChannelReading>) throws(MediaError) {
        var destination = log.nextRow()
        func put(_ value: Float) {
            destination.pointee = value
            destination += log.rowsPerBlock
        }
        for reading in readings {
            put(reading.minimum)
            put(reading.maximum)
            if measurement.readsRMS { put(reading.rms) }
            if measurement.meter != nil {
                put(reading.meter)
                put(reading.hold)
            }
        }
        try log.endRow()
    }

    /// Returns the accumulated levels, including a partial last bucket. Audio with fewer samples than points has one
    /// point per sample. Call it once.
    package func finish() throws(MediaError) -> Levels {
        if meter.sampleCount > 0 { try endBucket() }
        var grid = measurement.grid
        if case .points(let count, let points) = buckets, position > 0 {
            let count = min(count, position)
            grid = .points(count)
            try points.forEachPoint(count, sampleCount: position, into: readings) { () throws(MediaError) in
                try note(readings)
            }
        }
        return Levels(
            format: AudioFormat(sampleRate: sampleRate, channels: mixer.channels), grid: grid, sampleCount: position,
            fields: measurement.fields, log: log)
    }
}
