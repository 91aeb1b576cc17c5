internal import FoundationEssentials
internal import WayreelAV
package import WayreelCore
internal import WayreelImage

extension TranscodeJob {
    /// Encodes the video of `plan` in chunks. The last frame is shown until `heldUntil`. Returns nil if the video is
    /// encoded as a whole.
    package func encodeChunks(
        of plan: TranscodePlan, heldUntil: Double = 0, _ progress: (Double) -> Void
    ) throws(MediaError) -> ChunkFolder? {
        guard let video = plan.video, let chunkSeconds = video.chunkSeconds else { return nil }
        // A pipe cannot be read or written again by another run.
        guard output != "-", let identity = identity(of: plan) else {
            guard options.isResumable == true else { return nil }
            throw MediaError(
                .parameter, step: "plan", reason: "a transcode from or to a pipe cannot be resumed",
                advice: "name files")
        }
        let folder = try ChunkFolder(beside: output, identity: identity, renditions: video.renditions.count)
        let encoding = ChunkedEncoding(
            video: video, source: source, effects: effects, limits: options.limits, threads: threads, folder: folder,
            isRegular: plan.source.stream(video.stream)?.irregularities.isEmpty ?? false, chunkSeconds: chunkSeconds,
            heldUntil: heldUntil, thumbnailInterval: options.delivery.hls?.previewInterval)
        meter.resume(at: folder.chunks.last?.end ?? 0)
        try folder.keep { () throws(MediaError) in try encoding.run(task: task, progress: progress) }
        return folder
    }

    /// Removes the chunks when the output is complete, or those of an earlier run with other options.
    package func clear(_ chunks: ChunkFolder?) {
        if let chunks {
            chunks.remove()
        } else if output != "-" {
            ChunkFolder.removeStale(beside: output)
        }
    }

    /// Runs `body`, which uses `chunks`, if there are any: its errors mention that they are kept.
    package func keeping<Result>(
        _ chunks: ChunkFolder?, _ body: () throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        guard let chunks else { return try body() }
        return try chunks.keep(body)
    }

    /// Returns an identifier of everything that chunks depend on: the plan and the options, the program, and the
    /// source and other files by their paths, sizes and times. Returns nil for a pipe.
    private func identity(of plan: TranscodePlan) -> String? {
        guard let path = source.path, !path.hasPrefix("/proc/self/fd/"), let file = FileStamp(of: path) else {
            return nil
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let values: [any Encodable] = [plan, options.video, options.delivery, FFmpegVersions.all]
        let texts = values.compactMap { try? encoder.encode($0) }.map { String(decoding: $0, as: UTF8.self) }
        guard texts.count == values.count else { return nil }
        let others = ["/proc/self/exe"] + options.video.files
        return (texts + [file.text] + others.map { FileStamp(of: $0)?.text ?? $0 }).joined(separator: "\n")
    }
}

extension VideoSettings {
    /// The files of filters and overlays.
    fileprivate var files: [String] {
        filters.flatMap(\.files)
            + overlays.compactMap { overlay in
                guard case .image(let image) = overlay else { return nil }
                return image.path
            }
    }
}
