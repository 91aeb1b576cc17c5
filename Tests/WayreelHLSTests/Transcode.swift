internal import TestSupport
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

/// Returns the numbers of ffprobe for `entries` of a file or playlist, in lines; `streams`: of these alone.
func probed(_ entries: String, of path: String, streams: String? = nil) throws -> [[Double]] {
    let chosen = streams.map { ["-select_streams", $0] } ?? []
    let input = (path.hasSuffix(".m3u8") ? ["-allowed_extensions", "ALL"] : []) + ["-i", path]
    return try SampleVideo.run(
        "ffprobe", ["-v", "error"] + chosen + ["-show_entries", entries, "-of", "csv=p=0"] + input
    ).text.split(whereSeparator: \.isNewline).map { $0.split(separator: ",").compactMap { Double($0) } }
}
