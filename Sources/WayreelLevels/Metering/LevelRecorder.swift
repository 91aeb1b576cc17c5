package import WayreelCore

/// Computes the levels of audio from consecutive blocks.
///
/// Keeps about a megabyte of readings in memory (``LevelLog``) for any duration.
package final class LevelRecorder {
    private let measurement: LevelMeasurement
    private let sampleRate: Int
    private let mixer: ChannelMixer
    private let meter: ChannelMeter
    private let log: LevelLog
    private var edges: BucketEdges
    /// The length that the edges of a grid of points are computed from, in samples.
    private let assumedCount: Int?
    /// Samples per channel so far, and the end of the current bucket.
    private var position = 0
    private var end: Int
    /// Receives each bucket when it ends, instead of the log. `isPartial` is true if the audio ended before the bucket.
    var onBucket: ((_ samples: Range<Int>, _ isPartial: Bool, [ChannelReading]) throws(MediaError) -> Void)?
    /// Readings of the bucket that has just ended.
    private let readings: UnsafeMutableBufferPointer<ChannelReading>

    /// Creates a recorder for audio with this format. `sampleCount`: its samples per channel, which a grid of points
    /// needs; others ignore it. `maxValues` is that of ``AudioLimits``.
    ///
    /// Throws a `parameter` error if a bucket would have less than one sample.
    package init(
        _ measurement: LevelMeasurement, format: AudioFormat, sampleCount: Int? = nil, maxValues: Int? = nil
    ) throws(MediaError) {
        guard format.sampleRate > 0, !format.channels.isEmpty else {
            throw MediaError(
                .decoding, step: .measure,
                reason: "audio with \(format.channels.count) channels and \(format.sampleRate) samples per second")
        }
        self.measurement = measurement
        sampleRate = format.sampleRate
        mixer = ChannelMixer(
            measurement.channels, int16Rounding: measurement.int16Rounding, of: format.channels)
        let channelCount = mixer.channels.count
        meter = ChannelMeter(
            channelCount: channelCount, sampleRate: sampleRate, ballistics: measurement.meter)
        log = LevelLog(columnCount: channelCount * measurement.fields.count, maxValues: maxValues)
        if case .points = measurement.grid { assumedCount = sampleCount ?? 0 } else { assumedCount = nil }
        edges = try BucketEdges(measurement.grid, sampleRate: sampleRate, sampleCount: sampleCount ?? 0)
        end = edges.next
        readings = .allocate(capacity: channelCount)
        readings.initialize(repeating: ChannelReading())
    }

    deinit { readings.deallocate() }

    /// Adds the next block. Blocks are contiguous and have the same sample type.
    ///
    /// Throws an `io` error if the disk is full, and a `limit` error for too many values.
    package func add(_ block: AudioBlock) throws(MediaError) {
        if block.isPadding, !measurement.countsEndPadding { return }
        if let assumedCount, position >= assumedCount {
            // The audio is longer, and has to be measured again.
            position += block.count
            return
        }
        try mixer.forEachPart(of: block) { (part) throws(MediaError) in
            var start = 0
            while start < part.count {
                let count = min(part.count - start, end - position)
                meter.add(part, start..<start + count)
                start += count
                position += count
                if position == end {
                    try endBucket()
                    edges.advance()
                    end = edges.next
                }
            }
        }
    }

    private func endBucket() throws(MediaError) {
        let start = position - meter.sampleCount
        meter.endBucket(into: readings)
        guard let onBucket else { return try note(readings) }
        try onBucket(start..<position, position < end, Array(readings))
    }

    /// Whether the edges of the buckets are those of the audio so far. False if a grid of points was made for audio of
    /// another length.
    package var isExact: Bool { assumedCount.map { $0 == position } ?? true }

    /// The samples per channel so far.
    package var sampleCount: Int { position }

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
        if case .points(let count) = grid, position > 0 { grid = .points(min(count, position)) }
        return Levels(
            format: AudioFormat(sampleRate: sampleRate, channels: mixer.channels), grid: grid, sampleCount: position,
            fields: measurement.fields, log: log)
    }
}

