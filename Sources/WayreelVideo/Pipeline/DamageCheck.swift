internal import WayreelCore

/// Judges, before an output gets its name, how much of a video was lost on the way.
struct DamageCheck {
    let plan: TranscodePlan
    let tolerance: DamageTolerance

    /// Steps whose warnings tell of damage.
    private static let steps: Set<String> = ["read", "decode", "encode", "sound"]

    /// Tells of what is missing in an output of `seconds`. Throws a `decoding` error where it is more than is tolerated.
    func run(seconds: Double, watch: TaskWatch) throws(MediaError) {
        if let told = Self.told(of: plan), seconds < told.end * 0.99 - 0.5 {
            warn(watch, told: told.end, found: seconds)
        } else if let header = plan.source.headerSeconds, let found = plan.source.seconds, plan.range == nil {
            warn(watch, told: header, found: found)
        }
        if tolerance == .warning, let warning = watch.warnings.first(where: { Self.steps.contains($0.step) }) {
            throw MediaError(
                .decoding, step: warning.step, reason: warning.message,
                advice: "use --fail-on missing to accept some damage")
        }
        guard tolerance == .standard, let told = Self.told(of: plan), told.end - told.start > 0.5 else { return }
        let missing = min(1, 1 - (seconds - told.start) / (told.end - told.start))
        guard missing <= DamageTolerance.acceptedShare else {
            throw MediaError(
                .decoding, step: "decode",
                reason: "\(Int((missing * 100).rounded())) % of the video is missing, more than a quarter",
                advice: "use --fail-on none to take what is there")
        }
    }

    private func warn(_ watch: TaskWatch, told: Double, found: Double) {
        watch.warn(
            "decode",
            "the file says that it is \(told.rounded(to: 2)) s long; only \(found.rounded(to: 2)) s are there")
    }

    /// Seconds of output at which the file says that its video begins and ends; nil where it does not say.
    static func told(of plan: TranscodePlan) -> (start: Double, end: Double)? {
        guard let index = plan.picture?.stream, plan.source.streams.indices.contains(index) else { return nil }
        let stream = plan.source.streams[index]
        guard let end = toldOfWhole(plan.source) ?? stream.end ?? plan.source.seconds else { return nil }
        let start = max(0, stream.start - (plan.range?.start ?? 0))
        return (start, plan.range?.length(in: end) ?? end)
    }

    /// What a container tells of the whole, where none of its streams comes near to it: they were cut off together. nil where
    /// something else may last so long.
    private static func toldOfWhole(_ source: MediaInfo) -> Double? {
        let kinds: Set<MediaStream.Kind> = [.video, .sound, .cover, .attachment]
        let ends = source.streams.filter { $0.kind == .video || $0.kind == .sound }.map(\.end)
        guard let whole = source.seconds, let last = ends.compactMap(\.self).max(), !ends.contains(nil),
            last < whole * 0.99 - 0.5, source.streams.allSatisfy({ kinds.contains($0.kind) })
        else { return nil }
        return whole
    }
}
