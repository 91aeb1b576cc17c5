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
    /// The path of the poster; nil for none.
    package let posterPath: String?
    package let ifExists: ExistingOutput
    /// The check of copied audio; nil if it has ended.
    let audioCheck: AudioCopyCheck?
    let meter: ProgressMeter
    package let task: TaskContext

    package func session(_ plan: TranscodePlan) -> TranscodeSession {
        TranscodeSession(plan, of: source, file, effects: effects, limits: options.limits, threads: threads)
    }
}
