internal import WayreelCore
internal import WayreelImage
internal import WayreelTasks
internal import WayreelVideo

extension BundleWork {
    /// Returns a task that measures cheaper encodings of the task's output; nil for outputs without a choice: levels,
    /// captions and copies.
    func quality(to output: String) -> QualityTask? {
        switch self {
        case .capture(let task): QualityTask(input: task.input, output: output, options: .image(task.options))
        case .poster(let task): QualityTask(input: task.input, output: output, options: .poster(task.options))
        case .transcode(let task): QualityTask(input: task.input, output: output, options: .transcode(task.options))
        case .levels, .captions, .copy: nil
        }
    }

    /// Returns the task with one setting changed.
    func with(_ setting: QualityLadder.Setting) -> BundleWork {
        switch (self, setting) {
        case (.capture(var task), .quality(let quality)):
            task.options.encoding.limit(to: quality)
            return .capture(task)
        case (.poster(var task), .quality(let quality)):
            task.options.encoding.limit(to: quality)
            return .poster(task)
        case (.transcode(var task), .crf(let crf)):
            task.options.video.rate = .crf(crf)
            task.options.video.alwaysEncodes = true
            return .transcode(task)
        case (.transcode(var task), .audioBitRate(let bitRate)):
            task.options.audio.bitRate = bitRate
            // Audio that could be copied is encoded as well.
            task.options.video.alwaysEncodes = true
            return .transcode(task)
        case (.transcode(var task), .ladder(let rungs)):
            guard case .hls(var hls) = task.options.delivery else { return self }
            hls.ladder = rungs
            task.options.delivery = .hls(hls)
            return .transcode(task)
        default: return self
        }
    }

    /// Returns the unchanged setting of the task as text.
    func plannedSetting(isCopy: Bool) -> String {
        switch self {
        case .capture(let task): return "quality \(task.options.encoding.quality)"
        case .poster(let task): return "quality \(task.options.encoding.quality)"
        case .transcode(let task) where task.options.video.isDropped: return task.options.audio.bitRate.asBitRate
        case .transcode(let task):
            if isCopy { return "a copy" }
            if case .hls = task.options.delivery { return "Apple's ladder" }
            if case .maxBytes(let bytes) = task.options.video.rate { return "\(bytes) bytes" }
            return "the default CRF"
        case .levels, .captions, .copy: return "as it is"
        }
    }
}

extension Encoding {
    /// With a maximum size, the search for it begins at the quality.
    fileprivate mutating func limit(to quality: Int) {
        self.quality = quality
        if maxBytes != nil { maxQuality = quality }
    }
}

extension QualityLadder.Setting {
    func text(_ planned: String) -> String {
        switch self {
        case .asPlanned: planned
        case .quality(let quality): "quality \(quality)"
        case .crf(let crf): "CRF \(crf.shortDescription)"
        case .audioBitRate(let bitRate): bitRate.asBitRate
        case .ladder(let rungs): "up to \((rungs.map(\.bitRate).max() ?? 0).asBitRate)"
        }
    }
}
