/// An input to a player's device. Only inputs change a ``PlaybackState``.
public enum PlaybackInput: Hashable, Sendable {
    case fix(Fix)
    /// A compass heading, for views; it triggers nothing.
    case heading(Heading)
    /// The player answers the lockbox that is currently asked.
    case answer(lockbox: String, text: String, timestamp: Timestamp)
    /// The player answers a question of a quiz; questions and choices are counted from 0.
    case quizAnswer(event: String, question: Int, choices: [Int], timestamp: Timestamp)
    /// The player took a capture for a camera event that was found.
    case capture(event: String, id: String, file: String?, timestamp: Timestamp)
    /// Time passed without any other input.
    case clock(Timestamp)
    /// The position signal was lost: the path to the next fix is unknown.
    case signalLost(Timestamp)

    public var timestamp: Timestamp {
        switch self {
        case .fix(let fix): fix.timestamp
        case .heading(let heading): heading.timestamp
        case .answer(_, _, let timestamp), .quizAnswer(_, _, _, let timestamp), .capture(_, _, _, let timestamp),
            .clock(let timestamp), .signalLost(let timestamp):
            timestamp
        }
    }
}
