import TestSupport
import Testing
import Wayreel

/// Examples of Documentation/stories.md and Documentation/bundles.md.
private enum Examples {
    static func stories(photo: String) throws -> CaptureTask {
        let recipe = try Recipe.load(event: "bell-tower", ofStoryAt: "Media/story/story.xml")
        var options = CaptureOptions(recipe)
        options.framing.screen = try Screen(parsing: "iphone-15").size
        let task = CaptureTask(input: photo, output: "out.jpg", options: options)
        return task
    }

    static func bundles() throws -> (Chapter, [StoryBundle.Media]) {
        let bundle = try StoryBundle.open("bundle/")
        let chapter = try bundle.chapter("the-round")
        let images = try bundle.media(for: "images/madrid.jpg", role: .image, screen: "iphone-15")
        return (chapter, images)
    }
}

/// Every page on stories has its examples in a test file, where they compile.
@Suite struct StoryExampleTests {
    @Test(arguments: [
        "bundles": "StoryExampleTests", "stories": "StoryExampleTests", "playback": "PlaybackExampleTests",
        "journals": "JournalAndStreamExampleTests", "streams": "JournalAndStreamExampleTests",
        "goggles": "GogglesDocumentationTests", "maps": "GogglesDocumentationTests", "walks": "WalkExampleTests",
    ]) func examplesCompile(page: String, tests: String) throws {
        let source = try lines(of: "Tests/WayreelTests/\(tests).swift").joined(separator: "\n")
        let examples = try lines(of: "Documentation/\(page).md").split(separator: "```swift").dropFirst()
        #expect(!examples.isEmpty)
        for example in examples {
            for part in example.prefix(while: { $0 != "```" }).split(separator: "") where part != ["import Wayreel"] {
                // A function of a page is private in the tests.
                let text = part.joined(separator: "\n")
                #expect(source.contains(text), "this example is in no test:\n\(text)")
            }
        }
    }

    /// Returns the lines without their indentation.
    private func lines(of path: String) throws -> [String] {
        String(decoding: try Fixture.bytes("\(Fixture.root)/\(path)"), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map { String($0.drop(while: \.isWhitespace)) }
    }
}
