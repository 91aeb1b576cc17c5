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
    private var told: Double? {
        guard let index = plan.picture?.stream, plan.source.streams.indices.contains(index) else { return nil }
        let stream = plan.source.streams[index]
        return stream.seconds.map { $0 + max(0, stream.start) } ?? plan.source.seconds
    }
}
