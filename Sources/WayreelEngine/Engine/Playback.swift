public import WayreelCore
public import WayreelStory

/// A story prepared for playback: one value for all players, each of whom has a ``PlaybackState``.
///
///     let playback = try Playback(story)
///     var state = playback.state()
///     for outcome in playback.step(.fix(fix), &state) { … }
///
/// The same inputs always have the same outcomes: the inputs' timestamps are the only clock. It reads no files, and
/// its functions may be called from any thread.
public struct Playback: Sendable {
    public let rules: FenceRules
    let chapters: [ChapterPart]
    let events: [EventPart]
    let lockboxes: [LockboxPart]
    let windows: [WindowSchedule]
    let index: FenceIndex
    let eventNumbers: [String: Int]
    let lockboxNumbers: [String: Int]
    /// The numbers of events by their codes, or in a bundle by the hashes of these.
    let codeNumbers: [String: Int]
    let chapterNumbers: [String: Int]
    /// The events whose conditions refer to each event or lockbox.
    let waitingForEvent: [[Int]]
    let waitingForLockbox: [[Int]]

    struct ChapterPart: Sendable {
        var id: String
        var isSequence: Bool
        var events: Range<Int>
        var lockboxes: Range<Int>
    }

    struct EventPart: Sendable {
        var id: String
        var chapter: Int
        var fence: Fence
        var trigger: Activation.Trigger
        /// What an input has to be equal to: the code, or in a bundle its hash.
        var code: String?
        var position: GeoPoint
        var condition: CompiledCondition?
        var window: Int?
        var media: [String]
        var questions: [QuizContent.Question]
        var takesCaptures: Bool
    }

    struct LockboxPart: Sendable {
        var lockbox: Lockbox
        var chapter: Int
        /// The accepted answers, normalized for comparison.
        var answers: [String]
    }

    /// Throws a `parameter` error if a condition refers to something that the chapters do not contain, an id is used
    /// twice, a time zone is unknown, or a rule is out of its range.
    public init(_ chapters: [Chapter], rules: FenceRules = FenceRules()) throws(MediaError) {
        if let fault = rules.fault { throw MediaError(.parameter, step: .play, subject: "rules", reason: fault) }
        self.rules = rules
        let allEvents = chapters.flatMap(\.events)
        let allLockboxes = chapters.flatMap(\.lockboxes)
        eventNumbers = try Self.numbers(allEvents.map(\.id), of: "events")
        lockboxNumbers = try Self.numbers(allLockboxes.map(\.id), of: "lockboxes")
        chapterNumbers = try Self.numbers(chapters.map(\.id), of: "chapters")
        var compiler = ConditionCompiler(events: eventNumbers, lockboxes: lockboxNumbers)
        var parts: (chapters: [ChapterPart], events: [EventPart], lockboxes: [LockboxPart]) = ([], [], [])
        for (number, chapter) in chapters.enumerated() {
            let (firstEvent, firstLockbox) = (parts.events.count, parts.lockboxes.count)
            for event in chapter.events { parts.events.append(try Self.part(event, of: number, &compiler, rules)) }
            parts.lockboxes += chapter.lockboxes.map { lockbox in
                LockboxPart(lockbox: lockbox, chapter: number, answers: lockbox.answers.map(\.asAnswer))
            }
            parts.chapters.append(
                ChapterPart(
                    id: chapter.id, isSequence: chapter.order == .sequence, events: firstEvent..<parts.events.count,
                    lockboxes: firstLockbox..<parts.lockboxes.count))
        }
        (self.chapters, events, lockboxes) = parts
        codeNumbers = Dictionary(
            parts.events.enumerated().compactMap { number, event in event.code.map { ($0, number) } }
        ) { first, _ in first }
        windows = compiler.windows
        index = FenceIndex(parts.events.map { ($0.fence.center, $0.fence.nearRadius) })
        var waiting = (
            events: [[Int]](repeating: [], count: parts.events.count),
            lockboxes: [[Int]](repeating: [], count: parts.lockboxes.count)
        )
        for (number, event) in parts.events.enumerated() {
            event.condition?.forEachLeaf { leaf in
                switch leaf {
                case .found(let other): waiting.events[other].append(number)
                case .opened(let lockbox): waiting.lockboxes[lockbox].append(number)
                default: break
                }
            }
        }
        (waitingForEvent, waitingForLockbox) = waiting
    }

    public init(_ story: Story, rules: FenceRules = FenceRules()) throws(MediaError) {
        try self.init(story.chapters, rules: rules)
    }

    private static func numbers(_ ids: [String], of kind: String) throws(MediaError) -> [String: Int] {
        var numbers: [String: Int] = [:]
        numbers.reserveCapacity(ids.count)
        for (number, id) in ids.enumerated() where numbers.updateValue(number, forKey: id) != nil {
            throw MediaError(.parameter, step: .play, subject: id, reason: "two \(kind) have this id")
        }
        return numbers
    }

    private static func part(
        _ event: Event, of chapter: Int, _ compiler: inout ConditionCompiler, _ rules: FenceRules
    ) throws(MediaError) -> EventPart {
        let place = Fix(event.position, timestamp: Timestamp(milliseconds: 0))
        let radius = event.activation.radius
        guard place.fault == nil, radius > 0, radius <= 1_000_000, event.activation.dwellSeconds ?? 0 >= 0 else {
            throw MediaError(
                .parameter, step: .play, subject: event.id,
                reason: place.fault ?? "its radius of \(radius) m or its seconds are out of range")
        }
        let condition = try event.condition.map { (condition) throws(MediaError) in
            try compiler.compiled(condition, of: event.id)
        }
        let window = try event.window.map { (window) throws(MediaError) in
            try compiler.number(of: window, event.id)
        }
        var part = EventPart(
            id: event.id, chapter: chapter, fence: Fence(event, rules), trigger: event.activation.trigger,
            code: event.activation.trigger == .code ? event.activation.codeHash ?? event.activation.code : nil,
            position: event.position, condition: condition, window: window, media: event.content.media, questions: [],
            takesCaptures: false)
        if case .quiz(let quiz) = event.content { part.questions = quiz.questions }
        if case .camera = event.content { part.takesCaptures = true }
        return part
    }
}

extension EventContent {
    /// The files that the content shows or plays, in order.
    public var media: [String] { files.map(\.asset.source) }
}
