import TestSupport
import Testing
import WayreelEngine
import WayreelStory

/// The same inputs cause the same outcomes; a state or a journal can be resumed.
@Suite struct EngineResumeTests {
    private static let story = try? StoryDocument.read(path: Fixture.media("story/story.xml")).story

    /// Returns a noisy walk past all events of the sample story, twice, with answers, quizzes, captures and clocks in
    /// between.
    private static func inputs(_ story: Story, seed: UInt64) -> [PlaybackInput] {
        var random = SeededRandom(seed: seed)
        var now = PlayedWalk.start
        var inputs: [PlaybackInput] = []
        let places = story.chapters.flatMap { [$0.location].compactMap(\.self) + $0.events.map(\.position) }
        for (from, to) in zip(places + places, (places + places).dropFirst()) {
            let steps = max(20, Int(from.geodesic(to: to).distance / 1.4))
            for step in 0...steps {
                now = now.advanced(by: .random(in: 1...2, using: &random))
                let share = min(1, Double(step + 15) / Double(steps))
                let place = GeoPoint(
                    latitude: from.latitude + (to.latitude - from.latitude) * share,
                    longitude: from.longitude + (to.longitude - from.longitude) * share)
                let noise = Double.random(in: 0...10, using: &random)
                let isOutlier = Int.random(in: 0..<50, using: &random) == 0
                inputs.append(
                    .fix(
                        Fix(
                            place.moved(
                                by: isOutlier ? 150 : noise, bearing: .random(in: 0...360, using: &random)),
                            accuracy: isOutlier ? 2 : noise, timestamp: now)))
                switch Int.random(in: 0..<60, using: &random) {
                case 0: inputs.append(.clock(now))
                case 1: inputs.append(.answer(lockbox: "first-reader", text: "1904", timestamp: now))
                case 2: inputs.append(.answer(lockbox: "first-reader", text: "1905", timestamp: now))
                case 3: inputs.append(.answer(lockbox: "third-bell", text: "Gloria", timestamp: now))
                case 4:
                    inputs.append(.quizAnswer(event: "counter", question: 1, choices: [2], timestamp: now))
                case 5: inputs.append(.capture(event: "library-door", id: "c1", file: nil, timestamp: now))
                case 6: inputs.append(.heading(Heading(degrees: 12, timestamp: now)))
                default: break
                }
            }
        }
        return inputs
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func theSameInputsMakeTheSameBytes(seed: UInt64) throws {
        let story = try #require(Self.story)
        func run() throws -> (String, String) {
            let playback = try Playback(story)
            var state = playback.state()
            let outcomes = Self.inputs(story, seed: seed).flatMap { playback.step($0, &state) }
            return (try JSON.text(outcomes), try JSON.text(state))
        }
        let (first, second) = (try run(), try run())
        #expect(first == second)
        #expect(first.0.contains(#""outcome":"found""#))
    }

    @Test(arguments: [4, 5] as [UInt64]) func aStateInJSONIsGoneOnWith(seed: UInt64) throws {
        let story = try #require(Self.story)
        let playback = try Playback(story)
        var (state, copied) = (playback.state(), playback.state())
        for (number, input) in Self.inputs(story, seed: seed).enumerated() {
            let outcomes = playback.step(input, &state)
            if number % 50 == 0 {
                copied = try JSON.value(PlaybackState.self, try JSON.text(copied))
            }
            #expect(playback.step(input, &copied) == outcomes)
            #expect(copied == state)
        }
    }

    /// Interrupted anywhere, a walk has the same finds as without the interruption, as long as its rest passes all
    /// places again.
    @Test func aJournalIsGoneOnWith() throws {
        let story = try #require(Self.story)
        let playback = try Playback(story)
        let inputs = Self.inputs(story, seed: 6)
        var state = playback.state()
        var journal = JournalContents()
        for (number, input) in inputs.enumerated() {
            if number % 97 == 0 {
                let resumed = playback.state(resuming: journal)
                #expect(playback.availableChapters(resumed) == playback.availableChapters(state) || journal.isEmpty)
                #expect(playback.openEvents(resumed) == playback.openEvents(state))
                if !journal.isEmpty {
                    #expect(playback.askedLockboxes(resumed) == playback.askedLockboxes(state))
                }
                state = resumed
            }
            for outcome in playback.step(input, &state) {
                // Nothing is found, opened or scored twice.
                let news = JournalContents([outcome])
                #expect(Set(news.found.keys).isDisjoint(with: journal.found.keys))
                #expect(Set(news.opened.keys).isDisjoint(with: journal.opened.keys))
                #expect(Set(news.scores.keys).isDisjoint(with: journal.scores.keys))
                journal.merge(news)
            }
        }
        var uncut = playback.state()
        let all = JournalContents(inputs.flatMap { playback.step($0, &uncut) })
        #expect(Set(journal.found.keys) == Set(all.found.keys))
        #expect(Set(journal.opened.keys) == Set(all.opened.keys))
        // All events except the one that opens after 17:00.
        #expect(all.found.count >= 8)
    }

    @Test func hintsGoOnAfterResuming() throws {
        let chapter = Chapter(id: "one", name: "", lockboxes: EngineTests.boxes, events: [EngineTests.event("a", 0)])
        var walk = try PlayedWalk([chapter])
        walk.fix(-500)
        walk.answer("first", "1")
        walk.state = walk.playback.state(resuming: JournalContents(walk.outcomes))
        let outcome = try #require(walk.answer("first", "2").last)
        #expect(outcome.kind == .answerWrong(lockbox: "first", text: "2", hint: "Very early."))
    }

    @Test func aResumedPlayerIsAskedAgain() throws {
        let chapters = [
            Chapter(id: "done", name: "", events: [EngineTests.event("a", 0)]),
            Chapter(id: "asking", name: "", lockboxes: EngineTests.boxes, events: [EngineTests.event("b", 300)]),
            Chapter(id: "later", name: "", events: [EngineTests.event("c", 600, condition: .found(event: "b"))]),
        ]
        var walk = try PlayedWalk(chapters)
        var journal = JournalContents()
        journal.found["a"] = .init(timestamp: walk.now)
        journal.attempts.insert(.init(lockbox: "first", text: "1", timestamp: walk.now))
        walk.state = walk.playback.state(resuming: journal)
        #expect(
            walk.clock(after: 1).map(\.kind) == [
                .chapterAvailable(chapter: "asking"), .lockboxAsked(lockbox: "first", question: "Which year?"),
            ])
        #expect(walk.clock(after: 1).isEmpty)
    }

