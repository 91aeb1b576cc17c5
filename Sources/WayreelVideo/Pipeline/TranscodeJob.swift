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
    /// The encoded poster and its path; nil for none.
    let poster: (bytes: [UInt8], path: String)?
    package let ifExists: ExistingOutput
    /// The check of copied audio; nil if it has ended.
    let audioCheck: AudioCopyCheck?
    let meter: ProgressMeter
    package let task: TaskContext

    package var posterPath: String? { poster?.path }

    /// Writes the poster after the video was published. If that fails, `withdraw` removes the video.
    package func writePoster(orElse withdraw: () -> Void) throws(MediaError) {
        guard let poster else { return }
        do { try OutputFile.write(poster.bytes, to: poster.path, ifExists: ifExists) } catch {
            withdraw()
            throw error
        }
    }

    package func session(_ plan: TranscodePlan) -> TranscodeSession {
        TranscodeSession(plan, of: source, file, effects: effects, limits: options.limits, threads: threads)
    }
}
