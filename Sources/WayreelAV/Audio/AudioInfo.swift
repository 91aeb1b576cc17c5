package import WayreelCore

/// What is known of a sound before it is read.
package struct AudioInfo: Sendable {
    /// FFmpeg's short name of the container: `mp3`, `mov,mp4,m4a,3gp,3g2,mj2`, `wav`; `raw` where there is none.
    package let container: String
    /// FFmpeg's name of the codec: `mp3`, `pcm_s16le`.
    package let codec: String
    package let format: AudioFormat
    package let sampleType: AudioBlock.SampleType
    /// Bits of a sample before it was encoded; nil for codecs that lose something.
    package let bitDepth: Int?
    package let isLossless: Bool
    /// Which of the file's sound tracks it is, from 1.
    package let track: Int
    /// Samples per channel, as far as the container tells: exact for samples without a codec, else about.
    package let expectedSampleCount: Int?
}

/// What was met while a sound was read.
package struct AudioReadOutcome: Equatable, Sendable {
    /// Samples per channel, without padding.
    package var sampleCount = 0
    /// Bytes in front of the sound that are something else.
    package var skippedBytes = 0
    /// Packets that could not be decoded.
    package var lostPackets = 0
    /// Places where timestamps left something out.
    package var gaps = 0
    /// Samples per channel of silence that stands for lost packets and gaps.
    package var filledSamples = 0
    /// Samples per channel that the file says it has beyond those that came.
    package var absentSamples = 0
    /// Floating-point samples that were no numbers, or infinite, and have become 0.
    package var notFinite = 0
    /// Stretches that had to be decoded again because a cut could not be proved right.
    package var repeatedChunks = 0
}
