internal import WayreelAV
internal import WayreelCore

/// Looks for the picture that stands best for a video.
///
/// First among key frames all over it, which costs one picture each; where there are too few of them, or none with anything to
/// see, among the pictures as they come, up to a number that does not depend on how fast the machine is.
struct PosterSearch {
    let finder: PictureFinder
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

    private struct Candidate {
        var found: PictureFinder.Found
        var merit: PictureMerit
        /// From which the finder makes it again; nil where the frame is kept.
        var origin: Double?
    }

    /// Throws a `decoding` error where no picture can be decoded.
    func best() throws(MediaError) -> PictureFinder.Found {
        if finder.stream.kind == .cover, let cover = try finder.next() { return cover }
        let scorer = try FilterGraph(PictureMerit.chain, timeBase: 1, watch: watch)
        var candidates = try keyFrames(scorer)
        if candidates.count(where: \.merit.isUsable) < Self.enough {
            if !candidates.isEmpty { _ = finder.rewind() }
            let walked = try walk(scorer)
            // What a walk did not get to is known by key frames only.
            let end = walked.last?.found.seconds ?? -.infinity
            candidates = walked + candidates.filter { $0.found.seconds > end }
        }
        let sound = candidates.filter { !$0.found.frame.isDamaged }
        if !sound.isEmpty { candidates = sound }
        guard let index = PictureMerit.best(of: candidates.map(\.merit)) else {
            throw MediaError(
                .decoding, step: "decode", subject: finder.file.name, reason: "no picture in it can be decoded",
                advice: "send the whole file, from its first key frame on")
        }
        guard let origin = candidates[index].origin else { return candidates[index].found }
        return try finder.keyFrame(before: origin) ?? candidates[index].found
    }

    private func keyFrames(_ scorer: FilterGraph) throws(MediaError) -> [Candidate] {
        guard finder.isSeekable, let seconds = finder.seconds, seconds > 0 else { return [] }
        var candidates: [Candidate] = []
        for place in 0..<Self.keyFrames {
            let instant = seconds * (Double(place) + 0.5) / Double(Self.keyFrames)
            guard let found = try finder.keyFrame(before: instant) else { continue }
            if let last = candidates.last, found.seconds <= last.found.seconds { continue }
            guard let merit = try merit(of: found.frame, scorer) else { continue }
            candidates.append(Candidate(found: found, merit: merit, origin: instant))
        }
        return candidates
    }

    /// Takes pictures at a distance that doubles whenever there are too many of them.
    private func walk(_ scorer: FilterGraph) throws(MediaError) -> [Candidate] {
        let pixels = max(1, finder.stream.picture?.size.pixels ?? 1)
        let room = min(max(Self.keptPixels / pixels, Self.kept.lowerBound), Self.kept.upperBound)
        var interval = finder.seconds.map { $0 / Double(room) } ?? 0.25
        var candidates: [Candidate] = []
        var next = -Double.infinity
        let begin = finder.pixelCount
        while finder.pixelCount - begin < Self.walkPixels, let found = try finder.next() {
            guard found.seconds >= next, let merit = try merit(of: found.frame, scorer) else { continue }
            next = found.seconds + interval
            candidates.append(Candidate(found: found, merit: merit, origin: nil))
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
