internal import WayreelAV
internal import WayreelCore

/// Detects whether a frame is within a dissolve or a fade, from the frames around it.
///
/// In a dissolve, pixels change linearly from one scene to the other, so that in the middle they are the mean of
/// both. With motion, or at a cut, few pixels do.
struct TransitionCheck {
    let finder: FrameFinder
    /// The part of the video from which frames are read.
    let range: TimeRange
    /// Applies ``FrameScore/chain``.
    let scorer: FilterGraph

    /// Seconds between compared frames: long for slow transitions, short for the ends of fast ones.
    private static let steps = [0.2, 0.08]
    /// The maximum deviation of a frame's time, as a fraction of a step.
    private static let tolerance = 0.4
    /// The minimum change of a pixel's luma that counts, in code values.
    private static let minChange = 3
    /// The minimum share of linearly changing pixels in a transition. Dissolves of moving scenes have 0.43 and more,
    /// moving scenes without a dissolve up to 0.37.
    private static let minShare = 0.4

    /// Compares the frames after `seconds` and, with `looksBack`, those before it, which are decoded from the
    /// previous keyframe. Returns false if they cannot be read.
    func isWithinTransition(at seconds: Double, looksBack: Bool) throws(MediaError) -> Bool {
        guard finder.isSeekable else { return false }
        let offsets = looksBack ? -2...2 : 0...2
        let series = Self.steps.map { step in offsets.map { (time: seconds + Double($0) * step, step: step) } }
        let lumas = try lumas(at: series.joined().filter { $0.time >= range.start })
        return series.contains { series in
            let frames = series.map { lumas[$0.time] }
            return frames.indices.dropLast(2).contains { Self.isTransition(frames[$0], frames[$0 + 1], frames[$0 + 2]) }
        }
    }

    /// Returns the luma of small copies of the frames at these times; times without a near frame are omitted.
    private func lumas(at times: [(time: Double, step: Double)]) throws(MediaError) -> [Double: [UInt8]] {
        let times = times.sorted { $0.time < $1.time }
        guard let first = times.first, var found = try finder.frame(at: first.time)?.found else { return [:] }
        var lumas: [Double: [UInt8]] = [:]
        for (time, step) in times {
            while found.seconds < time - 1e-4, let next = try finder.next() { found = next }
            guard abs(found.seconds - time) <= Self.tolerance * step else { continue }
            lumas[time] = try luma(of: found.frame)
        }
        return lumas
    }

    private func luma(of frame: Frame) throws(MediaError) -> [UInt8] {
        try scorer.send(frame)
        guard let small = try scorer.next() else { return [] }
        return try small.withPlanes { planes in
            (0..<small.size.height).flatMap { y in
                UnsafeBufferPointer(start: planes[0].row(y), count: small.size.width)
            }
        }
    }

    private static func isTransition(_ before: [UInt8]?, _ frame: [UInt8]?, _ after: [UInt8]?) -> Bool {
        guard let before, let frame, let after, before.count == frame.count, after.count == frame.count else {
            return false
        }
        let linear = frame.indices.count { index in
            let (one, middle, other) = (Int(before[index]), Int(frame[index]), Int(after[index]))
            let change = abs(other - one)
            // Linear means the mean of both, within a fifth of the change or rounding.
            return change >= minChange && 5 * abs(2 * middle - one - other) <= max(5, 2 * change)
        }
        return Double(linear) >= minShare * Double(frame.count)
    }
}
