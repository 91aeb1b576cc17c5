import Testing
import WayreelCore
import WayreelEngine
import WayreelStory

/// The conditions for finding events, and the consequences of finding them.
@Suite struct EngineTests {
    /// Returns an event `east` metres east of the town.
    static func event(
        _ id: String, _ east: Double, condition: Condition? = nil, window: TimeWindow? = nil,
        content: EventContent? = nil
    ) -> Event {
        Event(
            id: id, name: id, position: PlayedWalk.point(east, 0), activation: Activation(radius: 20), window: window,
            condition: condition, content: content ?? .scrapbook(ScrapbookContent(items: [.text("Words")])))
    }

    /// Walks past the events that are this far east, 100 m apart.
    private static func visit(_ walk: inout PlayedWalk, _ places: Double...) {
        for place in places { for _ in 0..<6 { walk.fix(place, accuracy: 5, after: 20) } }
    }

    @Test func aSequenceIsFoundInItsOrder() throws {
        let chapter = Chapter(
            id: "tour", name: "Tour", order: .sequence,
            events: [Self.event("a", 0), Self.event("b", 300), Self.event("c", 600)])
        var walk = try PlayedWalk([chapter])
        Self.visit(&walk, 600, 300, 0, 300, 0, 600)
        #expect(walk.found == ["a", "b", "c"])
        #expect(walk.outcomes.map(\.name).suffix(2) == ["chapter-done", "story-done"])
        #expect(walk.playback.isDone(walk.state))
    }

    @Test func aWholeSequenceWhereThePlayerStands() throws {
        let chapter = Chapter(
            id: "tour", name: "Tour", order: .sequence,
            events: [Self.event("a", 0), Self.event("b", 1), Self.event("c", 2)])
        var walk = try PlayedWalk([chapter])
        Self.visit(&walk, 0)
        #expect(walk.found == ["a", "b", "c"])
        #expect(Set(walk.outcomes.filter { $0.name == "found" }.map(\.timestamp)).count == 1)
    }

    @Test func conditions() throws {
        let chapter = Chapter(
            id: "one", name: "One",
            events: [
                Self.event("a", 0), Self.event("b", 300), Self.event("c", 600),
                Self.event("all", 900, condition: .all([.found(event: "a"), .found(event: "b")])),
                Self.event("any", 1200, condition: .any([.found(event: "b"), .found(event: "c")])),
                Self.event("not", 1500, condition: .not(.found(event: "b"))),
                Self.event("both", 1800, condition: .not(.any([.found(event: "c"), .not(.found(event: "a"))]))),
            ])
        var walk = try PlayedWalk([chapter])
        Self.visit(&walk, 900, 1200, 1800)
        #expect(walk.found.isEmpty)
        #expect(walk.playback.openEvents(walk.state) == ["a", "b", "c", "not"])
        Self.visit(&walk, 0, 900, 1200)
        #expect(walk.found == ["a"])
        Self.visit(&walk, 300, 900, 1200, 1500, 1800)
        #expect(walk.found == ["a", "b", "all", "any", "both"])
        let blockers = walk.playback.blockers(of: "not", walk.state, at: walk.now)
        #expect(blockers?.map(\.description) == ["it waits: 'b' was found"])
    }

    @Test func aConditionThatComesTrueWhereThePlayerStands() throws {
        let chapter = Chapter(
            id: "one", name: "One", lockboxes: [Lockbox(id: "box", question: "?", answers: ["yes"])],
            events: [Self.event("a", 0, condition: .opened(lockbox: "box")), Self.event("b", 500)])
        var walk = try PlayedWalk([chapter])
        Self.visit(&walk, 0)
        #expect(walk.found.isEmpty)
        let outcomes = walk.answer("box", "Yes!")
        #expect(outcomes.map(\.name) == ["lockbox-opened", "found", "show"])
    }

    @Test func anExitCountsOnlyWhereTheEventMayBeFoundThen() throws {
        var event = Self.event("a", 0, condition: .opened(lockbox: "box"))
        event.activation.trigger = .exit
        let chapter = Chapter(
            id: "one", name: "One", lockboxes: [Lockbox(id: "box", question: "?", answers: ["yes"])],
            events: [event, Self.event("b", 900)])
        var walk = try PlayedWalk([chapter])
        Self.visit(&walk, 0, 300)
        walk.answer("box", "yes")
        #expect(walk.found.isEmpty)
        Self.visit(&walk, 0, 300)
        #expect(walk.found == ["a"])
    }

