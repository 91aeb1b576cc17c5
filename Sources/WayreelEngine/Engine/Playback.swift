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
        if let fault = rules.fault { throw MediaError(.parameter, step: "play", subject: "rules", reason: fault) }
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
            throw MediaError(.parameter, step: "play", subject: id, reason: "two \(kind) have this id")
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
                .parameter, step: "play", subject: event.id,
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
            condition: condition, window: window, media: event.content.media, questions: [], takesCaptures: false)
        if case .quiz(let quiz) = event.content { part.questions = quiz.questions }
        if case .camera = event.content { part.takesCaptures = true }
        return part
    }
}

/// Assigns numbers to the events, lockboxes and windows of conditions.
private struct ConditionCompiler {
    let events: [String: Int]
    let lockboxes: [String: Int]
    /// Equal windows share a number.
    private var numbers: [TimeWindow: Int] = [:]
    private(set) var windows: [WindowSchedule] = []

    init(events: [String: Int], lockboxes: [String: Int]) {
        self.events = events
        self.lockboxes = lockboxes
    }

    mutating func number(of window: TimeWindow, _ subject: String) throws(MediaError) -> Int {
        if let number = numbers[window] { return number }
        windows.append(try WindowSchedule(window, of: subject))
        numbers[window] = windows.count - 1
        return windows.count - 1
    }

    mutating func compiled(_ condition: Condition, of subject: String) throws(MediaError) -> CompiledCondition {
        switch condition {
        case .all(let parts): return .all(try compiled(parts, of: subject))
        case .any(let parts): return .any(try compiled(parts, of: subject))
        case .not(let part): return .not(try compiled(part, of: subject))
        case .found(let event): return .found(try number(event, in: events, subject, "event"))
        case .opened(let lockbox): return .opened(try number(lockbox, in: lockboxes, subject, "lockbox"))
        case .during(let window): return .during(try number(of: window, subject))
        }
    }

    private mutating func compiled(_ parts: [Condition], of subject: String) throws(MediaError) -> [CompiledCondition] {
        var compiledParts: [CompiledCondition] = []
        for part in parts { compiledParts.append(try compiled(part, of: subject)) }
        return compiledParts
    }

    private func number(
        _ id: String, in numbers: [String: Int], _ subject: String, _ kind: String
    ) throws(MediaError) -> Int {
        guard let number = numbers[id] else {
            throw MediaError(
                .parameter, step: "play", subject: subject,
                reason: "its condition asks for the \(kind) '\(id)', which is not there",
                advice: "give all chapters of the story")
        }
        return number
    }
}

extension EventContent {
    /// The files that the content shows or plays, in order.
    public var media: [String] {
        switch self {
        case .camera(let camera): [camera.sample?.source].compactMap(\.self)
        case .radio(let radio): radio.tracks.map(\.audio.source)
        case .scrapbook(let scrapbook):
            scrapbook.items.compactMap { item in
                switch item {
                case .text: nil
                case .image(let image): image.source
                case .video(let video): video.source
                }
            }
        case .goggles(let goggles): goggles.pins.map(\.image.source)
        case .quiz(let quiz): quiz.questions.compactMap(\.image?.source)
        }
    }
}

/// A condition that refers to events, lockboxes and windows by number.
indirect enum CompiledCondition: Sendable {
    case all([CompiledCondition])
    case any([CompiledCondition])
    case not(CompiledCondition)
    case found(Int)
    case opened(Int)
    case during(Int)

    func holds(_ facts: PlaybackState.Facts, isOpen: (Int) -> Bool) -> Bool {
        switch self {
        case .all(let parts): parts.allSatisfy { $0.holds(facts, isOpen: isOpen) }
        case .any(let parts): parts.contains { $0.holds(facts, isOpen: isOpen) }
        case .not(let part): !part.holds(facts, isOpen: isOpen)
        case .found(let event): facts.found.contains(event)
        case .opened(let lockbox): facts.opened.contains(lockbox)
        case .during(let window): isOpen(window)
        }
    }

    /// Whether the condition can hold at some time, given what was found and opened. `openable`: lockboxes that may be
    /// open or not. With `negated`: whether it can fail at some time.
    func mayHold(_ facts: PlaybackState.Facts, openable: Range<Int> = 0..<0, negated: Bool = false) -> Bool {
        switch self {
        case .all(let parts) where !negated, .any(let parts) where negated:
            parts.allSatisfy { $0.mayHold(facts, openable: openable, negated: negated) }
        case .all(let parts), .any(let parts):
            parts.contains { $0.mayHold(facts, openable: openable, negated: negated) }
        case .not(let part): part.mayHold(facts, openable: openable, negated: !negated)
        case .found(let event): facts.found.contains(event) != negated
        case .opened(let lockbox): openable.contains(lockbox) || facts.opened.contains(lockbox) != negated
        case .during: true
        }
    }

    /// Calls `body` with each condition that has no parts.
    func forEachLeaf(_ body: (CompiledCondition) -> Void) {
        switch self {
        case .all(let parts), .any(let parts): for part in parts { part.forEachLeaf(body) }
        case .not(let part): part.forEachLeaf(body)
        case .found, .opened, .during: body(self)
        }
    }
}
