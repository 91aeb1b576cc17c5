public import WayreelCore
public import WayreelStory

/// A walk played by somebody who knows all answers.
public struct Rehearsal: Sendable {
    /// An event that is not found, and the decision that came closest to finding it; nil if the walk was never near.
    public struct Miss: Sendable {
        public var event: Event
        public var closest: FenceDecision?

        public init(event: Event, closest: FenceDecision?) { (self.event, self.closest) = (event, closest) }
    }

    /// The events of the walked chapters that are not found, in the author's order.
    public let misses: [Miss]
    private let story: Story
    private let chapters: [Chapter]

    /// Plays a track. `chapter`: the only chapter that is walked; the contents of others then count as found.
    ///
    /// Throws a `parameter` error if there is no such chapter, the story cannot be played, or a point has no time.
    public init(of track: Track, through story: Story, chapter: String? = nil) throws(MediaError) {
        self.story = story
        chapters = try story.chapters(named: chapter)
        let playback = try Playback(story)
        let done = chapter.map { story.othersDone(than: $0) } ?? JournalContents()
        var replay = Replay(
            playback, state: playback.state(resuming: done), answers: StoryAnswers(solving: story))
        try replay.play(track)
        let found = replay.news.found
        var closest: [String: FenceDecision] = [:]
        for decision in replay.explanation.closest { closest[decision.event] = decision }
        misses = chapters.flatMap(\.events).filter { found[$0.id] == nil }
            .map { Miss(event: $0, closest: closest[$0.id]) }
    }

    /// The whole seconds by which the walk would have to begin later so that the first event at which the player waits
    /// in vain is open; nil if there is none.
    ///
    /// Throws a `parameter` error if a time zone is unknown.
    public func delay() throws(MediaError) -> Double? {
        let waits = misses.compactMap { miss in miss.closest.map { (miss.event, $0) } }.filter { $0.1.isInside }
        for (event, decision) in waits.sorted(by: { $0.1.timestamp < $1.1.timestamp }) {
            guard let opening = try OpeningHours(event).firstMoment(from: decision.timestamp, within: 366 * 86_400),
                opening > decision.timestamp
            else { continue }
            return opening.seconds(since: decision.timestamp).rounded(.up)
        }
        return nil
    }
}

extension StoryAnswers {
    /// The first accepted answer to each lockbox, and all codes.
    init(solving story: Story) {
        self.init()
        for lockbox in story.chapters.flatMap(\.lockboxes) { lockboxes[lockbox.id] = Array(lockbox.answers.prefix(1)) }
        codes = story.chapters.flatMap(\.events).compactMap { $0.activation.codeHash ?? $0.activation.code }
    }
}

extension Story {
    /// Returns a journal in which all other chapters were completed long ago.
    public func othersDone(than chapter: String) -> JournalContents {
        let longAgo = Timestamp.range.lowerBound
        var journal = JournalContents()
        for other in chapters where other.id != chapter {
            for event in other.events { journal.found[event.id] = .init(timestamp: longAgo) }
            for lockbox in other.lockboxes { journal.opened[lockbox.id] = longAgo }
        }
        return journal
    }
}
