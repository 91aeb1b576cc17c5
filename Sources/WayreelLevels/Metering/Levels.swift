public import WayreelCore

/// Levels of audio over time: some fields for each bucket and channel.
public struct Levels: Sendable {
    /// Sample rate of the audio and the measured channels, which may be fewer than those of the audio.
    public let format: AudioFormat
    /// The bucket grid. With `points`, bucket i ends where bucket i + 1 begins, at a rounded sample.
    public let grid: LevelGrid
    /// Samples per channel of the whole audio.
    public let sampleCount: Int
    /// The fields of each channel.
    public let fields: [LevelField]
    private let log: LevelLog

    /// `log` has a column for each channel and field: all fields of the first channel, then of the next.
    package init(format: AudioFormat, grid: LevelGrid, sampleCount: Int, fields: [LevelField], log: LevelLog) {
        precondition(log.columnCount == format.channels.count * fields.count, "one column per channel and field")
        self.format = format
        self.grid = grid
        self.sampleCount = sampleCount
        self.fields = fields
        self.log = log
    }

    public var bucketCount: Int { log.rowCount }

    /// The duration in seconds.
    public var duration: Double { Double(sampleCount) / Double(format.sampleRate) }

    /// Returns the values of a field in all buckets of a channel; empty if the field was not measured.
    ///
    /// Throws an `io` error if buckets cannot be read back from the disk.
    public func values(_ field: LevelField, channel: Int) throws(MediaError) -> [Float] {
        var values: [Float] = []
        guard let column = column(field, channel: channel) else { return values }
        values.reserveCapacity(bucketCount)
        try forEachRun { (run) throws(MediaError) in values.append(contentsOf: run.column(column)) }
        return values
    }

    /// Column index of a field in a run; nil if it was not measured.
    package func column(_ field: LevelField, channel: Int) -> Int? {
        guard format.channels.indices.contains(channel), let fieldIndex = fields.firstIndex(of: field) else {
            return nil
        }
        return channel * fields.count + fieldIndex
    }

    /// Passes all buckets in order, one run at a time, with bounded memory.
    ///
    /// Throws the errors of `body`, and an `io` error if buckets cannot be read back from the disk.
    package func forEachRun(_ body: (LevelLog.Run) throws(MediaError) -> Void) throws(MediaError) {
        try log.forEachRun(body)
    }
}

extension LevelGrid {
    /// Returns the first sample of bucket `index` in audio of `sampleCount` samples.
    ///
    /// Exact for all indices and rates within ``AudioLimits``.
    package func edge(_ index: Int, sampleRate: Int, sampleCount: Int) -> Int {
        switch self {
        case .samples(let size): index * size
        case .rate(let rate):
            Self.scaled(index, by: sampleRate * rate.denominator, over: rate.numerator, roundingUp: true)
        case .points(let count): Self.scaled(index, by: sampleCount, over: count, roundingUp: false)
        }
    }

    /// Returns value · factor / divisor in integers, with a double-width product.
    private static func scaled(_ value: Int, by factor: Int, over divisor: Int, roundingUp: Bool) -> Int {
        let (quotient, remainder) = divisor.dividingFullWidth(value.multipliedFullWidth(by: factor))
        return quotient + (roundingUp && remainder > 0 ? 1 : 0)
    }
}

/// The division of audio into buckets with one reading each.
public enum LevelGrid: Hashable, Sendable, Codable {
    /// Buckets per second. Bucket i starts with the first sample at or after i / rate seconds, without drift at any
    /// rate.
    case rate(Rational)
    /// Samples per bucket.
    case samples(Int)
    /// Total number of buckets, as equal as whole samples allow; for audio with fewer samples, one bucket per sample.
    ///
    /// If a file does not declare its exact length, it is decoded a second time; a pipe is copied to a temporary file.
    case points(Int)

    public init(from decoder: any Decoder) throws {
        let grid = try CaseDecoder(decoder)
        self =
            switch grid.name {
            case "rate": .rate(try grid.member("rate"))
            case "samples": .samples(try grid.member("samples"))
            case "points": .points(try grid.member("points"))
            default: throw grid.unknownName
            }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .rate(let rate): try encoder.encode(case: "rate", "rate", rate)
        case .samples(let count): try encoder.encode(case: "samples", "samples", count)
        case .points(let count): try encoder.encode(case: "points", "points", count)
        }
    }
}
