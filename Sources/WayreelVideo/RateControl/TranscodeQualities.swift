package import WayreelAV
package import WayreelCore

/// The expected sizes and similarities of encodings of one file to MP4 or HLS, measured on excerpts.
package struct TranscodeQualities: Sendable {
    package enum Rate: Hashable, Sendable {
        /// The options unchanged, which may result in a copy.
        case asPlanned
        case crf(Double)
        case audio(bitRate: Int)
        /// For HLS: the renditions at lower bit rates.
        case ladder([LadderRung])
    }

    package struct Reading: Hashable, Sendable {
        package var rate: Rate
        /// The size of the file, or of all files of the package.
        package var bytes: Int
        /// The SSIM of the luma, compared with the encoder's input; for HLS the mean of the renditions; for audio only
        /// the comparable value of ``NoiseToMask``.
        package var similarity: Double

        init(_ rate: Rate, bytes: Double, similarity: Double) {
            self.rate = rate
            self.bytes = Int(min(max(bytes, 0), 1e15))
            self.similarity = similarity
        }
    }

    /// The size of the frames, for HLS of the largest rendition; nil for audio only.
    package var size: PixelSize?
    /// The expected length of the output in seconds.
    package var seconds: Double
    /// The readings; the first one is for the unchanged options.
    package var readings: [Reading]

    /// The maximum share of a size limit that an expected size may take.
    package static let limitShare = 0.8

    /// Returns nil if there is nothing to choose: the file's length is unknown, or its frames are too small to
    /// compare.
    package static func measured(
        of source: MediaInput, _ options: TranscodeOptions, threads: Int, task: TaskContext
    ) throws(MediaError) -> TranscodeQualities? {
        var measurement = try TranscodeMeasurement(of: source, options, threads: threads, task: task)
        return try measurement?.qualities()
    }
}
