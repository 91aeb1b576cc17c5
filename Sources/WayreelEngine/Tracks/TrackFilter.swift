internal import WayreelStory

/// Decides which points are part of a track's path, by the rules for fixes.
struct TrackFilter {
    enum Judgement { case part, anew, outlier }

    private var filter = FixFilter()
    private var rules = FenceRules()
    private var wasOutlier = false

    /// Returns nil for a track with points without a time, in which jumps cannot be detected.
    init?(_ track: Track) {
        var fixes: [Fix] = []
        for point in track.points {
            guard let fix = Self.fix(point) else { return nil }
            if fixes.count < 2 { fixes.append(fix) }
        }
        // The first fix is part of the path if the second one can be reached from it.
        rules.distrustedFixes = 0
        var trial = FixFilter()
        if !fixes.allSatisfy({ trial.judge($0, rules).verdict.isUsed }) { rules.distrustedFixes = 1 }
    }

    mutating func lose() { filter.lose() }

    mutating func judge(_ point: Track.Point) -> Judgement {
        guard let fix = Self.fix(point) else { return .outlier }
        let judgement = filter.judge(fix, rules)
        defer { wasOutlier = !judgement.verdict.isUsed }
        guard judgement.verdict.isUsed else { return .outlier }
        return judgement.startsAnew && wasOutlier ? .anew : .part
    }

    private static func fix(_ point: Track.Point) -> Fix? {
        point.timestamp.map {
            Fix(point.position, accuracy: point.accuracy, speed: point.speed, course: point.course, timestamp: $0)
        }
    }
}

extension Track {
    /// The track without the points that no ``Playback`` would use, such as jumps. Where the position before them was
    /// the wrong one, a new segment begins. A track without times is unchanged, as is one of which less than half would
    /// be left.
    public var withoutUnusedPoints: Track {
        guard var filter = TrackFilter(self) else { return self }
        var kept = self
        kept.segments = []
        for segment in segments {
            kept.segments.append([])
            for point in segment {
                switch filter.judge(point) {
                case .outlier: continue
                case .anew: kept.segments.append([point])
                case .part: kept.segments[kept.segments.count - 1].append(point)
                }
            }
            filter.lose()
        }
        return kept.points.count * 2 < points.count ? self : kept
    }
}
