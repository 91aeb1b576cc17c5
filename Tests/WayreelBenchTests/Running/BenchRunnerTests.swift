import TestSupport
import Testing
import WayreelBench
import WayreelCore

/// Runs a stand-in for Wayreel with known behaviour: `capture INPUT -o OUTPUT …`.
@Suite struct BenchRunnerTests {
    private func measure(
        _ program: String, input: String = "a b's.jpg", suite: String = "capture"
    ) throws -> BenchReport {
        try Fixture.withFolder { folder in
            let path = "\(folder)/wayreel"
            try SampleProgram.write("#!/bin/sh\nset -e\n\(program)\n", to: path)
            try OutputFile.write([1, 2, 3], to: "\(folder)/\(input)")
            var options = BenchOptions()
            options.runs = 2
            options.timeoutSeconds = 60
            options.inputs[.image] = "\(folder)/\(input)"
            options.inputs[.video] = options.inputs[.image]
            let runner = try BenchRunner(
                options, wayreel: path, version: "0", libraries: [:], cancellation: Cancellation())
            return try runner.run(try BenchSuite.chosen([suite])) { _ in }
        }
    }

    /// Peers are selected by the programs that they run, whatever their names.
    @Test func peersAreSelectedByTheirPrograms() throws {
        let known: Set = ["ffmpeg", "vipsthumbnail", "ImageMagick", "audiowaveform", "sox", "wayreel"]
        for suite in try BenchSuite.chosen(["all"]) {
            for peer in suite.peers {
                #expect(!peer.families.isEmpty && peer.families.isSubset(of: known), "\(suite.name), \(peer.name)")
                let command = peer.arguments.joined(separator: " ") + peer.needs.joined().joined(separator: " ")
                #expect(command.contains("ffmpeg") == peer.families.contains("ffmpeg") || peer.name == "ffprobe")
            }
        }
        let story = try #require(BenchSuite.chosen(["story"]).first)
        #expect(story.peers.map(\.families) == [["ffmpeg", "vipsthumbnail"]])
    }

    @Test func measuresWhatARunTakes() throws {
        let result = try #require(try measure("cp \"$2\" \"$4\"").results.first)
        #expect(result.own.failure == nil && result.own.runs.count == 2 && result.own.outputBytes == 3)
        #expect(result.input.name == "a b's.jpg" && result.input.bytes == 3)
    }

    /// Each run finds an empty folder, regardless of the files of the preceding run.
    @Test func leavesNothingToTheNextRun() throws {
        let program = """
            cd "${4%/*}"
            test -z "$(ls -A)"
            cp "$2" "$4"
            mkdir more
            touch left .hidden more/left
            """
        let result = try #require(try measure(program).results.first)
        #expect(result.own.failure == nil && result.own.runs.count == 2)
    }

    @Test(arguments: [
        ("exit 3", "3"), ("true", "produced no output"), ("echo no such luck >&2; exit 1", "no such luck"),
    ])
    func aProgramThatFailsFailsItself(program: String, reason: String) throws {
        let result = try #require(try measure(program).results.first)
        #expect(result.own.failure?.contains(reason) == true && result.own.runs.isEmpty)
    }

    /// The measuring process runs a computing thread at the same time if the suite requests it.
    @Test(arguments: [("hls-30s-veryfast-busy", "1"), ("hls-30s-veryfast", "0")])
    func measuresBesideACompetitor(suite: String, count: String) throws {
        let program = """
            count=$(cat /proc/$PPID/task/*/comm | grep -cx compete || true)
            test "$count" = \(count)
            mkdir -p "$4"
            echo 1 > "$4/a"
            """
        let result = try #require(try measure(program, suite: suite).results.first)
        #expect(result.own.failure == nil && result.own.runs.count == 2)
    }
}