    @Test func aWindowThatOpensWhereThePlayerStands() throws {
        // PlayedWalk starts at 2026-05-28T20:26:40Z, 13:26:40 in California.
        let window = TimeWindow(zone: "America/Los_Angeles", from: TimeOfDay("13:35"), until: TimeOfDay("14:00"))
        let chapter = Chapter(id: "one", name: "One", events: [Self.event("a", 0, window: window)])
        var walk = try PlayedWalk([chapter])
        #expect(
            walk.playback.blockers(of: "a", walk.state, at: walk.now)
                == [.closed(until: Timestamp("2026-05-28T20:35:00Z"))])
        Self.visit(&walk, 0)
        // The time of day does not affect the availability of a chapter.
        #expect(walk.first("chapter-available") != nil && walk.story(of: "a").contains("near"))
        walk.play(.clock(try #require(Timestamp("2026-05-28T20:34:59.999Z"))))
        #expect(walk.found.isEmpty)
        walk.play(.clock(try #require(Timestamp("2026-05-28T20:35:00Z"))))
        #expect(walk.found == ["a"])
    }

    @Test func chaptersBecomeAvailable() throws {
        let window = TimeWindow(zone: "UTC", lastDate: "1990-01-01")
        let chapters = [
            Chapter(id: "now", name: "", events: [Self.event("a", 0)]),
            Chapter(id: "after", name: "", events: [Self.event("b", 300, condition: .found(event: "a"))]),
            Chapter(id: "closed", name: "", events: [Self.event("c", 600, window: window)]),
            Chapter(
                id: "tour", name: "", order: .sequence,
                events: [Self.event("d", 900, condition: .found(event: "b")), Self.event("e", 1200)]),
        ]
        var walk = try PlayedWalk(chapters)
        walk.fix(-1000)
        #expect(walk.playback.availableChapters(walk.state) == ["now", "closed"])
        Self.visit(&walk, 1200, 0)
        #expect(walk.playback.availableChapters(walk.state) == ["now", "after", "closed"])
        Self.visit(&walk, 300)
        #expect(walk.playback.availableChapters(walk.state) == ["now", "after", "closed", "tour"])
    }

    @Test func aChapterThatWaitsForItsOwnLockboxesIsAvailable() throws {
        let chapters = [
            Chapter(
                id: "own", name: "", lockboxes: Self.boxes,
                events: [Self.event("a", 0, condition: .opened(lockbox: "first"))]),
            Chapter(
                id: "both", name: "", lockboxes: [Lockbox(id: "third", question: "?", answers: ["3"])],
                events: [Self.event("b", 300, condition: .all([.opened(lockbox: "third"), .found(event: "a")]))]),
            Chapter(id: "none", name: "", lockboxes: [Lockbox(id: "fourth", question: "?", answers: ["4"])]),
        ]
        var walk = try PlayedWalk(chapters)
        walk.fix(-500)
        #expect(walk.playback.availableChapters(walk.state) == ["own", "none"])
        #expect(walk.playback.askedLockboxes(walk.state).map(\.id) == ["first", "fourth"])
        #expect(walk.answer("fourth", "4").map(\.name) == ["lockbox-opened", "chapter-done"])
        Self.visit(&walk, 0)
        #expect(walk.answer("third", "3").isEmpty && walk.found.isEmpty)
        #expect(
            walk.answer("first", "1905").map(\.name) == [
                "lockbox-opened", "lockbox-asked", "found", "show", "chapter-available", "lockbox-asked",
            ])
        #expect(walk.playback.askedLockboxes(walk.state).map(\.id) == ["second", "third"])
    }

    @Test func whatHasNoEffectYetIsRefused() throws {
        let camera = CameraContent(clue: "Take it.")
        let chapter = Chapter(
            id: "one", name: "", lockboxes: Self.boxes, events: [Self.event("a", 0, content: .camera(camera))])
        var walk = try PlayedWalk([chapter])
        let capture = PlaybackInput.capture(event: "a", id: "x", file: nil, timestamp: walk.now)
        func refusal(_ input: PlaybackInput) -> String? { walk.playback.refusal(of: input, walk.state) }
        func answer(_ lockbox: String) -> String? {
            refusal(.answer(lockbox: lockbox, text: "1", timestamp: walk.now))
        }
        #expect(refusal(capture) == "the event 'a' was not found yet, and its capture is not kept")
        #expect(answer("first") == nil && answer("second")?.contains("'second' is not asked yet") == true)
        Self.visit(&walk, 0)
        walk.answer("first", "1905")
        // What was done already may come again.
        #expect(refusal(capture) == nil && answer("first") == nil && answer("second") == nil)
    }

    // MARK: Lockboxes

    static let boxes = [
        Lockbox(id: "first", question: "Which year?", answers: ["1905"], hints: ["Early.", "Very early."]),
        Lockbox(id: "second", question: "Who?", answers: ["Señora Łęcka", "Strauß"]),
    ]

    private func walkWithBoxes() throws -> PlayedWalk {
        var walk = try PlayedWalk([Chapter(id: "one", name: "One", lockboxes: Self.boxes, events: [Self.event("a", 0)])]
        )
        walk.fix(-500)
        return walk
    }

    @Test func lockboxesAreAskedOneAfterTheOther() throws {
        var walk = try walkWithBoxes()
        #expect(walk.outcomes.map(\.name) == ["chapter-available", "lockbox-asked"])
        #expect(walk.answer("second", "Strauß").isEmpty)
        #expect(walk.answer("first", "1905").map(\.name) == ["lockbox-opened", "lockbox-asked"])
        #expect(walk.answer("first", "1905").isEmpty)
        #expect(walk.playback.askedLockboxes(walk.state).map(\.id) == ["second"])
        #expect(walk.answer("second", "Strauß").map(\.name) == ["lockbox-opened"])
        Self.visit(&walk, 0)
        #expect(walk.outcomes.map(\.name).contains("story-done"))
    }

    @Test func hintsByTheNumberOfWrongAnswers() throws {
        var walk = try walkWithBoxes()
        for hint in ["Early.", "Very early.", "Very early."] {
            let outcome = try #require(walk.answer("first", "1906").first)
            #expect(outcome.kind == .answerWrong(lockbox: "first", text: "1906", hint: hint))
        }
        walk.answer("first", "1905")
        #expect(walk.answer("second", "x").first?.kind == .answerWrong(lockbox: "second", text: "x", hint: nil))
    }

    @Test(arguments: [
        ("Señora Łęcka", "senora łecka", true), ("Strauß", "STRAUSS", true), ("Strauß", "straus", false),
        ("1905", " 19 05. ", true), ("1905", "１９０５", true), ("1905", "1950", false),
        ("Rock'n'Roll", "rock n’ roll", true),
        ("Αθήνας", "ΑΘΗΝΑΣ", true), ("İzmir", "izmir", true), ("ﬁsh", "Fish", true), ("がく", "かく", false),
        ("کِتاب", "کتاب", true), ("?", "!", false), ("?", " ? ", true), ("C+", "C", false), ("no", "", false),
        ("e\u{301}t\u{E9}", "ete", true),
    ])
    func answersAreCompared(answer: String, given: String, isSame: Bool) {
        #expect((answer.asAnswer == given.asAnswer) == isSame)
    }

    // MARK: Quizzes and captures

    private func walkWithQuiz() throws -> PlayedWalk {
        let questions = [
            QuizContent.Question(
                text: "1", image: Asset(source: "q.jpg"), choices: [.init("a"), .init("b", isCorrect: true)], points: 3),
            QuizContent.Question(
                text: "2", choices: [.init("a", isCorrect: true), .init("b"), .init("c", isCorrect: true)], points: 2),
        ]
        let camera = EventContent.camera(CameraContent(clue: "A bell", sample: Asset(source: "bell.jpg")))
        return try PlayedWalk([
            Chapter(
                id: "one", name: "One",
                events: [
                    Self.event("quiz", 0, content: .quiz(QuizContent(questions: questions))),
                    Self.event("camera", 300, content: camera),
                ])
        ])
    }

    private func score(_ walk: inout PlayedWalk, _ question: Int, _ choices: Int...) -> PlaybackOutcome.Kind? {
        walk.play(.quizAnswer(event: "quiz", question: question, choices: choices, timestamp: walk.now)).first?.kind
    }

    @Test func theFirstAnswerOfAQuizCounts() throws {
        var walk = try walkWithQuiz()
        walk.fix(-500)
        #expect(score(&walk, 0, 1) == nil)
        Self.visit(&walk, 0)
        #expect(
            score(&walk, 0, 1)
                == .quizAnswered(event: "quiz", question: 0, choices: [1], isCorrect: true, points: 3))
        #expect(score(&walk, 0, 0) == nil)
        #expect(
            score(&walk, 1, 0)
                == .quizAnswered(event: "quiz", question: 1, choices: [0], isCorrect: false, points: 0))
        let resumed = walk.playback.state(resuming: JournalContents(walk.outcomes))
        walk.state = resumed
        walk.clock(after: 1)
        #expect(score(&walk, 1, 0, 2) == nil)
        #expect(JournalContents(walk.outcomes).points == 3)
    }

