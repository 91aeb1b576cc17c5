public import WayreelCore

/// A sound's levels and loudness, and how they came about.
public struct MeasuredSound: Sendable {
    /// FFmpeg's short name of the container: `mp3`, `wav`, `mov,mp4,m4a,3gp,3g2,mj2`.
    public let container: String
    /// FFmpeg's name of the codec: `mp3`, `flac`, `pcm_s16le`.
    public let codec: String
    /// Of the sound itself; ``levels`` may have been read of fewer channels.
    public let format: AudioFormat
    /// Samples per channel.
    public let sampleCount: Int
    /// For each of the options' outputs, in their order.
    public let levels: [Levels]
    /// Where the options ask for it.
    public let loudness: Loudness?
    let outputs: [LevelsOutput]
    let source: LevelsSource

    /// Seconds.
    public var duration: Double { Double(sampleCount) / Double(format.sampleRate) }

    /// The whole file that the options' output `index` stands for, in memory.
    ///
    /// Throws where the levels cannot be written so, or drawn.
    public func encoded(_ index: Int = 0) throws(MediaError) -> [UInt8] {
        guard outputs.indices.contains(index) else {
            throw MediaError(
                .parameter, step: "encode", reason: "there is no output \(index); there are \(outputs.count)")
        }
        let sink = MemorySink()
        try write(index, to: sink)
        return sink.bytes
    }

    package func write(_ index: Int, to sink: some ByteSink) throws(MediaError) {
        try outputs[index].write(levels[index], source: source, loudness: loudness, to: sink)
    }
}
