internal import WayreelAV
internal import WayreelCore

/// Finds the most representative frame of a video.
///
/// It scores keyframes at even distances, which costs one decoded frame each. If there are too few, or none is
/// usable, it reads the frames in order, up to a number that does not depend on the machine's speed.
struct PosterSearch {
    let finder: FrameFinder
    /// The part of the video from which the frame may be taken.
    var range = TimeRange()
    let task: TaskContext

    /// The number of keyframes that are scored.
    private static let keyFrames = 20
    /// The number of usable keyframes that suffice.
    private static let enough = 6
    /// The maximum number of pixels decoded in a walk: about 1500 frames of 1920 × 1080.
    private static let maxWalkPixels = 3_000_000_000
    /// The maximum number of pixels that a walk keeps, and the number of frames.
    private static let maxKeptPixels = 48_000_000
    private static let kept = 4...24

    /// The number of candidates that are checked for transitions.
    private static let checks = 8
    /// Seconds around a frame within a transition in which other candidates are skipped.
    private static let transition = 0.5

    private struct Candidate {
        var seconds: Double
        var score: FrameScore
        var isDamaged: Bool
        var storage: Storage

        enum Storage {
            case kept(Frame)
            /// The keyframe before a time in seconds, which is decoded again.
            case keyFrame(before: Double)
        }

        /// Whether the previous frames were decoded as well.
        var isKept: Bool { if case .kept = storage { true } else { false } }
    }

    /// Throws a `decoding` error if no frame can be decoded.
    func best() throws(MediaError) -> FrameFinder.Found {
        if finder.stream.kind == .cover, let cover = try finder.next() { return cover }
        let scorer = try FilterGraph(FrameScore.chain, timeBase: 1, task: task)
        var candidates = try finder.forScores { () throws(MediaError) in try keyFrames(scorer) }
        if candidates.count(where: \.score.isUsable) < Self.enough {
            if finder.isSeekable { try finder.rewind() }
            if range.start > 0, finder.isSeekable { _ = try finder.frame(at: range.start) }
            let walked = try walk(scorer)
            // After the end of the walk there are only keyframes.
            let end = walked.last?.seconds ?? -.infinity
            candidates = walked + candidates.filter { $0.seconds > end }
        }
        let whole = candidates.filter { !$0.isDamaged }
        if whole.contains(where: \.score.isUsable) { candidates = whole }
        if let best = try steady(of: candidates, scorer), let found = try found(best) { return found }
        if range.start > 0, let found = try finder.frame(at: range.start)?.found { return found }
        throw MediaError.undecodable().naming(finder.file.name)
    }

    /// Returns the best candidate outside of dissolves and fades, or the best one if all checked candidates are
    /// within.
    private func steady(of candidates: [Candidate], _ scorer: FilterGraph) throws(MediaError) -> Candidate? {
        let check = TransitionCheck(finder: finder, range: range, scorer: scorer)
        var (left, best): ([Candidate], Candidate?) = (candidates, nil)
        for _ in 0..<Self.checks {
            guard let index = FrameScore.best(of: left.map(\.score)) else { break }
            let candidate = left[index]
            best = best ?? candidate
            guard left.count > 1, candidate.score.isUsable else { break }
            let isWithinTransition = try finder.forScores { () throws(MediaError) in
                try check.isWithinTransition(at: candidate.seconds, looksBack: candidate.isKept)
            }
            guard isWithinTransition else { return candidate }
            left.removeAll { abs($0.seconds - candidate.seconds) < Self.transition }
        }
        return best
    }

    private func found(_ candidate: Candidate) throws(MediaError) -> FrameFinder.Found? {
        switch candidate.storage {
        case .kept(let frame): FrameFinder.Found(seconds: candidate.seconds, frame: frame)
        case .keyFrame(let time): try finder.keyFrame(before: time)?.found
        }
    }

    private func keyFrames(_ scorer: FilterGraph) throws(MediaError) -> [Candidate] {
        guard finder.isSeekable, let seconds = range.length(in: finder.seconds), seconds > 0 else { return [] }
        var candidates: [Candidate] = []
        var last: FrameReader.KeyFrameTime?
        for index in 0..<Self.keyFrames {
            let time = range.start + seconds * (Double(index) + 0.5) / Double(Self.keyFrames)
            guard let (found, identity) = try finder.keyFrame(before: time, otherThan: last),
                found.seconds >= range.start
            else { continue }
            last = identity
            guard let score = try score(of: found.frame, scorer) else { continue }
            candidates.append(
                Candidate(
                    seconds: found.seconds, score: score, isDamaged: found.frame.isDamaged,
                    storage: .keyFrame(before: time)))
        }
        return candidates
    }

    /// Scores frames at a distance that is doubled whenever there are too many of them.
    private func walk(_ scorer: FilterGraph) throws(MediaError) -> [Candidate] {
        let pixels = max(1, finder.stream.videoProperties?.size.pixels ?? 1)
        let room = min(max(Self.maxKeptPixels / pixels, Self.kept.lowerBound), Self.kept.upperBound)
        var interval = range.length(in: finder.seconds).map { $0 / Double(room) } ?? 0.25
        var candidates: [Candidate] = []
        var next = range.start > 0 ? range.start - 0.001 : -Double.infinity
        let begin = finder.pixelCount
        while finder.pixelCount - begin < Self.maxWalkPixels, let found = try finder.next() {
            if let end = range.end, found.seconds >= end { break }
            guard found.seconds >= next, let score = try score(of: found.frame, scorer) else { continue }
            next = found.seconds + interval
            candidates.append(
                Candidate(
                    seconds: found.seconds, score: score, isDamaged: found.frame.isDamaged, storage: .kept(found.frame))
            )
            guard candidates.count > room else { continue }
            let usable = candidates.filter(\.score.isUsable)
            if usable.isEmpty || usable.count > room {
                let all = usable.isEmpty ? candidates : usable
                candidates = all.indices.filter { $0 % 2 == 0 }.map { all[$0] }
                interval *= 2
            } else {
                candidates = usable
            }
        }
        return candidates
    }

    private func score(of frame: Frame, _ scorer: FilterGraph) throws(MediaError) -> FrameScore? {
        try scorer.send(frame)
        return try scorer.next().map { (small) throws(MediaError) in try FrameScore(small) }
    }
}
