public import WayreelCore

/// Levels and loudness of measured audio, with its properties.
public struct MeasuredAudio: Sendable {
    /// FFmpeg's short name of the container: `mp3`, `wav`, `mov,mp4,m4a,3gp,3g2,mj2`; `levels` for a levels file.
    public let container: String
    /// FFmpeg's name of the codec: `mp3`, `flac`, `pcm_s16le`; the format of a levels file.
    public let codec: String
    /// Format of the measured audio, after resampling. ``levels`` may have fewer channels.
    public let format: AudioFormat
    /// The numbers of the audio tracks, from 1: several if each holds one channel of the recording. Empty for a levels
    /// file.
    public let tracks: [Int]
    /// Samples per channel.
    public let sampleCount: Int
    /// The loudness, if requested by the options.
    public let loudness: Loudness?
    /// What ``loudness`` is computed from.
    let statistics: LoudnessStatistics?
    let renditions: [LevelsRendition]

    /// The levels of each output of the options, in order.
    public var levels: [Levels] { renditions.map(\.levels) }

    /// The duration in seconds.
    public var duration: Double { Double(sampleCount) / Double(format.sampleRate) }

    /// Returns the complete file of output `index`.
    ///
    /// Throws if the levels cannot be written or drawn.
    public func encoded(_ index: Int = 0) throws(MediaError) -> [UInt8] {
        guard renditions.indices.contains(index) else {
            throw MediaError(
                .parameter, step: "encode", reason: "output \(index) does not exist; there are \(renditions.count)")
        }
        let sink = MemorySink()
        try write(index, to: sink)
        return sink.bytes
    }

    package func write(_ index: Int, to sink: some ByteSink) throws(MediaError) {
        try renditions[index].write(to: sink)
    }
}
