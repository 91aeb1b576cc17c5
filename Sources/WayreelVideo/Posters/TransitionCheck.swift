internal import WayreelAV
internal import WayreelCore

/// Tells whether a frame lies within a dissolve or a fade, by the frames around it.
///
/// In a dissolve the pixels go straight from what they were to what they will be, so that in the middle they are the mean of both.
/// Where things move, or one scene is cut to another, few do.
struct TransitionCheck {
    let finder: FrameFinder
    /// The part of the video that frames may be from.
    let range: TimeRange
    /// Of ``FrameScore/chain``.
    let scorer: FilterGraph

    /// Seconds from frame to frame of those that are compared: far apart for slow transitions, near for the ends of fast ones.
    private static let steps = [0.2, 0.08]
    /// By what share of a step a frame may come late for that.
    private static let tolerance = 0.4
    /// Codes of luma by which a pixel has to change to count.
    private static let leastChange = 3
    /// The share of pixels on a straight way from which on a frame is taken for one of a transition. Dissolves of moving scenes have
    /// 0.43 and more, moving scenes without any have up to 0.37.
    private static let leastShare = 0.4

    /// Looks at the frames behind that at `seconds` and, where `looksBack`, at those before it: they take decoding from the key
    /// frame before. False where they cannot be read.
    func isWithinTransition(at seconds: Double, looksBack: Bool) throws(MediaError) -> Bool {
        guard finder.isSeekable else { return false }
        let places = looksBack ? -2...2 : 0...2
        let series = Self.steps.map { step in places.map { (time: seconds + Double($0) * step, step: step) } }
        let lumas = try lumas(at: series.joined().filter { $0.time >= range.start })
        return series.contains { series in
            let frames = series.map { lumas[$0.time] }
            return frames.indices.dropLast(2).contains { Self.isTransition(frames[$0], frames[$0 + 1], frames[$0 + 2]) }
        }
    }

    /// The luma of small copies of the frames at these times, where there is one near.
    private func lumas(at instants: [(time: Double, step: Double)]) throws(MediaError) -> [Double: [UInt8]] {
        let instants = instants.sorted { $0.time < $1.time }
        guard let first = instants.first, var found = try finder.picture(at: first.time)?.found else { return [:] }
        var lumas: [Double: [UInt8]] = [:]
        for (time, step) in instants {
            while found.seconds < time - 1e-4, let next = try finder.next() { found = next }
            guard abs(found.seconds - time) <= Self.tolerance * step else { continue }
            lumas[time] = try luma(of: found.frame)
        }
        return lumas
    }

    private func luma(of frame: Frame) throws(MediaError) -> [UInt8] {
        var luma: [UInt8] = []
        try scorer.filter(frame) { (small) throws(MediaError) in
            try small.withPlanes { planes in
                for y in 0..<small.size.height {
                    luma += UnsafeBufferPointer(start: planes[0].row(y), count: small.size.width)
                }
            }
        }
        return luma
    }

    private static func isTransition(_ before: [UInt8]?, _ frame: [UInt8]?, _ after: [UInt8]?) -> Bool {
        guard let before, let frame, let after, before.count == frame.count, after.count == frame.count else {
            return false
        }
        let straight = frame.indices.count { place in
            let (one, middle, other) = (Int(before[place]), Int(frame[place]), Int(after[place]))
            let change = abs(other - one)
            // No further off the mean than a fifth of the way, or than rounding.
            return change >= leastChange && 5 * abs(2 * middle - one - other) <= max(5, 2 * change)
        }
        return Double(straight) >= leastShare * Double(frame.count)
    }
}