/// Iterates over the bucket edges of a grid with additions instead of the products of
/// ``LevelGrid/edge(_:sampleRate:sampleCount:)``. Exact.
struct BucketEdges {
    /// First sample after the bucket.
    private(set) var next = 0
    /// Increment of an edge in samples and in fractions of one.
    private let step: Int
    private let stepParts: Int
    private let partsPerSample: Int
    private let roundsUp: Bool
    private var whole = 0
    private var parts = 0

    /// `sampleCount`: samples of the audio, for a grid of points. Audio with fewer samples has one point per sample.
    ///
    /// Throws a `parameter` error if a bucket would have less than one sample or too many.
    init(_ grid: LevelGrid, sampleRate: Int, sampleCount: Int = 0) throws(MediaError) {
        if case .points = grid { roundsUp = false } else { roundsUp = true }
        switch grid {
        case .samples(let size):
            guard size > 0 else { throw Self.fault("\(size) samples per reading", "use one or more") }
            (step, stepParts, partsPerSample) = (size, 0, 1)
        case .rate(let rate):
            let (parts, isTooLong) = sampleRate.multipliedReportingOverflow(by: rate.denominator)
            guard !isTooLong else { throw Self.fault("\(rate) readings per second", "use a higher rate") }
            guard parts >= rate.numerator else {
                throw Self.fault(
                    "\(rate) readings per second at a sample rate of \(sampleRate) Hz",
                    "use \(sampleRate) or fewer")
            }
            (step, stepParts) = parts.quotientAndRemainder(dividingBy: rate.numerator)
            partsPerSample = rate.numerator
        case .points(let count):
            guard count > 0 else { throw Self.fault("\(count) points are not a valid count", "use one or more") }
            let count = max(1, min(count, sampleCount))
            (step, stepParts) = max(1, sampleCount).quotientAndRemainder(dividingBy: count)
            partsPerSample = count
        }
        advance()
    }

    /// Advances to the next bucket.
    mutating func advance() {
        whole += step
        parts += stepParts
        if parts >= partsPerSample {
            parts -= partsPerSample
            whole += 1
        }
        next = whole + (roundsUp && parts > 0 ? 1 : 0)
    }

    private static let fault = ErrorSite(.parameter, step: .measure)
}

/// The measurement for one or more outputs; equal measurements are shared.
package struct LevelMeasurement: Hashable, Sendable {
    package var grid: LevelGrid
    package var channels: ChannelSelection = .stereo
    /// Conversion of samples to 16 bits before measuring, as in audiowaveform; a mono mix is then the truncated mean of
    /// the channels. nil for no conversion.
    package var int16Rounding: Int16Rounding?
    /// Whether samples appended by an MP3 encoder count (audiowaveform never trims them).
    package var countsEndPadding = false
    /// The ballistics of the fields `meter` and `hold`; nil if they are not measured.
    package var meter: MeterBallistics?
    /// Whether ``LevelField/rms`` is measured.
    package var readsRMS = true

    package init(grid: LevelGrid) { self.grid = grid }

    package var fields: [LevelField] {
        [.minimum, .maximum] + (readsRMS ? [.rms] : []) + (meter == nil ? [] : [.meter, .hold])
    }
}

/// Conversion of samples to 16 bits: integers keep their upper bits, floats are converted by one of these and clamped.
package enum Int16Rounding: Hashable, Sendable {
    /// f · 32 767, truncated, as in libsndfile.
    case truncated
    /// f · 32 768, rounded down, as in libmad.
    case floored
}

/// The channels to measure.
public enum ChannelSelection: String, Hashable, Sendable, Codable, CaseIterable {
    /// One or two channels unchanged; more are downmixed by ITU-R BS.775.
    case stereo
    /// The mean of all channels.
    case mono
    /// Every channel.
    case all
}
