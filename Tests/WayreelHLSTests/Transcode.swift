internal import WayreelCore
internal import WayreelHLS
internal import WayreelVideo

/// Transcodes the video at `input`.
@discardableResult
func transcode(
    _ input: String, to output: String, poster: String? = nil, _ options: TranscodeOptions
) throws -> (video: TranscodedVideo, warnings: [MediaWarning]) {
    let watch = TaskWatch()
    let video = try TranscodePipeline(options).run(
        input, to: output, posterPath: poster, watch: watch, progress: { _ in })
    return (video, watch.warnings)
}
