internal import WayreelAV
internal import WayreelCore

/// One video on its way through the pipeline: where it comes from, what is done with it, and where it goes.
struct VideoWork {
    let source: AudioSource
    let options: TranscodeOptions
    let look: Look
    /// Threads that decode.
    let threads: Int
    let output: String
    let meter: ProgressMeter
    let watch: TaskWatch

    func session(_ plan: TranscodePlan) -> TranscodeSession {
        TranscodeSession(plan, of: source, look: look, limits: options.limits, threads: threads)
    }
}
