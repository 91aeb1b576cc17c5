internal import Wayreel
internal import WayreelCLI

/// The results of a replay, for people and programs.
struct PlayReport {
    let story: Story
    let outcomes: [PlaybackOutcome]
    let decisions: [FenceDecision]
    /// The events that were not found, in the author's order.
    let misses: [Rehearsal.Miss]
    let journal: JournalContents
    let fixes: Int
    /// The unused fixes that are not later than the one before.
    let backwardFixes: Int
    /// Whether lockboxes or quizzes were asked, and there were no answers.
    let isUnanswered: Bool
    /// The time of the first fix.
    let start: Timestamp?
    let usedChapters: [Chapter]

    /// Creates a report. `start`: the time of the first fix. `only`: the chapter that was played.
    init(_ story: Story, _ replay: Replay, _ journal: JournalContents, from start: Timestamp?, only chapter: String?) {
        self.story = story
        let chapters = story.chapters.filter { chapter == nil || $0.id == chapter }
        outcomes = chapter == nil ? replay.outcomes : replay.outcomes.filter { $0.isOf(chapters) }
        decisions = replay.explanation.decisions
        var closest: [String: FenceDecision] = [:]
        for decision in replay.explanation.closest { closest[decision.event] = decision }
        misses = chapters.flatMap(\.events).filter { journal.found[$0.id] == nil }
            .map { Rehearsal.Miss(event: $0, closest: closest[$0.id]) }
        self.journal = journal
        usedChapters = chapters
        fixes = replay.fixes
        backwardFixes = replay.explanation.backwardFixes
        let quizzes = story.chapters.flatMap(\.events).filter { if case .quiz = $0.content { true } else { false } }
        isUnanswered =
            replay.answers == StoryAnswers()
            && outcomes.contains { outcome in
                switch outcome.kind {
                case .lockboxAsked: true
                case .found(let event, _): quizzes.contains { $0.id == event }
                default: false
                }
            }
        self.start = start
    }

    /// The misses that came closest to being found, in the author's order.
    func nearestMisses(_ count: Int) -> [Rehearsal.Miss] {
        func rank(_ index: Int) -> (Int, Double, Int) {
            guard let closest = misses[index].closest else { return (1, 0, index) }
            return (-closest.stage.rawValue, closest.closest - closest.radius, index)
        }
        let order = misses.indices.sorted { rank($0) < rank($1) }
        return order.prefix(count).sorted().map { misses[$0] }
    }

    var events: [Event] { usedChapters.flatMap(\.events) }
    var lockboxes: [Lockbox] { usedChapters.flatMap(\.lockboxes) }
}

extension PlaybackOutcome {
    fileprivate func isOf(_ chapters: [Chapter]) -> Bool {
        switch kind {
        case .chapterAvailable(let id), .chapterDone(let id): chapters.contains { $0.id == id }
        case .storyDone: false
        default: true
        }
    }
}

extension PlayReport: Encodable {
    private enum Key: String, CodingKey {
        case story, fixes, outcomes, misses, explanation, journal
    }

    private struct MissEntry: Encodable {
        var event: String
        var timestamp: Timestamp?
        var closest: Double?
        var radius: Double
        var inside: Bool?
        var blockers: [String]
    }

    private struct DecisionEntry: Encodable {
        var timestamp: Timestamp
        var fix: String
        var distance: Double?
        var closest: Double?
        var accuracy: Double
        var votes: Int
        var inside: Bool
        var found: Bool
        var blockers: [String]
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(story.id, forKey: .story)
        try container.encode(fixes, forKey: .fixes)
        try container.encode(outcomes, forKey: .outcomes)
        try container.encode(
            misses.map { miss in
                MissEntry(
                    event: miss.event.id, timestamp: miss.closest?.timestamp,
                    closest: miss.closest?.closest.toCentimetre,
                    radius: miss.event.activation.radius, inside: miss.closest?.isInside,
                    blockers: miss.closest?.blockers.map(\.description) ?? [])
            }, forKey: .misses)
        if !decisions.isEmpty {
            try container.encode(
                decisions.map { decision in
                    DecisionEntry(
                        timestamp: decision.timestamp, fix: decision.verdict.text,
                        distance: decision.distance.isFinite ? decision.distance.toCentimetre : nil,
                        closest: decision.closest.isFinite ? decision.closest.toCentimetre : nil,
                        accuracy: decision.accuracy, votes: decision.votes, inside: decision.isInside,
                        found: decision.isFound, blockers: decision.blockers.map(\.description))
                }, forKey: .explanation)
        }
        try container.encode(JournalDocument(story: story.id, contents: journal), forKey: .journal)
    }
}

extension Double {
    fileprivate var toCentimetre: Double { (self * 100).rounded() / 100 }
}

extension FixVerdict {
    /// The verdict as a report prints it.
    var text: String {
        switch self {
        case .used(path: true): "used"
        case .used(path: false): "used; its path is unknown"
        case .distrusted: "not used: the first"
        case .unusable(let reason): "not used: \(reason)"
        case .inaccurate(let metres): "not used: accuracy \(metres.rounded().shortDescription) m"
        case .backwards: "not used: its time is not later"
        case .jump(let speed): "not used: a jump of \(speed.rounded().shortDescription) m/s"
        }
    }
}
