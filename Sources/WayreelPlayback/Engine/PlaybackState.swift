public import WayreelStory

/// Where one player is in a story: a small value that ``Playback/step(_:_:)`` changes.
///
/// It belongs to the ``Playback`` that made it. Keep a player's ``JournalContents`` for good, from which
/// ``Playback/state(resuming:)`` makes a state again, also for a newer version of the story.
public struct PlaybackState: Hashable, Sendable, Codable {
    var facts = Facts()
    /// Wrong answers, of lockboxes that are not open yet; sorted by lockbox.
    var wrongAnswers: [WrongAnswers] = []
    /// Questions of quizzes that were answered, sorted.
    var answered: [AnsweredQuestion] = []
    var screen = FixScreen()
    /// Of the events that the player is at or near; sorted by event.
    var fences: [FenceState] = []
    /// The first input has been seen.
    var hasBegun = false

    /// What cannot be undone, by the numbers that ``Playback`` gives to events, lockboxes and chapters.
    struct Facts: Hashable, Sendable, Codable {
        var found = Flags()
        var opened = Flags()
        var available = Flags()
    }

    struct WrongAnswers: Hashable, Sendable, Codable {
        var lockbox: Int32
        var count: Int32
    }

    struct AnsweredQuestion: Hashable, Sendable, Codable, Comparable {
        var event: Int32
        var question: Int32

        static func < (a: Self, b: Self) -> Bool { (a.event, a.question) < (b.event, b.question) }
    }

    /// The position of the last fix that was used.
    public var position: GeoPoint? { screen.last?.position }

    /// Counts a wrong answer, and tells how many there are now.
    mutating func countWrongAnswer(_ lockbox: Int) -> Int {
        let index = wrongAnswers.firstIndex { Int($0.lockbox) >= lockbox } ?? wrongAnswers.count
        if index == wrongAnswers.count || Int(wrongAnswers[index].lockbox) != lockbox {
            wrongAnswers.insert(WrongAnswers(lockbox: Int32(lockbox), count: 0), at: index)
        }
        wrongAnswers[index].count += 1
        return Int(wrongAnswers[index].count)
    }

    /// Whether the question had no answer before.
    mutating func insertAnswer(event: Int, question: Int) -> Bool {
        let answer = AnsweredQuestion(event: Int32(event), question: Int32(question))
        let index = answered.firstIndex { $0 >= answer } ?? answered.count
        if index < answered.count, answered[index] == answer { return false }
        answered.insert(answer, at: index)
        return true
    }
}
