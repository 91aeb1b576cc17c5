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
        /// No event has this code.
        case codeWrong(text: String)
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
    public var name: String { form.name }

    private var form: (name: String, members: [(Key, (any Encodable)?)]) {
        // Rounded to centimetres, which is finer than any receiver.
        func change(_ name: String, _ event: String, _ distance: Double) -> (String, [(Key, (any Encodable)?)]) {
            (name, [(.event, event), (.distance, (distance * 100).rounded() / 100)])
        }
        return switch kind {
        case .chapterAvailable(let chapter): ("chapter-available", [(.chapter, chapter)])
        case .near(let event, let distance): change("near", event, distance)
        case .entered(let event, let distance): change("entered", event, distance)
        case .dwelt(let event, let seconds): ("dwelt", [(.event, event), (.seconds, seconds)])
        case .left(let event, let distance): change("left", event, distance)
        case .found(let event, let position): ("found", [(.event, event), (.position, position)])
        case .show(let event, let media): ("show", [(.event, event), (.media, media)])
        case .lockboxAsked(let lockbox, let question):
            ("lockbox-asked", [(.lockbox, lockbox), (.question, question)])
        case .answerWrong(let lockbox, let text, let hint):
            ("answer-wrong", [(.lockbox, lockbox), (.text, text), (.hint, hint)])
        case .lockboxOpened(let lockbox, let text): ("lockbox-opened", [(.lockbox, lockbox), (.text, text)])
        case .codeWrong(let text): ("code-wrong", [(.text, text)])
        case .quizAnswered(let event, let question, let choices, let isCorrect, let points):
            (
                "quiz-answered",
                [
                    (.event, event), (.question, question), (.choices, choices), (.correct, isCorrect),
                    (.points, points),
                ]
            )
        case .captureKept(let event, let id, let file): ("capture-kept", [(.event, event), (.id, id), (.file, file)])
        case .chapterDone(let chapter): ("chapter-done", [(.chapter, chapter)])
        case .storyDone: ("story-done", [])
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        let (name, members) = form
        try values.encode(timestamp, forKey: .timestamp)
        try values.encode(name, forKey: .outcome)
        for case (let key, let value?) in members { try values.encode(value, forKey: key) }
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
