package import WayreelAV
package import WayreelCore

/// One run of the pipeline: its source, options and output.
package struct TranscodeJob {
    package let source: MediaInput
    /// The source, open and unread; nil if it must be opened again.
    let file: Demuxer?
    package let options: TranscodeOptions
    let effects: Effects
    /// The subtitles and chapters of the output.
    package let texts: TimedTexts
    /// The number of threads per decoder.
    let threads: Int
    package let output: String
    /// The encoded poster; nil for none.
    package let poster: PosterFile?
    package let ifExists: ExistingOutput
    /// The check of copied audio; nil if it has ended.
    let audioCheck: AudioCopyCheck?
    let meter: ProgressMeter
    package let task: TaskContext

    package func session(_ plan: TranscodePlan) -> TranscodeSession {
        TranscodeSession(plan, of: source, file, effects: effects, limits: options.limits, threads: threads)
    }
}

/// An encoded poster that is published together with its video.
package struct PosterFile: Sendable {
    package let bytes: [UInt8]
    package let path: String
    let ifExists: ExistingOutput

    /// Returns the poster, written beside its path and not published.
    ///
    /// Throws an `io` error, for example if the disk is full.
    package func written() throws(MediaError) -> any UnpublishedOutput {
        let sink = try OutputSink(path, ifExists: ifExists)
        try sink.write(bytes)
        return sink
    }
}
