public import WayreelCore

/// The levels of a sound over time: for each bucket and channel the readings of some fields.
public struct Levels: Sendable {
    /// The sound's sample rate and the channels that were read, which need not be all that the sound has.
    public let format: AudioFormat
    /// What a bucket is; ``LevelGrid/points(_:)`` where its length follows from that of the audio.
    public let grid: LevelGrid
    /// Samples per channel of the whole sound.
    public let sampleCount: Int
    /// What there is of each channel.
    public let fields: [LevelField]
    private let log: LevelLog

    /// `log` holds a column for each channel and field: all fields of the first channel, then of the next.
    package init(format: AudioFormat, grid: LevelGrid, sampleCount: Int, fields: [LevelField], log: LevelLog) {
        precondition(log.columnCount == format.channels.count * fields.count, "a column for each channel and field")
        self.format = format
        self.grid = grid
        self.sampleCount = sampleCount
        self.fields = fields
        self.log = log
    }

    public var bucketCount: Int { log.rowCount }

    /// Seconds.
    public var duration: Double { Double(sampleCount) / Double(format.sampleRate) }

    /// The values of a field in every bucket of a channel; empty where the field was not read.
    ///
    /// Throws an `io` error where buckets that were put on disk cannot be read back.
    public func values(_ field: LevelField, channel: Int) throws(MediaError) -> [Float] {
        var values: [Float] = []
        guard let column = column(field, channel: channel) else { return values }
        values.reserveCapacity(bucketCount)
        try forEachRun { (run) throws(MediaError) in values.append(contentsOf: run.column(column)) }
        return values
    }

    /// The place of a field's column among those of a run; nil where it was not read.
    package func column(_ field: LevelField, channel: Int) -> Int? {
        guard format.channels.indices.contains(channel), let place = fields.firstIndex(of: field) else { return nil }
        return channel * fields.count + place
    }

    /// Hands out all buckets in order, a run of them at a time: what a writer needs that must not hold them all in memory.
    ///
    /// Throws what `body` throws, and an `io` error where buckets that were put on disk cannot be read back.
    package func forEachRun(_ body: (LevelLog.Run) throws(MediaError) -> Void) throws(MediaError) {
        try log.forEachRun(body)
    }
}

extension LevelGrid {
    /// The first sample of bucket `index`, where the buckets of a sound of `sampleCount` samples are cut by this grid.
    ///
    /// Exact for every index and rate that a sound of ``AudioLimits`` can have.
    package func edge(_ index: Int, sampleRate: Int, sampleCount: Int) -> Int {
        switch self {
        case .samples(let size): index * size
        case .rate(let rate):
            Self.scaled(index, by: sampleRate * rate.denominator, over: rate.numerator, roundingUp: true)
        case .points(let count): Self.scaled(index, by: sampleCount, over: count, roundingUp: false)
        }
    }

    /// value · factor / divisor in whole numbers, by a product of double width.
    private static func scaled(_ value: Int, by factor: Int, over divisor: Int, roundingUp: Bool) -> Int {
        let (quotient, remainder) = divisor.dividingFullWidth(value.multipliedFullWidth(by: factor))
        return quotient + (roundingUp && remainder > 0 ? 1 : 0)
    }
}
