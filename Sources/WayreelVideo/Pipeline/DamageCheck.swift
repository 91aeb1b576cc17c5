internal import WayreelCore

/// Judges, before an output gets its name, how much of a video was lost on the way.
struct DamageCheck {
    let plan: TranscodePlan
    let tolerance: DamageTolerance

    /// Steps whose warnings tell of damage.
    private static let steps: Set<String> = ["read", "decode", "sound"]

    /// Tells of what is missing in an output of `seconds`. Throws a `decoding` error where it is more than is tolerated.
    func run(seconds: Double, watch: TaskWatch) throws(MediaError) {
        if let told, seconds < told * 0.99 - 0.5 {
            watch.warn(
                "decode",
                "the file says that it is \(told.rounded(to: 2)) s long; only \(seconds.rounded(to: 2)) s are there")
        }
        if tolerance == .warning, let warning = watch.warnings.first(where: { Self.steps.contains($0.step) }) {
            throw MediaError(
                .decoding, step: warning.step, reason: warning.message,
                advice: "use --fail-on missing to accept some damage")
        }
        guard tolerance == .standard, let told, told > 0.5 else { return }
        let missing = 1 - seconds / told
        guard missing <= DamageTolerance.acceptedShare else {
            throw MediaError(
                .decoding, step: "decode",
                reason: "\(Int((missing * 100).rounded())) % of the video is missing, more than a quarter",
                advice: "use --fail-on none to take what is there")
        }
    }

    /// Seconds that the file says there are, to the end of its pictures.
    private var told: Double? { toldOfSource.map { plan.range?.length(in: $0) ?? $0 } }

    private var toldOfSource: Double? {
        guard let index = plan.picture?.stream, plan.source.streams.indices.contains(index) else { return nil }
        return toldOfWhole ?? Self.end(of: plan.source.streams[index]) ?? plan.source.seconds
    }

    /// What a container tells of the whole, where none of its streams comes near to it: they were cut off together. nil where
    /// something else may last so long.
    private var toldOfWhole: Double? {
        let kinds: Set<MediaStream.Kind> = [.video, .sound, .cover, .attachment]
        let ends = plan.source.streams.filter { $0.kind == .video || $0.kind == .sound }.map(Self.end)
        guard let whole = plan.source.seconds, let last = ends.compactMap(\.self).max(), !ends.contains(nil),
            last < whole * 0.99 - 0.5, plan.source.streams.allSatisfy({ kinds.contains($0.kind) })
        else { return nil }
        return whole
    }

    private static func end(of stream: MediaStream) -> Double? { stream.seconds.map { $0 + max(0, stream.start) } }
}
