internal import WayreelCore
internal import WayreelVideo

/// Transcodes the video at `input`.
@discardableResult
func transcode(
    _ input: String, to output: String, poster: String? = nil, _ options: TranscodeOptions
) throws -> (video: TranscodedVideo, warnings: [MediaWarning]) {
    let task = TaskContext()
    let video = try TranscodePipeline(options).run(
        input, to: output, posterPath: poster, task: task, progress: { _ in })
    return (video, task.warnings)
}
