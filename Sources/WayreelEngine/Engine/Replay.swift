public import WayreelCore
internal import WayreelStory

/// Replays a walk: its fixes, and the player's answers to questions.
///
///     var replay = Replay(playback, answers: answers)
///     try replay.play(Track.read(path: "walk.gpx"))
///     for outcome in replay.outcomes { … }
public struct Replay: Sendable {
    public let playback: Playback
    public let answers: StoryAnswers
    public private(set) var state: PlaybackState
    public private(set) var outcomes: [PlaybackOutcome] = []
    /// Everything that was found and done in this replay, without the previous contents of the journal.
    public private(set) var news = JournalContents()
    public var explanation: Explanation
    /// The number of fixes so far, used or not.
    public private(set) var fixes = 0
    /// The numbers of the fixes that were not used, counted from 0.
    public private(set) var unusedFixes: Set<Int> = []
    /// The codes that were not entered yet.
    private var codes: [String]

    /// Creates a replay. `state`: nil for a new player. `explaining`: an event for which every fix is explained.
    public init(
        _ playback: Playback, state: PlaybackState? = nil, answers: StoryAnswers = StoryAnswers(),
        explaining event: String? = nil
    ) {
        self.playback = playback
        self.answers = answers
        codes = answers.codes
        self.state = state ?? playback.state()
        explanation = Explanation(of: event)
    }

    /// Plays all points of a track in order. The signal is lost between its segments.
    ///
    /// Throws a `parameter` error if a point has no time.
    public mutating func play(_ track: Track) throws(MediaError) {
        let points = track.points
        if let first = points.firstIndex(where: { $0.timestamp == nil }) {
            let count = points.count { $0.timestamp == nil }
            let more = count > 1 ? ", as \(count) of all \(points.count)" : ""
            throw MediaError(
                .parameter, step: .play, subject: track.name, reason: "point \(first + 1) has no time\(more)",
                advice: "give a track that was recorded, or give it times with 'wayreel walk --track'")
        }
        for segment in track.segments {
            for point in segment {
                guard let timestamp = point.timestamp else { continue }
                play(
                    .fix(
                        Fix(
                            point.position, accuracy: point.accuracy, speed: point.speed, course: point.course,
                            timestamp: timestamp)))
            }
            if let last = segment.last?.timestamp { play(.signalLost(last)) }
        }
    }

    /// Plays one input, and answers the questions that are asked.
    @discardableResult
    public mutating func play(_ input: PlaybackInput) -> ArraySlice<PlaybackOutcome> {
        let start = outcomes.count
        let ignored = explanation.ignoredFixes
        apply(input)
        if case .fix = input {
            if explanation.ignoredFixes > ignored { unusedFixes.insert(fixes) }
            fixes += 1
        }
        enterCodes(at: input.timestamp)
        var next = start
        while next < outcomes.count {
            switch outcomes[next].kind {
            case .lockboxAsked(let lockbox, _): answer(lockbox, at: input.timestamp)
            case .found(let event, _):
                for (question, choices) in (answers.quizzes[event] ?? []).enumerated() {
                    apply(
                        .quizAnswer(event: event, question: question, choices: choices, timestamp: input.timestamp))
                }
            default: break
            }
            next += 1
        }
        return outcomes[start...]
    }

    /// Enters the codes of the events at which the player is, once these may be found.
    private mutating func enterCodes(at timestamp: Timestamp) {
        for code in codes {
            guard let event = playback.event(ofCode: code), playback.isAt(event, state) else { continue }
            let input = PlaybackInput.code(text: code, timestamp: timestamp)
            guard playback.refusal(of: input, state) == nil else { continue }
            apply(input)
            codes.removeAll { $0 == code }
        }
    }

    private mutating func answer(_ lockbox: String, at timestamp: Timestamp) {
        for text in answers.lockboxes[lockbox] ?? [] {
            apply(.answer(lockbox: lockbox, text: text, timestamp: timestamp))
        }
    }

    private mutating func apply(_ input: PlaybackInput) {
        let brought = playback.step(input, &state, explaining: &explanation)
        for outcome in brought { news.add(outcome) }
        outcomes += brought
    }
}
