/// What reaches a player's device: the only thing that changes a ``PlaybackState``.
public enum PlaybackInput: Hashable, Sendable {
    case fix(Fix)
    /// For views; it fires nothing.
    case heading(Heading)
    /// The player answers the lockbox that is asked.
    case answer(lockbox: String, text: String, timestamp: Timestamp)
    /// The player chooses from the choices of a quiz's question; all counted from 0.
    case quizAnswer(event: String, question: Int, choices: [Int], timestamp: Timestamp)
    /// The player took a capture for a camera event that was found.
    case capture(event: String, id: String, file: String?, timestamp: Timestamp)
    /// Time passed without anything else.
    case clock(Timestamp)
    /// Positions ceased: nobody knows the way to the next fix.
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
