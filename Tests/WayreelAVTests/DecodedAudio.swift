import TestSupport
import WayreelAV
import WayreelCore

/// Everything that a reader returns for one input.
struct DecodedAudio {
    let info: AudioInfo
    let outcome: AudioReadOutcome
    let warnings: [MediaWarning]
    /// The samples of each channel, with a full scale of 1.
    private(set) var channels: [[Float]] = []
    /// Encoder padding at the end, in samples.
    private(set) var padding = 0
    /// FNV-1a of the bits of each channel's samples, and of their padding flags.
    private(set) var hash: [UInt64]
    private(set) var isContiguous = true
    private(set) var blockCount = 0

    init(
        _ source: MediaInput, track: Int? = nil, limits: AudioLimits = .standard, workers: Int = 1,
        chunkLength: Int? = nil, task: TaskContext = TaskContext(seconds: 300)
    ) throws(MediaError) {
        let reader = try AudioReader(
            source, tracks: track.map { [$0] } ?? [], limits: limits, workers: workers, chunkLength: chunkLength,
            task: task)
        info = reader.info
        var channels = [[Float]](repeating: [], count: reader.info.format.channels.count)
        var hash = [UInt64](repeating: 0xCBF2_9CE4_8422_2325, count: channels.count)
        var (padding, isContiguous, next, count) = (0, true, 0, 0)
        let type = reader.info.sampleType
        while let block = try reader.next() {
            isContiguous = isContiguous && block.start == next && block.type == type && block.count > 0
            next += block.count
            count += 1
            if block.isPadding { padding += block.count }
            for channel in 0..<block.channelCount {
                for index in 0..<block.count {
                    let (bits, value) = block.sample(index, of: channel)
                    let mark: UInt64 = block.isPadding ? 1 << 40 : 0
                    hash[channel] = (hash[channel] ^ UInt64(bits) ^ mark) &* 0x100_0000_01B3
                    if !block.isPadding { channels[channel].append(value) }
                }
            }
        }
        outcome = reader.outcome
        (self.channels, self.padding, self.hash, self.isContiguous, blockCount) = (
            channels, padding, hash, isContiguous, count
        )
        warnings = task.warnings
    }

    init(_ path: String, workers: Int = 1, chunkLength: Int? = nil) throws(MediaError) {
        try self.init(.path(path), workers: workers, chunkLength: chunkLength)
    }

    var count: Int { channels.first?.count ?? 0 }

    /// Returns the index of the largest magnitude of a channel within `radius` of `index`.
    func peak(near index: Int, radius: Int = 2000, channel: Int = 0) -> Int? {
        let range = max(0, index - radius)..<min(count, index + radius)
        return range.max { abs(channels[channel][$0]) < abs(channels[channel][$1]) }
    }
}

extension AudioBlock {
    fileprivate func sample(_ index: Int, of channel: Int) -> (bits: UInt32, value: Float) {
        switch type {
        case .int16:
            let sample = samples(of: channel, as: Int16.self)[index * stride]
            return (UInt32(UInt16(bitPattern: sample)), Float(sample) / 32_768)
        case .int32:
            let sample = samples(of: channel, as: Int32.self)[index * stride]
            return (UInt32(bitPattern: sample), Float(Double(sample) / 2_147_483_648))
        case .float32:
            let sample = samples(of: channel, as: Float.self)[index * stride]
            return (sample.bitPattern, sample)
        }
    }
}
