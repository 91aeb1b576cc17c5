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