    @Test func aJournalOfAnotherVersionOfTheStory() throws {
        let chapter = Chapter(
            id: "one", name: "", order: .sequence, events: [EngineTests.event("a", 0), EngineTests.event("b", 300)])
        let playback = try Playback([chapter])
        var journal = JournalContents()
        journal.found["b"] = .init(timestamp: PlayedWalk.start)
        journal.found["gone"] = .init(timestamp: PlayedWalk.start)
        journal.opened["gone"] = PlayedWalk.start
        journal.scores[.init(event: "a", index: 7)] = .init(choices: [0], points: 1, timestamp: PlayedWalk.start)
        let state = playback.state(resuming: journal)
        #expect(playback.openEvents(state) == ["a"])
    }

    @Test(arguments: [
        #"{"fix":{"accuracy":5,"course":90,"position":{"altitude":12.5,"latitude":35.25,"longitude":-120.5},"speed":1.5,"timestamp":"2026-11-23T17:05:09Z"}}"#,
        #"{"fix":{"position":{"latitude":35,"longitude":-120.5},"timestamp":"2026-11-23T17:05:09.250Z"}}"#,
        #"{"heading":{"accuracy":3,"degrees":270,"timestamp":"2026-11-23T17:05:09Z"}}"#,
        #"{"answer":{"lockbox":"year","text":"1905","timestamp":"2026-11-23T17:05:09Z"}}"#,
        #"{"quiz":{"choices":[1,2],"event":"counter","question":0,"timestamp":"2026-11-23T17:05:09Z"}}"#,
        #"{"capture":{"event":"door","file":"a/b.jpg","id":"x","timestamp":"2026-11-23T17:05:09Z"}}"#,
        #"{"clock":{"timestamp":"2026-11-23T17:05:09Z"}}"#, #"{"lost":{"timestamp":"2026-11-23T17:05:09Z"}}"#,
    ])
    func inputsAreLinesOfJSON(line: String) throws {
        let text = try JSON.text(try JSON.value(PlaybackInput.self, line))
        #expect(text == line)
    }

    @Test func aReplayAnswersWhatIsAsked() throws {
        let story = try #require(Self.story)
        var answers = StoryAnswers()
        answers.lockboxes = ["first-reader": ["1904", "1905", "1906"], "third-bell": ["Gloria"]]
        var replay = Replay(try Playback(story), answers: answers)
        replay.play(.clock(PlayedWalk.start))
        #expect(replay.outcomes.map(\.name).count { $0 == "lockbox-opened" } == 2)
        #expect(replay.news.attempts.count == 3)
        #expect(replay.news.opened.count == 2)
    }
}
