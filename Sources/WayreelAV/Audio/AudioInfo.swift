package import WayreelCore

/// The properties of an audio track that are known before it is decoded.
package struct AudioInfo: Sendable {
    /// FFmpeg's short name of the container: `mp3`, `mov,mp4,m4a,3gp,3g2,mj2`, `wav`; `raw` without one.
    package let container: String
    /// FFmpeg's name of the codec: `mp3`, `pcm_s16le`.
    package let codec: String
    package let format: AudioFormat
    package let sampleType: AudioBlock.SampleType
    /// Bits of a sample before encoding; nil for lossy codecs.
    package let bitDepth: Int?
    package let isLossless: Bool
    /// The number of the track among the file's audio tracks, from 1. Several hold one channel each.
    package let tracks: [Int]
    /// Samples per channel as the container declares them: exact for PCM, else approximate.
    package let expectedSampleCount: Int?
}

/// The result of reading an audio track.
package struct AudioReadOutcome: Equatable, Sendable {
    /// Samples per channel, without padding.
    package var sampleCount = 0
    /// Non-audio bytes before the audio.
    package var skippedBytes = 0
    /// Packets that could not be decoded.
    package var lostPackets = 0
    /// Gaps in the timestamps.
    package var gaps = 0
    /// Samples per channel of silence in place of lost packets and gaps.
    package var filledSamples = 0
    /// Samples per channel that are decoded but not presented: encoder delay, padding, what an edit list leaves out.
    package var trimmedSamples = 0
    /// Samples per channel that the file declares but does not hold.
    package var absentSamples = 0
    /// Whether the track has several links of chained Ogg, of which the file declares the last one's length at the rate
    /// of the first.
    package var isChained = false
    /// NaN and infinite samples, replaced by 0.
    package var notFinite = 0
    /// Chunks that were decoded again because the check packet differed.
    package var repeatedChunks = 0
}