    @Test func allCorrectChoicesMakeACorrectAnswer() throws {
        var walk = try walkWithQuiz()
        Self.visit(&walk, 0)
        #expect(
            score(&walk, 1, 2, 0)
                == .quizAnswered(event: "quiz", question: 1, choices: [2, 0], isCorrect: true, points: 2))
    }

    @Test func capturesAreKeptOfCameraEventsThatWereFound() throws {
        var walk = try walkWithQuiz()
        func take(_ event: String) -> [String] {
            walk.play(.capture(event: event, id: "x1", file: "x1.jpg", timestamp: walk.now)).map(\.name)
        }
        walk.fix(-500)
        #expect(take("camera").isEmpty)
        Self.visit(&walk, 300)
        #expect(take("camera") == ["capture-kept"])
        #expect(take("quiz").isEmpty)
        #expect(JournalContents(walk.outcomes).captures["x1"]?.event == "camera")
    }

    @Test func mediaAreShownInOrder() throws {
        var walk = try walkWithQuiz()
        Self.visit(&walk, 0, 300)
        let shown = walk.outcomes.compactMap { outcome in
            if case .show(let event, let media) = outcome.kind { "\(event): \(media)" } else { nil }
        }
        #expect(shown == [#"quiz: ["q.jpg"]"#, #"camera: ["bell.jpg"]"#])
    }

    @Test func senselessInputsChangeNothing() throws {
        var walk = try walkWithQuiz()
        walk.fix(-500)
        let (state, now) = (walk.state, walk.now)
        let inputs: [PlaybackInput] = [
            .answer(lockbox: "none", text: "x", timestamp: now),
            .quizAnswer(event: "none", question: 0, choices: [0], timestamp: now),
            .quizAnswer(event: "camera", question: 0, choices: [0], timestamp: now),
            .quizAnswer(event: "quiz", question: 2, choices: [0], timestamp: now),
            .quizAnswer(event: "quiz", question: -1, choices: [0], timestamp: now),
            .quizAnswer(event: "quiz", question: 0, choices: [9], timestamp: now),
            .quizAnswer(event: "quiz", question: 0, choices: [], timestamp: now),
            .capture(event: "quiz", id: "x", file: nil, timestamp: now),
            .capture(event: "camera", id: "", file: nil, timestamp: now),
            .capture(event: "camera", id: "a\0b", file: nil, timestamp: now),
            .heading(Heading(degrees: .nan, timestamp: now)),
            .fix(Fix(GeoPoint(latitude: .nan, longitude: 0), timestamp: now)),
            .clock(Timestamp(milliseconds: .min)),
        ]
        for input in inputs {
            #expect(walk.playback.fault(of: input) != nil)
            #expect(walk.play(input).isEmpty)
        }
        #expect(walk.state == state)
        var boxes = try walkWithBoxes()
        let long = String(repeating: "x", count: 1 << 20)
        #expect(boxes.answer("first", long).isEmpty)
        #expect(
            boxes.playback.fault(of: .answer(lockbox: "first", text: long, timestamp: now))
                == "an answer has at most 4000 bytes, not 1048576")
    }

    @Test func chaptersThatDoNotFit() {
        let waits = Chapter(id: "one", name: "", events: [Self.event("a", 0, condition: .found(event: "x"))])
        #expect(throws: MediaError.self) { try Playback([waits]) }
        let twice = Chapter(id: "one", name: "", events: [Self.event("a", 0), Self.event("a", 9)])
        #expect(throws: MediaError.self) { try Playback([twice]) }
        let zone = Chapter(id: "one", name: "", events: [Self.event("a", 0, window: TimeWindow(zone: "X/Y"))])
        #expect(throws: MediaError.self) { try Playback([zone]) }
    }
}
