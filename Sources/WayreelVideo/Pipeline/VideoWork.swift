internal import WayreelAV
internal import WayreelCore

/// One video on its way through the pipeline: where it comes from, what is done with it, and where it goes.
struct VideoWork {
    let source: AudioSource
    /// As it was opened to plan, where that is kept.
    let file: MediaFile?
    let options: TranscodeOptions
    let look: Look
    /// What is shown or listed beside the video.
    let texts: TimedTexts
    /// Threads that decode.
    let threads: Int
    let output: String
    /// Of audio that is copied; nil where it was checked before.
    let audioCheck: AudioCopyCheck?
    let meter: ProgressMeter
    let watch: TaskWatch

    func session(_ plan: TranscodePlan) -> TranscodeSession {
        TranscodeSession(plan, of: source, file, look: look, limits: options.limits, threads: threads)
    }
}
