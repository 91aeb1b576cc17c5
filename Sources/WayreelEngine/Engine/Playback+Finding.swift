internal import WayreelCore
public import WayreelStory

// Which events can be found, and the consequences of finding them.

extension Playback {
    /// Whether an event may be found, disregarding its window and the lockboxes in `openable`.
    func mayBeFound(_ event: Int, _ facts: PlaybackState.Facts, openable: Range<Int> = 0..<0) -> Bool {
        guard !facts.found.contains(event) else { return false }
        let chapter = chapters[events[event].chapter]
        guard !chapter.isSequence || facts.found.firstMissing(in: chapter.events) == event else { return false }
        return events[event].condition?.mayHold(facts, openable: openable) ?? true
    }

    /// Whether an event may be found now.
    func mayBeFound(_ event: Int, _ facts: PlaybackState.Facts, at timestamp: Timestamp) -> Bool {
        guard mayBeFound(event, facts) else { return false }
        if let window = events[event].window, !windows[window].isOpen(at: timestamp) { return false }
        return events[event].condition?.holds(facts) { windows[$0].isOpen(at: timestamp) } ?? true
    }

    // MARK: Facts

    /// Makes the chapters available that have an event in `candidates` which nothing but its window and the lockboxes of
    /// its chapter may keep from being found.
    private func openChapters(
        of candidates: some Sequence<Int>, _ state: inout PlaybackState, _ report: (PlaybackOutcome.Kind) -> Void
    ) {
        for event in candidates {
            let chapter = events[event].chapter
            guard !state.facts.available.contains(chapter),
                mayBeFound(event, state.facts, openable: chapters[chapter].lockboxes)
            else { continue }
            openChapter(chapter, &state, report)
        }
    }

    private func openChapter(
        _ chapter: Int, _ state: inout PlaybackState, _ report: (PlaybackOutcome.Kind) -> Void
    ) {
        state.facts.available.insert(chapter)
        report(.chapterAvailable(chapter: chapters[chapter].id))
        ask(chapters[chapter], state, report)
    }

    /// Reports the chapters that are available and not done, and their lockboxes, so that a player who resumes a
    /// journal is asked again.
    func begin(_ state: inout PlaybackState, _ report: (PlaybackOutcome.Kind) -> Void) {
        state.hasBegun = true
        for (number, chapter) in chapters.enumerated()
        where state.facts.available.contains(number) && !isDone(chapter, state) {
            report(.chapterAvailable(chapter: chapter.id))
            ask(chapter, state, report)
        }
    }

    /// Marks an event as found.
    func find(_ event: Int, _ state: inout PlaybackState, _ report: (PlaybackOutcome.Kind) -> Void) {
        guard state.facts.found.insert(event) else { return }
        let chapter = chapters[events[event].chapter]
        openChapters(of: waitingForEvent[event], &state, report)
        if chapter.isSequence, let next = state.facts.found.firstMissing(in: chapter.events) {
            openChapters(of: CollectionOfOne(next), &state, report)
        }
        close(chapter, state, report)
    }

    /// Marks a lockbox as opened.
    func open(_ lockbox: Int, _ state: inout PlaybackState, _ report: (PlaybackOutcome.Kind) -> Void) {
        guard state.facts.opened.insert(lockbox) else { return }
        state.wrongAnswers.removeAll { Int($0.lockbox) == lockbox }
        let chapter = lockboxes[lockbox].chapter
        if state.facts.available.contains(chapter) { ask(chapters[chapter], state, report) }
        openChapters(of: waitingForLockbox[lockbox], &state, report)
        close(chapters[chapter], state, report)
    }

    private func ask(_ chapter: ChapterPart, _ state: PlaybackState, _ report: (PlaybackOutcome.Kind) -> Void) {
        guard let next = state.facts.opened.firstMissing(in: chapter.lockboxes) else { return }
        report(.lockboxAsked(lockbox: lockboxes[next].lockbox.id, question: lockboxes[next].lockbox.question.plain))
    }

    private func isDone(_ chapter: ChapterPart, _ state: PlaybackState) -> Bool {
        state.facts.found.containsAll(chapter.events) && state.facts.opened.containsAll(chapter.lockboxes)
    }

    private func close(_ chapter: ChapterPart, _ state: PlaybackState, _ report: (PlaybackOutcome.Kind) -> Void) {
        guard isDone(chapter, state) else { return }
        report(.chapterDone(chapter: chapter.id))
        if isDone(state) { report(.storyDone) }
    }

    // MARK: Queries for views

    /// Whether all events are found and all lockboxes are opened.
    public func isDone(_ state: PlaybackState) -> Bool {
        state.facts.found.containsAll(events.indices) && state.facts.opened.containsAll(lockboxes.indices)
    }

    /// The available chapters, in the author's order.
    public func availableChapters(_ state: PlaybackState) -> [String] {
        chapters.indices.filter { state.facts.available.contains($0) }.map { chapters[$0].id }
    }

    /// The lockboxes that are asked now: at most one per available chapter.
    public func askedLockboxes(_ state: PlaybackState) -> [Lockbox] {
        chapters.indices.filter { state.facts.available.contains($0) }
            .compactMap { state.facts.opened.firstMissing(in: chapters[$0].lockboxes) }.map { lockboxes[$0].lockbox }
    }

    /// The events that may be found, disregarding windows, in the author's order.
    public func openEvents(_ state: PlaybackState) -> [String] {
        events.indices.filter { mayBeFound($0, state.facts) }.map { events[$0].id }
    }

    // MARK: Resuming

    /// Returns the state of a player with the given journal, or of a new player if it is empty.
    ///
    /// Chapters become available in the order of the journal's times. Journal entries that the story does not know
    /// are ignored. The path to the first fix is unknown, and that fix is distrusted.
    public func state(resuming journal: JournalContents = JournalContents()) -> PlaybackState {
        var state = PlaybackState()
        for (number, chapter) in chapters.enumerated() {
            if chapter.events.isEmpty { openChapter(number, &state) { _ in } }
            openChapters(of: chapter.events, &state) { _ in }
        }
        for fact in facts(of: journal) {
            switch fact.kind {
            case .found(let event): find(event, &state) { _ in }
            case .opened(let lockbox): open(lockbox, &state) { _ in }
            }
        }
        for attempt in journal.attempts {
            guard let lockbox = lockboxNumbers[attempt.lockbox], !state.facts.opened.contains(lockbox),
                !lockboxes[lockbox].answers.contains(attempt.text.asAnswer)
            else { continue }
            _ = state.countWrongAnswer(lockbox)
        }
        state.answered = journal.scores.keys.compactMap { question in
            guard let event = eventNumbers[question.event], events[event].questions.indices.contains(question.index)
            else { return nil }
            return PlaybackState.AnsweredQuestion(event: Int32(event), question: Int32(question.index))
        }.sorted()
        return state
    }

    private struct Fact: Comparable {
        enum Kind: Comparable {
            case found(Int), opened(Int)
        }

        var timestamp: Timestamp
        var kind: Kind

        static func < (a: Fact, b: Fact) -> Bool { (a.timestamp, a.kind) < (b.timestamp, b.kind) }
    }

    private func facts(of journal: JournalContents) -> [Fact] {
        let found = journal.found.compactMap { id, finding in
            eventNumbers[id.text].map { Fact(timestamp: finding.timestamp, kind: .found($0)) }
        }
        let opened = journal.opened.compactMap { id, timestamp in
            lockboxNumbers[id.text].map { Fact(timestamp: timestamp, kind: .opened($0)) }
        }
        return (found + opened).sorted()
    }
}
