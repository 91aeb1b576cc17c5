package import WayreelAV
package import WayreelCore

/// One run of the pipeline: its source, options and output.
package struct TranscodeJob {
    package let source: MediaInput
    /// The source, open and unread; nil where it has to be opened again.
    let file: Demuxer?
    package let options: TranscodeOptions
    let effects: Effects
    /// The subtitles and chapters of the output.
    package let texts: TimedTexts
    /// The threads of each decoder.
    let threads: Int
    package let output: String
    /// Where the poster goes, if there is one.
    package let posterPath: String?
    package let ifExists: ExistingOutput
    /// The check of copied audio; nil where it has ended.
    let audioCheck: AudioCopyCheck?
    let meter: ProgressMeter
    package let task: TaskContext

    package func session(_ plan: TranscodePlan) -> TranscodeSession {
        TranscodeSession(plan, of: source, file, effects: effects, limits: options.limits, threads: threads)
    }
}
