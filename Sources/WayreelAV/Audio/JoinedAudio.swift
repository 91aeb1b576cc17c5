internal import WayreelCore

/// The channels of a recording whose channels are in tracks of their own, read together.
final class JoinedAudio: AudioSampleSource {
    let info: AudioInfo
    private var parts: [Part]

    /// A track of one channel, and what is left of its last block.
    private struct Part {
        let source: any AudioSampleSource
        var rest: AudioBlock?
        var isAtEnd = false
    }

    /// Silence for tracks that end earlier.
    private let silence: UnsafeMutableRawBufferPointer
    private static let maxCount = 4096

    /// `sources`: one per channel of `channels`. Returns nil if their samples are of different types or rates, or if one
    /// has several channels.
    init?(_ sources: [any AudioSampleSource], channels: [AudioChannel]) {
        silence = .allocate(byteCount: Self.maxCount * AudioBlock.SampleType.float32.byteCount, alignment: 64)
        silence.initializeMemory(as: UInt8.self, repeating: 0)
        parts = sources.map { Part(source: $0) }
        let first = sources[0].info
        info = AudioInfo(
            container: first.container, codec: first.codec,
            format: AudioFormat(sampleRate: first.format.sampleRate, channels: channels),
            sampleType: first.sampleType, bitDepth: first.bitDepth, isLossless: first.isLossless,
            tracks: sources.flatMap(\.info.tracks),
            expectedSampleCount: sources.compactMap(\.info.expectedSampleCount).max())
        let isUniform = sources.allSatisfy {
            $0.info.sampleType == first.sampleType && $0.info.format.sampleRate == first.format.sampleRate
                && $0.info.format.channels.count == 1
        }
        guard isUniform, channels.count == sources.count else { return nil }
    }

    deinit { silence.deallocate() }

    func next() throws(MediaError) -> AudioBlock? {
        for index in parts.indices where parts[index].rest == nil && !parts[index].isAtEnd {
            parts[index].rest = try nextBlock(of: parts[index].source)
            parts[index].isAtEnd = parts[index].rest == nil
        }
        let blocks = parts.compactMap(\.rest)
        guard let first = blocks.first else { return nil }
        let isComplete = blocks.count == parts.count
        let count = min(blocks.map(\.count).min() ?? 0, isComplete ? .max : Self.maxCount)
        let planes = parts.map { $0.rest?.planes[0] ?? UnsafeRawPointer(silence.baseAddress!) }
        for index in parts.indices {
            parts[index].rest = parts[index].rest.flatMap { $0.count > count ? $0.slice(count..<$0.count) : nil }
        }
        return AudioBlock(
            info.sampleType, count: count, channelCount: parts.count, planes: planes, start: first.start)
    }

    /// Returns the next block that is not padding: its samples are not part of the audio, and each track has its own.
    private func nextBlock(of source: any AudioSampleSource) throws(MediaError) -> AudioBlock? {
        while let block = try source.next() { if !block.isPadding { return block } }
        return nil
    }

    func stop() { for part in parts { part.source.stop() } }

    var outcome: AudioReadOutcome {
        var total = AudioReadOutcome()
        for outcome in parts.map(\.source.outcome) {
            total.sampleCount = max(total.sampleCount, outcome.sampleCount)
            total.trimmedSamples = max(total.trimmedSamples, outcome.trimmedSamples)
            total.skippedBytes = max(total.skippedBytes, outcome.skippedBytes)
            total.lostPackets += outcome.lostPackets
            total.gaps += outcome.gaps
            total.filledSamples = max(total.filledSamples, outcome.filledSamples)
            total.notFinite += outcome.notFinite
            total.repeatedChunks += outcome.repeatedChunks
        }
        return total
    }
}
