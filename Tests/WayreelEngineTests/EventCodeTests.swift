import Testing
import WayreelCore
import WayreelEngine
import WayreelStory

/// Events that are found by their codes. The conformance walk `codes` has the outcomes of both engines.
@Suite struct EventCodeTests {
    private static func event(
        _ id: String, _ code: String?, at east: Double, condition: Condition? = nil
    ) -> Event {
        Event(
            id: id, name: id, position: PlayedWalk.point(east, 0),
            activation: Activation(radius: 20, trigger: code == nil ? .enter : .code, code: code),
            condition: condition, content: .scrapbook(ScrapbookContent(items: [.image(Asset(source: "a.jpg"))])))
    }

    private static let chapter = Chapter(
        id: "house", name: "House",
        events: [event("door", "7KQ2", at: 0), event("vault", "M3PX", at: 300, condition: .found(event: "door"))])

    @Test func aCodeFindsItsEventAnywhere() throws {
        var walk = try PlayedWalk([Self.chapter])
        let found = walk.play(.code(text: "7KQ2", timestamp: walk.now))
        #expect(found.map(\.name) == ["chapter-available", "found", "show"])
        #expect(found[1].place == PlayedWalk.point(0, 0))
        #expect(walk.play(.code(text: "7KQ2", timestamp: walk.now)).isEmpty)
        #expect(walk.play(.code(text: "2222", timestamp: walk.now)).map(\.name) == ["code-wrong"])
        #expect(
            walk.play(.code(text: "M3PX", timestamp: walk.now)).map(\.name)
                == ["found", "show", "chapter-done", "story-done"])
    }

    @Test func whatMayNotBeFoundIsRefused() throws {
        var walk = try PlayedWalk([Self.chapter])
        let early = PlaybackInput.code(text: "M3PX", timestamp: walk.now)
        #expect(
            walk.playback.refusal(of: early, walk.state)
                == "the event 'vault' may not be found yet, and its code does not count")
        walk.play(early)
        #expect(walk.found.isEmpty)
        walk.play(.code(text: "7KQ2", timestamp: walk.now))
        #expect(walk.playback.refusal(of: early, walk.state) == nil)
        let long = PlaybackInput.code(text: String(repeating: "x", count: 4001), timestamp: walk.now)
        #expect(walk.playback.fault(of: long) == "a code has at most 4000 bytes, not 4001")
    }

    @Test func beingThereIsNotEnough() throws {
        var walk = try PlayedWalk([Self.chapter], explaining: "door")
        walk.walk(from: -100, to: 300)
        #expect(walk.found.isEmpty && walk.story(of: "door") == ["near", "entered", "left"])
        #expect(walk.explanation.decisions.allSatisfy { $0.blockers == [.needsCode] })
    }

    /// The walker of `wayreel walk` knows all codes, and enters each where it hangs.
    @Test func aWalkFindsEventsByTheirCodes() throws {
        let story = Story(
            id: "mill", language: "en", name: "Mill",
            chapters: [
                Chapter(id: "house", name: "House", events: Self.chapter.events + [Self.event("yard", nil, at: 600)])
            ])
        let walk = try SyntheticWalk(through: story)
        #expect(walk.visits.map(\.event) == ["door", "vault", "yard"])
        #expect(try Rehearsal(of: walk.track, through: story).misses.isEmpty)
        var answers = StoryAnswers()
        answers.codes = ["M3PX", "7KQ2"]
        var replay = Replay(try Playback(story), answers: answers)
        try replay.play(walk.track)
        #expect(replay.news.found.count == 3)
        var knowsOne = Replay(try Playback(story))
        try knowsOne.play(walk.track)
        #expect(knowsOne.news.found.count == 1)
    }

    @Test func inputsAndOutcomesInJSON() throws {
        let input = #"{"code":{"text":"7KQ2","timestamp":"2026-11-23T17:05:09Z"}}"#
        let read = try JSON.value(PlaybackInput.self, input)
        let time = try #require(Timestamp("2026-11-23T17:05:09Z"))
        #expect(read == .code(text: "7KQ2", timestamp: time))
        #expect(
            try JSON.text(PlaybackOutcome(.codeWrong(text: "2222"), at: time))
                == #"{"outcome":"code-wrong","text":"2222","timestamp":"2026-11-23T17:05:09Z"}"#)
    }
}
