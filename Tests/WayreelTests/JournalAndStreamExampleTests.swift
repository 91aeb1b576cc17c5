import Glibc
import TestSupport
import Testing
import Wayreel

/// Examples of Documentation/journals.md and Documentation/streams.md.
private enum Examples {
    static func journal(timestamp: Timestamp, position: GeoPoint) throws {
        let journal = try Journal.open("player.sqlite", story: "late-post")
        var news = JournalContents()
        news.found["bell-tower"] = .init(timestamp: timestamp, position: position)
        try journal.record(news)
        print(try journal.contents().points)
    }

    static func streams(play: (PlaybackInput) -> Void) throws {
        let filters = try SensorFilterChain([SensorFilter(parsing: "heading:smooth=0.5s")])
        let replay = SensorReplay(speed: .times(10), filters: filters)
        let statistics = try replay.run(SensorReader("walk.ndjson")) { (sample, _) throws(MediaError) in
            if let input = PlaybackInput(sample) { play(input) }
        }
        print("\(statistics.delivered) of \(statistics.read)")
    }
}

@Suite struct JournalAndStreamExampleTests {
    @Test(arguments: ["journals", "streams"]) func examplesCompile(page: String) throws {
        let source = try lines(of: "Tests/WayreelTests/JournalAndStreamExampleTests.swift").joined(separator: "\n")
        let examples = try lines(of: "Documentation/\(page).md").split(separator: "```swift").dropFirst()
        #expect(!examples.isEmpty)
        for example in examples {
            let text = example.prefix { $0 != "```" }.joined(separator: "\n")
            #expect(source.contains(text), "this example is in no test:\n\(text)")
        }
    }

    /// Returns the lines without their indentation.
    private func lines(of path: String) throws -> [String] {
        String(decoding: try Fixture.bytes("\(Fixture.root)/\(path)"), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map { String($0.drop(while: \.isWhitespace)) }
    }
}
