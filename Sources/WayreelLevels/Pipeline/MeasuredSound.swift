public import WayreelCore

/// A sound's levels and loudness, and how they came about.
public struct MeasuredSound: Sendable {
    /// FFmpeg's short name of the container: `mp3`, `wav`, `mov,mp4,m4a,3gp,3g2,mj2`; `levels` of a file of levels.
    public let container: String
    /// FFmpeg's name of the codec: `mp3`, `flac`, `pcm_s16le`; of a file of levels its format.
    public let codec: String
    /// Of the audio as its levels were read: with the sample rate that the options ask for, else with its own. ``levels`` may have
    /// been read of fewer channels.
    public let format: AudioFormat
    /// Samples per channel.
    public let sampleCount: Int
    /// Where the options ask for it.
    public let loudness: Loudness?
    let renditions: [LevelsRendition]

    /// For each of the options' outputs, in their order.
    public var levels: [Levels] { renditions.map(\.levels) }

    /// Seconds.
    public var duration: Double { Double(sampleCount) / Double(format.sampleRate) }

    /// The whole file that the options' output `index` stands for, in memory.
    ///
    /// Throws where the levels cannot be written so, or drawn.
    public func encoded(_ index: Int = 0) throws(MediaError) -> [UInt8] {
        guard renditions.indices.contains(index) else {
            throw MediaError(
                .parameter, step: "encode", reason: "there is no output \(index); there are \(renditions.count)")
        }
        let sink = MemorySink()
        try write(index, to: sink)
        return sink.bytes
    }

    package func write(_ index: Int, to sink: some ByteSink) throws(MediaError) {
        try renditions[index].write(to: sink)
    }
}
