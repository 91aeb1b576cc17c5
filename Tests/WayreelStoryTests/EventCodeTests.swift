import TestSupport
import Testing
import WayreelStory

/// Codes of events in documents.
@Suite struct EventCodeTests {
    private static func event(_ id: String, _ activation: String) -> String {
        StorySamples.event(id).replacing(
            #"<activation radius="5.0"/>"#, with: "<activation radius=\"5\"\(activation)/>")
    }

    private func errors(_ activations: [String]) throws -> [String] {
        let events = activations.enumerated().map { Self.event("e\($0.offset)", $0.element) }
        return try StorySamples.read(StorySamples.chapter(events.joined(separator: "\n"))).issues
            .filter { $0.severity == .error }.map { "\($0.line): \($0.message)" }
    }

    @Test func codesAreReadAndWritten() throws {
        let xml = StorySamples.chapter(
            Self.event("a", #" trigger="code" code="7KQ2""#) + Self.event("b", #" trigger="code" code="2345""#))
        let story = try #require(try StorySamples.read(xml).story)
        #expect(story.chapters[0].events.map(\.activation.code) == ["7KQ2", "2345"])
        #expect(story.chapters[0].events.map(\.activation.trigger) == [.code, .code])
        for format in StoryDocument.Format.allCases {
            let text = try StoryDocument.text(of: story, as: format)
            #expect(try StoryDocument.read(Array(text.utf8), as: format).story == story, "\(text)")
        }
    }

    @Test func whatIsNoCodeIsRefused() throws {
        let rule = "takes four of the characters 23456789ACDEFGHJKMNPQRTVWXY, such as 7KQ2"
        for text in ["7kq2", "7KQ", "7KQ22", "0OIL", "7KQB"] {
            let found = try errors([" trigger=\"code\" code=\"\(text)\""])
            #expect(found.count == 1 && found[0].contains("'code' of <activation> \(rule), not '\(text)'"), "\(found)")
        }
    }

    @Test func theTriggerAndItsCodeBelongTogether() throws {
        #expect(
            try errors([#" trigger="code""#, #" code="7KQ2""#]) == [
                "2: an activation with the trigger 'code' needs 'code', four characters that players enter",
                "3: an activation has 'code' only with the trigger 'code'",
            ])
    }

    @Test func aCodeIsThatOfOneEvent() throws {
        #expect(
            try errors([
                #" trigger="code" code="7KQ2""#, #" trigger="code" code="M3PX""#, #" trigger="code" code="7KQ2""#,
            ]) == ["4: the code '7KQ2' is that of 'e0', too; each event needs its own"])
    }

    /// Written by hand, from the look-alikes of the alphabet.
    @Test(arguments: [
        ("7kq2", "7KQ2"), (" 7K-q2 ", "7KQ2"), ("suzb", "5V28"), ("7KQ", "7KQ"), ("7KQ22", "7KQ22"), ("0OIL", "0OIL"),
        ("7KQé", "7KQé"), ("", ""), ("7K\u{301}Q2", "7K\u{301}Q2"),
    ])
    func whatATextMeans(text: String, code: String) {
        #expect(EventCode.meant(by: text) == code)
    }

    @Test func randomCodesAreFree() {
        var random = SeededRandom(seed: 7)
        let first = EventCode.random(500, using: &random)
        let second = EventCode.random(1000, notIn: Set(first), using: &random)
        #expect(Set(first + second).count == 1500)
        #expect(second.allSatisfy { $0.count == 4 && $0.allSatisfy(EventCode.alphabet.contains) })
    }
}
