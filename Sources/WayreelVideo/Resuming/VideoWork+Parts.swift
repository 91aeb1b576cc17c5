internal import FoundationEssentials
internal import WayreelAV
internal import WayreelCore

extension VideoWork {
    /// The folder with all parts of the pictures, the last of which stays until `heldUntil`; nil where they are not to be
    /// encoded so.
    func encodeParts(
        of plan: TranscodePlan, heldUntil: Double = 0, _ progress: (Double) -> Void
    ) throws(MediaError) -> PartsFolder? {
        guard let picture = plan.picture, let partSeconds = picture.partSeconds else { return nil }
        // Of a pipe, and for one, there is nothing to go on with in another run.
        guard output != "-", let identity = identity(of: plan) else {
            guard options.isResumable == true else { return nil }
            throw MediaError(
                .parameter, step: "plan", reason: "what comes or goes through a pipe cannot be resumed",
                advice: "name files")
        }
        let folder = try PartsFolder(beside: output, identity: identity)
        let parts = PartedEncoding(
            picture: picture, source: source, look: look, limits: options.limits, threads: threads, folder: folder,
            isRegular: plan.source.streams[picture.stream].irregularities.isEmpty, partSeconds: partSeconds,
            heldUntil: heldUntil, previewInterval: options.delivery.hls?.previewInterval)
        meter.earlier = folder.parts.last?.end ?? 0
        do throws(MediaError) {
            try parts.run(watch: watch, progress: progress)
        } catch {
            let count = folder.parts.count
            guard count > 0 else {
                folder.remove()
                throw error
            }
            var told = error
            told.advice = [error.advice, "run the same again to go on: \(count) finished parts are in \(folder.path)"]
                .compactMap(\.self).joined(separator: "; ")
            throw told
        }
        return folder
    }

    /// What parts belong to: the plan and the options, and the file by its place, size and time; nil for a pipe.
    private func identity(of plan: TranscodePlan) -> String? {
        guard let path = source.path, !path.hasPrefix("/proc/self/fd/"), let file = FileIdentity.stamp(of: path) else {
            return nil
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let values: [any Encodable] = [plan, options.picture, options.delivery]
        let texts = values.compactMap { try? encoder.encode($0) }.map { String(decoding: $0, as: UTF8.self) }
        return texts.count == values.count ? (texts + ["\(file)"]).joined(separator: "\n") : nil
    }
}
