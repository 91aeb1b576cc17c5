internal import FoundationEssentials
internal import WayreelAV
internal import WayreelCore
internal import WayreelImage

extension TranscodeJob {
    /// The folder with all parts of the pictures, the last of which stays until `heldUntil`; nil where they are not to be
    /// encoded so.
    func encodeParts(
        of plan: TranscodePlan, heldUntil: Double = 0, _ progress: (Double) -> Void
    ) throws(MediaError) -> ChunkFolder? {
        guard let picture = plan.picture, let partSeconds = picture.partSeconds else { return nil }
        // Of a pipe, and for one, there is nothing to go on with in another run.
        guard output != "-", let identity = identity(of: plan) else {
            guard options.isResumable == true else { return nil }
            throw MediaError(
                .parameter, step: "plan", reason: "what comes or goes through a pipe cannot be resumed",
                advice: "name files")
        }
        let folder = try ChunkFolder(beside: output, identity: identity)
        let parts = ChunkedEncoding(
            picture: picture, source: source, look: look, limits: options.limits, threads: threads, folder: folder,
            isRegular: plan.source.streams[picture.stream].irregularities.isEmpty, partSeconds: partSeconds,
            heldUntil: heldUntil, previewInterval: options.delivery.hls?.previewInterval)
        meter.earlier = folder.parts.last?.end ?? 0
        try folder.keep { () throws(MediaError) in try parts.run(watch: watch, progress: progress) }
        return folder
    }

    /// Removes the parts of what now stands at its place, or those that an earlier run with other options has left.
    func clear(_ parts: ChunkFolder?) {
        if let parts {
            parts.remove()
        } else if output != "-" {
            ChunkFolder.removeLeft(beside: output)
        }
    }

    /// Runs `body`, which goes on with `parts`, where there are any: what it throws tells that they stay.
    func keeping<Result>(
        _ parts: ChunkFolder?, _ body: () throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        guard let parts else { return try body() }
        return try parts.keep(body)
    }

    /// What parts belong to: the plan and the options, what works on them, and the source and the files that the look needs, by
    /// their places, sizes and times; nil for a pipe.
    private func identity(of plan: TranscodePlan) -> String? {
        guard let path = source.path, !path.hasPrefix("/proc/self/fd/"), let file = FileIdentity.stamp(of: path) else {
            return nil
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let values: [any Encodable] = [plan, options.picture, options.delivery, FFmpegVersions.all]
        let texts = values.compactMap { try? encoder.encode($0) }.map { String(decoding: $0, as: UTF8.self) }
        guard texts.count == values.count else { return nil }
        let others = ["/proc/self/exe"] + options.picture.files
        return (texts + [file] + others.map { FileIdentity.stamp(of: $0) ?? $0 }).joined(separator: "\n")
    }
}

extension VideoSettings {
    /// Of filters and overlays.
    fileprivate var files: [String] {
        filters.flatMap(\.files)
            + overlays.compactMap { overlay in
                guard case .image(let image) = overlay else { return nil }
                return image.path
            }
    }
}
