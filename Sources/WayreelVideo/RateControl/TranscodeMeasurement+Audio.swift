internal import WayreelAV
internal import WayreelCore

// Audio alone, at several bit rates.
extension TranscodeMeasurement {
    private static let bitRates = [112_000, 96_000, 80_000, 64_000, 48_000, 32_000]

    /// Each bit rate encodes the same excerpts.
    mutating func audioQualities() throws(MediaError) -> TranscodeQualities? {
        guard let own = plan.audio.first else { return nil }
        var readings: [TranscodeQualities.Reading] = []
        if own.action == .copy {
            let bytes = try bytesBesideVideo([own])
            readings = [.init(.asPlanned, bytes: bytes, similarity: 1)]
        }
        var samples: AudioSamples?
        let wanted = options.audio.bitRate
        for bitRate in (own.action == .copy ? [] : [wanted]) + Self.bitRates.filter({ $0 < wanted }) {
            var lower = options
            lower.audio.bitRate = bitRate
            if bitRate != wanted { lower.video.alwaysEncodes = true }
            guard let track = try TranscodePlan(of: plan.source, lower).audio.first else { continue }
            let excerpts = if let samples { samples } else { try audioExcerpts(of: track) }
            samples = excerpts
            let found = try excerpts.measure(track.encoderSettings)
            let length = Double(excerpts.count) / Double(track.sampleRate)
            guard length > 0 else { break }
            let bytes = Double(found.bytes) * max(1, seconds / length) + indexBytes(track) + Self.bytesOfHeader
            // Nothing but silence, or next to nothing: it is as good at any bit rate.
            readings.append(
                .init(
                    bitRate == wanted ? .asPlanned : .audio(bitRate: bitRate), bytes: bytes,
                    similarity: found.similarity ?? 1))
            try task.check()
        }
        return readings.isEmpty ? nil : TranscodeQualities(seconds: seconds, readings: readings)
    }

    /// Returns excerpts of a track. If it ends before the last one, ``seconds`` is changed, and there are other
    /// excerpts.
    private mutating func audioExcerpts(of track: AudioPlan) throws(MediaError) -> AudioSamples {
        let (samples, held) = try AudioSamples.decoded(of: track, seconds, source, limits: limits, task: task)
        guard let held, held < seconds else { return samples }
        seconds = held
        return try AudioSamples.decoded(of: track, held, source, limits: limits, task: task).samples
    }
}

extension AudioSamples {
    /// The maximum length of an excerpt in seconds, and the maximum number of excerpts.
    private static let excerptSeconds = 5.0
    private static let maxExcerpts = 4

    /// Decodes excerpts at even distances of a track, or all of a short one, as its encoder gets them. `held` is the
    /// length of a track that ends before the last one; nil for any other.
    fileprivate static func decoded(
        of plan: AudioPlan, _ seconds: Double, _ source: MediaInput, limits: VideoLimits, task: TaskContext
    ) throws(MediaError) -> (samples: AudioSamples, held: Double?) {
        let reader = try AudioTrackEncoder.reader(of: source, plan, limits: limits, task: task)
        let rate = Double(reader.info.format.sampleRate)
        let samples = try AudioSamples(
            of: reader.info.format, sampleRate: plan.sampleRate, channelCount: plan.channelCount)
        let isShort = seconds <= excerptSeconds * Double(maxExcerpts)
        let excerpts: [Range<Int>] = (0..<(isShort ? 1 : maxExcerpts)).map { index in
            // A file may hold more than it declares.
            if isShort { return 0..<Int(excerptSeconds * Double(maxExcerpts) * rate) + 1 }
            let middle = seconds * (Double(index) + 0.5) / Double(maxExcerpts)
            let start = Int((middle - excerptSeconds / 2) * rate)
            return start..<start + Int(excerptSeconds * rate)
        }
        let needed = excerpts[excerpts.count - 1].upperBound
        var end = 0
        do throws(MediaError) {
            while end < needed, let block = try reader.next() {
                try task.check()
                guard !block.isPadding else { continue }
                let range = block.start..<block.start + block.count
                for excerpt in excerpts where excerpt.overlaps(range) {
                    let part = excerpt.clamped(to: range)
                    try samples.append(block.slice(part.lowerBound - block.start..<part.upperBound - block.start))
                }
                end = range.upperBound
            }
        } catch {
            // Audio before the damage is used; transcoding reports the damage.
            guard error.kind == .decoding else { throw error }
        }
        try samples.append(nil)
        return (samples, end >= needed || isShort || end == 0 ? nil : Double(end) / rate)
    }
}
