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
