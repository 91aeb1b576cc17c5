internal import TestSupport
internal import Testing

/// Runs of `wayreel prepare` that are killed (SIGKILL) at random moments.
@Suite struct PrepareKilledTests {
    @Test func theNextRunEndsWithTheSameBundle() throws {
        let story = try StoryBench()
        let whole = try expectDone(story.prepare(output: "whole"))
        let tasks = try #require(story.counts(whole)).made
        let expected = try story.sums("whole")

        var random = SeededRandom(seed: 20_261_123)
        var finished = 0
        for round in 0..<30 {
            let seconds = Double.random(in: 0.02...1.2, using: &random)
            let run = try story.bench.shell(
                """
                timeout -s KILL \(seconds) wayreel prepare story/story.xml -o bundle --screen 320x480 --screen iphone-4s -q
                sqlite3 bundle/.wayreel/state.sqlite 'select count(*) from task' 2>/dev/null || echo 0
                """)
            // Completed work is kept.
            let now = Int(run.text.split(separator: "\n").last ?? "") ?? 0
            #expect(now >= finished, "round \(round)")
            finished = max(finished, now)
            if round % 10 == 9, story.bench.exists("bundle/current") {
                expectDone(try story.bench.wayreel("verify", "bundle"))
            }
        }
        let last = try expectDone(story.prepare())
        let counts = try #require(story.counts(last))
        #expect(counts.reused >= finished && counts.made + counts.reused == tasks)
        #expect(try story.sums("bundle") == expected)
        #expect(Fixture.listing(story.bench.path("bundle/.wayreel/work")) == [])
    }
}
