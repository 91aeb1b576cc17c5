import TestSupport
import Testing
import Wayreel

private func play(_ story: Story, along track: Track, journal path: String) throws {
    let playback = try Playback(story)
    let journal = try Journal.open(path, story: story.id)
    var state = playback.state(resuming: try journal.contents())
    for point in track.points {
        guard let timestamp = point.timestamp else { continue }
        let fix = Fix(point.position, accuracy: point.accuracy, timestamp: timestamp)
        let outcomes = playback.step(.fix(fix), &state)
        try journal.record(JournalContents(outcomes))
        for outcome in outcomes { print(outcome.timestamp, outcome.name) }
    }
}

/// The example of Documentation/playback.md.
@Suite struct PlaybackExampleTests {
    @Test func theDocumentationsExampleRuns() throws {
        let story = try #require(try StoryDocument.read(path: Fixture.media("story/story.xml")).story)
        let folder = TemporaryFolder()
        let path = "\(folder.path)/player.sqlite"
        let walk = try SyntheticWalk(
            through: story, WalkOptions(sensor: SensorOptions(noise: 8, outliers: 0.02, seed: 1)))
        try play(story, along: walk.track, journal: path)
        // The lockboxes are not answered.
        let found = try Journal.open(path).contents().found.keys.sorted()
        #expect(found == ["breakfast-tape", "five-lamps", "library-door", "matinee"])
    }

    /// The table contains every rule with its default.
    @Test func theDocumentationHasAllRules() throws {
        let text = try Fixture.text("\(Fixture.root)/Documentation/playback.md")
        for child in Mirror(reflecting: FenceRules()).children {
            let name = try #require(child.label)
            let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("|") && $0.contains("`\(name)`") })
            let value = "\(child.value)"
            let number = value.hasSuffix(".0") ? String(value.dropLast(2)) : value
            #expect(row.contains(number), "\(name)")
        }
    }
}
