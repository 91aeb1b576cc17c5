internal import WayreelCore

/// The qualities of an HLS delivery: Apple's, as far as a source reaches.
struct Ladder {
    /// What a rung becomes for a source.
    struct Step: Hashable, Sendable {
        var size: PixelSize
        /// Bits per second on average.
        var bitRate: Int
    }

    /// Of pictures at 16:9 and 30 a second (HLS Authoring Specification for Apple Devices, 1.29 and 1.30). Of several rates for
    /// one size the higher.
    private static let apple: [VideoCodec: [LadderRung]] = [
        .h264: [
            rung(416, 234, 145), rung(640, 360, 365), rung(768, 432, 1100), rung(960, 540, 2000), rung(1280, 720, 4500),
            rung(1920, 1080, 7800),
        ],
        .hevc: newer, .av1: newer,
    ]

    /// The specification has none for AV1, which needs no more than HEVC.
    private static let newer = [
        rung(640, 360, 145), rung(768, 432, 300), rung(960, 540, 900), rung(1280, 720, 2400), rung(1920, 1080, 4500),
    ]

    private static func rung(_ width: Int, _ height: Int, _ kilobits: Int) -> LadderRung {
        LadderRung(box: PixelSize(width: width, height: height), bitRate: kilobits * 1000)
    }

    /// What a player that knows nothing of its network begins with, in bits per second.
    private static let first = 2_000_000.0
    /// A source that has more pixels than this many times those of its highest rung gets one of its own.
    private static let worthItsOwn = 1.2
    /// Below it there is nothing to be seen.
    private static let leastBitRate = 50_000
    /// Two neighbours are at least so far apart in their bit rates.
    private static let distance = 1.3

    /// Of a source that is `size` as delivered and has `bitRate` bits per second of H.264's worth, the first variant first.
    static func steps(
        _ codec: VideoCodec, size: PixelSize, bitRate: Int?, asked: [LadderRung]?
    ) -> [Step] {
        let rungs = asked ?? apple[codec] ?? []
        var steps = rungs.filter { $0.fits(size) }.map {
            Step(size: FrameGeometry.fitted(size, into: $0.box), bitRate: $0.bitRate)
        }
        let above = rungs.first { !$0.fits(size) }
        let highest = steps.map(\.size.pixels).max() ?? 0
        if let above, Double(size.pixels) > Double(highest) * (asked == nil ? worthItsOwn : 1) {
            let share = min(1, Double(size.pixels) / Double(max(1, above.box.pixels)))
            let bitRate = Int((Double(above.bitRate) * share).rounded())
            steps.append(Step(size: size, bitRate: max(bitRate, steps.last?.bitRate ?? 0, leastBitRate)))
        }
        if let bitRate, asked == nil { steps = capped(steps, at: max(bitRate, leastBitRate)) }
        return ordered(steps)
    }

    /// No step gets more than the source has; of those that would be alike the larger stays.
    private static func capped(_ steps: [Step], at bitRate: Int) -> [Step] {
        var kept: [Step] = []
        for step in steps.reversed() {
            let step = Step(size: step.size, bitRate: min(step.bitRate, bitRate))
            if let above = kept.last, Double(step.bitRate) * distance > Double(above.bitRate) { continue }
            kept.append(step)
        }
        return kept.reversed()
    }

    /// The one to begin with in front, the others from low to high.
    private static func ordered(_ steps: [Step]) -> [Step] {
        var sorted = Set(steps).sorted { ($0.bitRate, $0.size.pixels) < ($1.bitRate, $1.size.pixels) }
        let ratio = { (step: Step) in max(Double(step.bitRate) / first, first / Double(step.bitRate)) }
        guard let start = sorted.indices.min(by: { ratio(sorted[$0]) < ratio(sorted[$1]) }) else { return [] }
        let beginning = sorted.remove(at: start)
        return [beginning] + sorted
    }
}

extension LadderRung {
    /// Whether pictures of `size` fill the box, turned to them, in at least one direction.
    fileprivate func fits(_ size: PixelSize) -> Bool {
        let box = size.isPortrait == self.box.isPortrait ? self.box : self.box.turned
        return size.width >= box.width & ~1 || size.height >= box.height & ~1
    }
}
