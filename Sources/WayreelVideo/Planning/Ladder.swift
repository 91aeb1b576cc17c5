internal import WayreelCore

/// The renditions of an HLS package: Apple's ladder up to the size of the source, or a ladder of the options.
struct Ladder {
    /// A rung of the ladder, adapted to a source.
    struct Step: Hashable, Sendable {
        var size: PixelSize
        /// The average bit rate in bits per second.
        var bitRate: Int
    }

    /// The ladders for frames at 16:9 and 30 frames a second (HLS Authoring Specification for Apple Devices, 1.29 and
    /// 1.30). If there are several rates for one size, the highest is used.
    private static let apple: [VideoCodec: [LadderRung]] = [
        .h264: [
            rung(416, 234, 145), rung(640, 360, 365), rung(768, 432, 1100), rung(960, 540, 2000), rung(1280, 720, 4500),
            rung(1920, 1080, 7800),
        ],
        .hevc: newer, .av1: newer,
    ]

    /// The specification has no ladder for AV1, which needs at most the bit rates of HEVC.
    private static let newer = [
        rung(640, 360, 145), rung(768, 432, 300), rung(960, 540, 900), rung(1280, 720, 2400), rung(1920, 1080, 4500),
    ]

    private static func rung(_ width: Int, _ height: Int, _ kilobits: Int) -> LadderRung {
        LadderRung(box: PixelSize(width: width, height: height), bitRate: kilobits * 1000)
    }

    /// The bit rate for a player that starts without knowledge of its network.
    private static let firstBitRate = 2_000_000.0
    /// A source gets its own rung if it has at least this many times the pixels of the highest rung.
    private static let minGain = 1.2
    private static let minBitRate = 50_000
    /// The minimum ratio of the bit rates of adjacent rungs.
    private static let minRatio = 1.3

    /// Returns the ladder of a source that is delivered at `size`, the first variant first. `bitRate`: the bit rate
    /// at which the output codec preserves the source's quality.
    static func steps(
        _ codec: VideoCodec, size: PixelSize, bitRate: Int?, requested: [LadderRung]?
    ) -> [Step] {
        let rungs = (requested ?? apple[codec] ?? []).sorted {
            ($0.box.pixels, $0.bitRate) < ($1.box.pixels, $1.bitRate)
        }
        var steps = rungs.filter { $0.fits(size) }.map {
            Step(size: FrameGeometry.fitted(size, into: $0.box), bitRate: $0.bitRate)
        }
        let above = rungs.first { !$0.fits(size) }
        let highest = steps.map(\.size.pixels).max() ?? 0
        if let above, Double(size.pixels) > Double(highest) * (requested == nil ? minGain : 1) {
            let share = min(1, Double(size.pixels) / Double(max(1, above.box.pixels)))
            let bitRate = Int((Double(above.bitRate) * share).rounded())
            steps.append(Step(size: size, bitRate: max(bitRate, steps.last?.bitRate ?? 0, minBitRate)))
        }
        if let bitRate, requested == nil { steps = capped(steps, at: max(bitRate, minBitRate)) }
        return ordered(steps)
    }

    /// Caps all steps at the bit rate of the source. If steps have similar bit rates, the larger one is kept.
    private static func capped(_ steps: [Step], at bitRate: Int) -> [Step] {
        var kept: [Step] = []
        for step in steps.reversed() {
            let step = Step(size: step.size, bitRate: min(step.bitRate, bitRate))
            if let above = kept.last, Double(step.bitRate) * minRatio > Double(above.bitRate) { continue }
            kept.append(step)
        }
        return kept.reversed()
    }

    /// Returns the step to begin with, followed by the others from low to high.
    private static func ordered(_ steps: [Step]) -> [Step] {
        var sorted = Set(steps).sorted { ($0.bitRate, $0.size.pixels) < ($1.bitRate, $1.size.pixels) }
        let ratio = { (step: Step) in max(Double(step.bitRate) / firstBitRate, firstBitRate / Double(step.bitRate)) }
        guard let start = sorted.indices.min(by: { ratio(sorted[$0]) < ratio(sorted[$1]) }) else { return [] }
        let beginning = sorted.remove(at: start)
        return [beginning] + sorted
    }
}

extension LadderRung {
    /// Whether frames of `size` fill the box, rotated to their orientation, in at least one direction.
    fileprivate func fits(_ size: PixelSize) -> Bool {
        let box = size.isPortrait == self.box.isPortrait ? self.box : self.box.turned
        return size.width >= box.width & ~1 || size.height >= box.height & ~1
    }
}
