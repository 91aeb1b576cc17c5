internal import WayreelAV
internal import WayreelCore

/// Looks for the picture that stands best for a video.
///
/// First among key frames all over it, which costs one picture each; where there are too few of them, or none with anything to
/// see, among the pictures as they come, up to a number that does not depend on how fast the machine is.
struct PosterSearch {
    let finder: PictureFinder
    /// The part of the video that it may be from.
    var range = TimeRange()
    let watch: TaskWatch

    /// Key frames that are looked at.
    private static let keyFrames = 20
    /// Usable ones that are enough.
    private static let enough = 6
    /// Pixels decoded in a walk at most: those of some 1500 pictures of 1920 × 1080.
    private static let walkPixels = 3_000_000_000
    /// Pixels of the pictures that a walk keeps at most, and how many they are.
    private static let keptPixels = 48_000_000
    private static let kept = 4...24

    /// Candidates that are looked at for whether they are within a transition.
    private static let checks = 8
    /// Seconds around a frame within a transition in which no other is looked at.
    private static let transition = 0.5

    private struct Candidate {
        var seconds: Double
        var merit: PictureMerit
        var isDamaged: Bool
        var picture: Image

        enum Image {
            case kept(Frame)
            /// To be decoded again: the key frame before so many seconds.
            case keyFrame(before: Double)
        }

        /// Whether the frames before it were decoded as well.
        var isKept: Bool { if case .kept = picture { true } else { false } }
    }

    /// Throws a `decoding` error where no picture can be decoded.
    func best() throws(MediaError) -> PictureFinder.Found {
        if finder.stream.kind == .cover, let cover = try finder.next() { return cover }
        let scorer = try FilterGraph(PictureMerit.chain, timeBase: 1, watch: watch)
        var candidates = try keyFrames(scorer)
        if candidates.count(where: \.merit.isUsable) < Self.enough {
            if finder.isSeekable { try finder.rewind() }
            if range.start > 0, finder.isSeekable { _ = try finder.picture(at: range.start) }
            let walked = try walk(scorer)
            // What a walk did not get to is known by key frames only.
            let end = walked.last?.seconds ?? -.infinity
            candidates = walked + candidates.filter { $0.seconds > end }
        }
        let whole = candidates.filter { !$0.isDamaged }
        if whole.contains(where: \.merit.isUsable) { candidates = whole }
        if let best = try steady(of: candidates, scorer), let found = try found(best) { return found }
        if range.start > 0, let found = try finder.picture(at: range.start)?.found { return found }
        throw MediaError(
            .decoding, step: "decode", subject: finder.file.name, reason: "no picture in it can be decoded",
            advice: "send the whole file, from its first key frame on")
    }

    /// The best that is not within a dissolve or a fade; where none of those that are looked at is, the best.
    private func steady(of candidates: [Candidate], _ scorer: FilterGraph) throws(MediaError) -> Candidate? {
        let check = TransitionCheck(finder: finder, range: range, scorer: scorer)
        var (left, best): ([Candidate], Candidate?) = (candidates, nil)
        for _ in 0..<Self.checks {
            guard let place = PictureMerit.best(of: left.map(\.merit)) else { break }
            let candidate = left[place]
            best = best ?? candidate
            guard left.count > 1, candidate.merit.isUsable else { break }
            guard try check.isWithinTransition(at: candidate.seconds, looksBack: candidate.isKept) else {
                return candidate
            }
            left.removeAll { abs($0.seconds - candidate.seconds) < Self.transition }
        }
        return best
    }

    private func found(_ candidate: Candidate) throws(MediaError) -> PictureFinder.Found? {
        switch candidate.picture {
        case .kept(let frame): PictureFinder.Found(seconds: candidate.seconds, frame: frame)
        case .keyFrame(let instant): try finder.keyFrame(before: instant)?.found
        }
    }

    private func keyFrames(_ scorer: FilterGraph) throws(MediaError) -> [Candidate] {
        guard finder.isSeekable, let seconds = range.length(in: finder.seconds), seconds > 0 else { return [] }
        var candidates: [Candidate] = []
        var last: PictureFinder.KeyTime?
        for place in 0..<Self.keyFrames {
            let instant = range.start + seconds * (Double(place) + 0.5) / Double(Self.keyFrames)
            guard let (found, time) = try finder.keyFrame(before: instant, otherThan: last),
                found.seconds >= range.start
            else { continue }
            last = time
            guard let merit = try merit(of: found.frame, scorer) else { continue }
            candidates.append(
                Candidate(
                    seconds: found.seconds, merit: merit, isDamaged: found.frame.isDamaged,
                    picture: .keyFrame(before: instant)))
        }
        return candidates
    }

    /// Takes pictures at a distance that doubles whenever there are too many of them.
    private func walk(_ scorer: FilterGraph) throws(MediaError) -> [Candidate] {
        let pixels = max(1, finder.stream.picture?.size.pixels ?? 1)
        let room = min(max(Self.keptPixels / pixels, Self.kept.lowerBound), Self.kept.upperBound)
        var interval = range.length(in: finder.seconds).map { $0 / Double(room) } ?? 0.25
        var candidates: [Candidate] = []
        var next = range.start > 0 ? range.start - 0.001 : -Double.infinity
        let begin = finder.pixelCount
        while finder.pixelCount - begin < Self.walkPixels, let found = try finder.next() {
            if let end = range.end, found.seconds >= end { break }
            guard found.seconds >= next, let merit = try merit(of: found.frame, scorer) else { continue }
            next = found.seconds + interval
            candidates.append(
                Candidate(
                    seconds: found.seconds, merit: merit, isDamaged: found.frame.isDamaged, picture: .kept(found.frame))
            )
            guard candidates.count > room else { continue }
            let usable = candidates.filter(\.merit.isUsable)
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

    private func merit(of frame: Frame, _ scorer: FilterGraph) throws(MediaError) -> PictureMerit? {
        var merit: PictureMerit?
        try scorer.filter(frame) { (small) throws(MediaError) in merit = try PictureMerit(small) }
        return merit
    }
}
