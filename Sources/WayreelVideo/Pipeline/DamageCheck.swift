internal import WayreelCore

/// Checks how much of the video is missing, before the output is published.
struct DamageCheck {
    let plan: TranscodePlan
    let tolerance: DamageTolerance

    /// Steps whose warnings report damage.
    private static let steps: Set<MediaError.Step> = [.read, .decode, .encode, .audio]

    /// Warns of missing parts in an output of `seconds`. Throws a `decoding` error if more is missing than is
    /// tolerated.
    func run(seconds: Double, task: TaskContext) throws(MediaError) {
        if let expected = Self.expected(of: plan), seconds < expected.end * 0.99 - 0.5 {
            warn(task, expected: expected.end, found: seconds)
        } else if let header = plan.source.headerSeconds, let found = plan.source.seconds, plan.range == nil {
            warn(task, expected: header, found: found)
        }
        if tolerance == .warning, let warning = task.warnings.first(where: { Self.steps.contains($0.step) }) {
            throw MediaError(
                .decoding, code: .damaged, step: warning.step, reason: warning.message,
                advice: "use \(.toleranceStandard) to accept some damage")
        }
        guard tolerance == .standard, let expected = Self.expected(of: plan), expected.end - expected.start > 0.5 else {
            return
        }
        let missing = min(1, 1 - (seconds - expected.start) / (expected.end - expected.start))
        guard missing <= DamageTolerance.acceptedShare else {
            throw MediaError(
                .decoding, code: .damaged, step: .decode,
                reason: "\(Int((missing * 100).rounded())) % of the video is missing, more than a quarter",
                advice: "use \(.toleranceNone) to accept what is there")
        }
    }

    private func warn(_ task: TaskContext, expected: Double, found: Double) {
        task.warn(
            .decode,
            "the file says that it is \(expected.rounded(to: 2)) s long; only \(found.rounded(to: 2)) s are there")
    }

    /// Returns the start and end of the video in seconds of output according to the file, or nil if it does not
    /// specify them.
    static func expected(of plan: TranscodePlan) -> (start: Double, end: Double)? {
        guard let stream = plan.video.flatMap({ plan.source.stream($0.stream) }) else { return nil }
        guard let end = endOfContainer(plan.source) ?? stream.end ?? plan.source.seconds else { return nil }
        let start = max(0, stream.start - (plan.range?.start ?? 0))
        return (start, plan.range?.length(in: end) ?? end)
    }

    /// Returns the length of the container if all its streams end much earlier, because they were truncated together.
    /// Returns nil if another stream may last that long.
    private static func endOfContainer(_ source: MediaInfo) -> Double? {
        let kinds: Set<MediaStream.Kind> = [.video, .audio, .cover, .attachment]
        let ends = source.streams.filter { $0.kind == .video || $0.kind == .audio }.map(\.end)
        guard let whole = source.seconds, let last = ends.compactMap(\.self).max(), !ends.contains(nil),
            last < whole * 0.99 - 0.5, source.streams.allSatisfy({ kinds.contains($0.kind) })
        else { return nil }
        return whole
    }
}
