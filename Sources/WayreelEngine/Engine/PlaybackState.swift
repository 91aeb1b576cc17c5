public import WayreelStory

/// A player's progress in a story: a small value that ``Playback/step(_:_:)`` changes.
///
/// It is valid only with the ``Playback`` that created it. For permanent storage, keep the player's
/// ``JournalContents``: ``Playback/state(resuming:)`` restores a state from it, also for a newer version of the
/// story.
public struct PlaybackState: Hashable, Sendable, Codable {
    var facts = Facts()
    /// Counts of wrong answers to lockboxes that are not open yet, sorted by lockbox.
    var wrongAnswers: [WrongAnswers] = []
    /// The quiz questions that were answered, sorted.
    var answered: [AnsweredQuestion] = []
    var fixFilter = FixFilter()
    /// The state of the events that the player is at or near, sorted by event.
    var fences: [FenceState] = []
    /// Whether the first input was processed, which reports what is available.
    var hasBegun = false

    private enum CodingKeys: String, CodingKey {
        case facts, wrongAnswers, answered, fences, hasBegun
        // The name in states that were stored earlier.
        case fixFilter = "screen"
    }

    /// Permanent progress, by the numbers that ``Playback`` assigns to events, lockboxes and chapters.
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
    public var position: GeoPoint? { fixFilter.last?.position }

    /// Counts a wrong answer and returns the new count.
    mutating func countWrongAnswer(_ lockbox: Int) -> Int {
        let index = wrongAnswers.firstIndex { Int($0.lockbox) >= lockbox } ?? wrongAnswers.count
        if index == wrongAnswers.count || Int(wrongAnswers[index].lockbox) != lockbox {
            wrongAnswers.insert(WrongAnswers(lockbox: Int32(lockbox), count: 0), at: index)
        }
        wrongAnswers[index].count += 1
        return Int(wrongAnswers[index].count)
    }

    /// Records an answer and returns true if the question had none before.
    mutating func insertAnswer(event: Int, question: Int) -> Bool {
        let answer = AnsweredQuestion(event: Int32(event), question: Int32(question))
        let index = answered.firstIndex { $0 >= answer } ?? answered.count
        if index < answered.count, answered[index] == answer { return false }
        answered.insert(answer, at: index)
        return true
    }
}

/// A set of small numbers as a bit set that grows to its largest member.
struct Flags: Hashable, Sendable, Codable {
    private var words: [UInt64] = []

    init() {}

    init(from decoder: any Decoder) throws { words = try decoder.singleValueContainer().decode([UInt64].self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(words)
    }

    func contains(_ number: Int) -> Bool {
        number >> 6 < words.count && words[number >> 6] >> UInt64(number & 63) & 1 == 1
    }

    /// Inserts a number and returns true if it was not in the set before.
    @discardableResult
    mutating func insert(_ number: Int) -> Bool {
        while words.count <= number >> 6 { words.append(0) }
        let bit = UInt64(1) << UInt64(number & 63)
        defer { words[number >> 6] |= bit }
        return words[number >> 6] & bit == 0
    }

    /// Returns the first number of a range that is not in the set.
    func firstMissing(in range: Range<Int>) -> Int? {
        var number = range.lowerBound
        while number < range.upperBound {
            guard number >> 6 < words.count else { return number }
            let rest = ~words[number >> 6] >> UInt64(number & 63)
            if rest != 0 {
                let found = number + rest.trailingZeroBitCount
                return found < range.upperBound ? found : nil
            }
            number = (number >> 6 + 1) << 6
        }
        return nil
    }

    func containsAll(_ range: Range<Int>) -> Bool { firstMissing(in: range) == nil }
}
