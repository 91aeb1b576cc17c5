public import WayreelStory

/// A consequence of a ``PlaybackInput``, for a view to show and a journal to record.
public struct PlaybackOutcome: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// At least one event of the chapter may be found now, disregarding windows and the chapter's own lockboxes.
        /// The first input also brings the chapters that a resumed journal made available and that are not done.
        case chapterAvailable(chapter: String)
        /// An event that may be found is near, `distance` metres from its position.
        case near(event: String, distance: Double)
        case entered(event: String, distance: Double)
        /// The player stayed for `seconds`.
        case dwelt(event: String, seconds: Double)
        case left(event: String, distance: Double)
        case found(event: String, at: GeoPoint)
        /// The event's content is to be shown or played; `media` lists files of the story's folder in order.
        case show(event: String, media: [String])
        case lockboxAsked(lockbox: String, question: String)
        /// The answer was wrong; `hint` is the author's hint, if there is one.
        case answerWrong(lockbox: String, text: String, hint: String?)
        case lockboxOpened(lockbox: String, text: String)
        /// A question was answered; only the first answer to it counts.
        case quizAnswered(event: String, question: Int, choices: [Int], isCorrect: Bool, points: Int)
        case captureKept(event: String, id: String, file: String?)
        case chapterDone(chapter: String)
        case storyDone
    }

    public var timestamp: Timestamp
    public var kind: Kind

    public init(_ kind: Kind, at timestamp: Timestamp) {
        self.kind = kind
        self.timestamp = timestamp
    }
}

/// In JSON an outcome is one object, as in a line of NDJSON, with the names that ``JournalDocument`` uses:
///
///     {"event": "towers", "outcome": "found", "position": {"latitude": 35.28, "longitude": -120.66}, "timestamp":
///     "2026-11-23T17:05:09Z"}
extension PlaybackOutcome: Encodable {
    private enum Key: String, CodingKey {
        case timestamp, outcome, chapter, event, distance, seconds, position, media, lockbox, question, text, hint
        case choices, correct, points, id, file
    }

    /// The name of the outcome in JSON and in lists: `chapter-available`, `found`, …
    public var name: String {
        switch kind {
        case .chapterAvailable: "chapter-available"
        case .near: "near"
        case .entered: "entered"
        case .dwelt: "dwelt"
        case .left: "left"
        case .found: "found"
        case .show: "show"
        case .lockboxAsked: "lockbox-asked"
        case .answerWrong: "answer-wrong"
        case .lockboxOpened: "lockbox-opened"
        case .quizAnswered: "quiz-answered"
        case .captureKept: "capture-kept"
        case .chapterDone: "chapter-done"
        case .storyDone: "story-done"
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(timestamp, forKey: .timestamp)
        try values.encode(name, forKey: .outcome)
        switch kind {
        case .chapterAvailable(let chapter), .chapterDone(let chapter): try values.encode(chapter, forKey: .chapter)
        case .near(let event, let distance), .entered(let event, let distance), .left(let event, let distance):
            try values.encode(event, forKey: .event)
            // Rounded to centimetres, which is finer than any receiver.
            try values.encode((distance * 100).rounded() / 100, forKey: .distance)
        case .dwelt(let event, let seconds):
            try values.encode(event, forKey: .event)
            try values.encode(seconds, forKey: .seconds)
        case .found(let event, let position):
            try values.encode(event, forKey: .event)
            try values.encode(position, forKey: .position)
        case .show(let event, let media):
            try values.encode(event, forKey: .event)
            try values.encode(media, forKey: .media)
        case .lockboxAsked(let lockbox, let question):
            try values.encode(lockbox, forKey: .lockbox)
            try values.encode(question, forKey: .question)
        case .answerWrong(let lockbox, let text, let hint):
            try values.encode(lockbox, forKey: .lockbox)
            try values.encode(text, forKey: .text)
            try values.encodeIfPresent(hint, forKey: .hint)
        case .lockboxOpened(let lockbox, let text):
            try values.encode(lockbox, forKey: .lockbox)
            try values.encode(text, forKey: .text)
        case .quizAnswered(let event, let question, let choices, let isCorrect, let points):
            try values.encode(event, forKey: .event)
            try values.encode(question, forKey: .question)
            try values.encode(choices, forKey: .choices)
            try values.encode(isCorrect, forKey: .correct)
            try values.encode(points, forKey: .points)
        case .captureKept(let event, let id, let file):
            try values.encode(event, forKey: .event)
            try values.encode(id, forKey: .id)
            try values.encodeIfPresent(file, forKey: .file)
        case .storyDone: break
        }
    }
}

extension JournalContents {
    /// Creates the journal contents that result from outcomes.
    public init(_ outcomes: some Sequence<PlaybackOutcome>) {
        self.init()
        for outcome in outcomes { add(outcome) }
    }

    /// Adds the journal entries that result from an outcome, if any.
    public mutating func add(_ outcome: PlaybackOutcome) {
        let timestamp = outcome.timestamp
        var delta = JournalContents()
        switch outcome.kind {
        case .found(let event, let position): delta.found[event] = Finding(timestamp: timestamp, position: position)
        case .lockboxOpened(let lockbox, let text):
            delta.opened[lockbox] = timestamp
            delta.attempts.insert(Attempt(lockbox: lockbox, text: text, timestamp: timestamp))
        case .answerWrong(let lockbox, let text, _):
            delta.attempts.insert(Attempt(lockbox: lockbox, text: text, timestamp: timestamp))
        case .quizAnswered(let event, let question, let choices, _, let points):
            let score = Score(choices: choices, points: points, timestamp: timestamp)
            delta.scores[Question(event: event, index: question)] = score
        case .captureKept(let event, let id, let file):
            delta.captures[id] = Capture(event: event, file: file, timestamp: timestamp)
        default: return
        }
        merge(delta)
    }
}
