import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// `wayreel bench`: its measurements, its errors, and that a failed run never counts as a fast one.
@Suite(.serialized) struct BenchCommandTests {
    private let bench = Workbench()

    /// A report as parsed by another program.
    private struct Report: Decodable {
        struct Candidate: Decodable {
            struct Run: Decodable {
                var wallMilliseconds: Double
                var peakMemoryBytes: Int?
            }

            var name: String
            var runs: [Run]
            var failure: String?
            var outputBytes: Int?
        }

        struct Result: Decodable {
            var suite: String
            var candidates: [Candidate]
        }

        var kind: String
        var results: [Result]
    }

    private func report(_ name: String) throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(bench.bytes(name)))
    }

    @Test func measuresAndDraws() throws {
        let run = try expectDone(
            bench.wayreel(
                "bench", "capture", "probe", "--runs", "3", "--json", "b.json", "--svg", "svg", "--markdown", "t.md",
                "--quiet"))
        #expect(run.text.contains("capture") && run.text.contains("probe"))
        let report = try report("b.json")
        #expect(report.kind == "wayreel-bench" && report.results.map(\.suite) == ["capture", "probe"])
        for result in report.results {
            #expect(result.candidates.map(\.name) == ["wayreel"])
            #expect(result.candidates[0].runs.count == 3 && result.candidates[0].failure == nil)
            #expect(
                result.candidates[0].runs.allSatisfy { $0.wallMilliseconds > 0 && $0.peakMemoryBytes ?? 0 > 1 << 20 })
        }
        #expect(report.results[0].candidates[0].outputBytes ?? 0 > 10_000)
        #expect(try bench.text("t.md").contains("| task |"))
        #expect(bench.listing("svg").contains("memory.svg"))
        #expect(bench.listing() == ["b.json", "svg", "t.md"])
    }

    @Test func insertsTablesBetweenMarkers() throws {
        try bench.write("before\n<!-- wayreel bench begin -->\nFORMER\n<!-- wayreel bench end -->\nafter\n", to: "t.md")
        expectDone(try bench.wayreel("bench", "probe", "--runs", "3", "--markdown", "t.md", "--quiet"))
        let text = try bench.text("t.md")
        #expect(text.hasPrefix("before\n<!--") && text.hasSuffix("-->\nafter\n") && !text.contains("FORMER"))
    }

    /// Options of former versions are unknown, not ignored.
    @Test(arguments: [
        ["--scale", "capture"], ["--report", "r.html"], ["--png", "png"], ["--images", "1,2"], ["--summary", "s.json"],
    ])
    func refusesFormerOptions(arguments: [String]) throws {
        let run = try bench.command(["bench", "probe"] + arguments).run()
        #expect(run.ending == .exited(2) && run.errors.contains("Unknown option '\(arguments[0])'"), "\(run.errors)")
        #expect(bench.listing().isEmpty)
    }

    // MARK: Peers

    /// Programs named `vipsthumbnail` that misbehave.
    @Test(arguments: [
        ("echo 'no such profile' >&2; exit 3", "exited with status 3: no such profile"),
        ("exit 0", "produced no output"), ("kill -SEGV $$", "signal 11"), ("sleep 60", "exceeded the timeout"),
    ]) func aFailedPeerIsNotFast(script: String, reason: String) throws {
        bench.makeFolder("bin")
        try bench.write("#!/bin/sh\n\(script)\n", to: "bin/vipsthumbnail")
        chmod(bench.path("bin/vipsthumbnail"), 0o755)
        var command = bench.command([
            "bench", "capture", "--peer", "vipsthumbnail", "--runs", "3", "--timeout", "2", "--json", "b.json",
            "--quiet",
        ])
        command.environment["PATH"] = "\(bench.path("bin")):/usr/bin:/bin"
        let run = try command.run()
        #expect(run.ending == .exited(1))
        #expect(run.lines.count == 1 && run.errors.contains("capture: vipsthumbnail: ") && run.errors.contains(reason))
        let candidates = try report("b.json").results[0].candidates
        #expect(candidates.map(\.name) == ["wayreel", "vipsthumbnail"])
        #expect(candidates[1].runs.isEmpty && candidates[1].failure?.contains(reason) == true)
        #expect(candidates[0].runs.count == 3)
    }

    @Test func reportsMissingPeers() throws {
        var command = bench.command(["bench", "capture", "--peer", "vipsthumbnail", "--runs", "3", "--quiet"])
        command.environment["PATH"] = bench.folder
        let run = try expectDone(command.run())
        #expect(run.text.contains("vipsthumbnail is not installed"))
    }

    @Test func anInputThatFailsFailsTheTask() throws {
        // The header is complete, but more than a quarter of the file is missing.
        let photo = try Fixture.bytes(Workbench.smallPhoto)
        try bench.write(Array(photo.prefix(photo.count * 2 / 5)), to: "cut.jpg")
        let run = try bench.wayreel("bench", "capture", "--runs", "3", "--input", "cut.jpg", "--quiet")
        #expect(
            run.ending == .exited(1) && run.errors.contains("capture: wayreel: exited with status 1"), "\(run.errors)")
        #expect(run.text.contains("failed"))
    }

    // MARK: Baselines

    /// Changes the numbers of a key in a report.
    private func doctor(_ name: String, _ key: String, by factor: Double, to copy: String) throws {
        let text = try bench.text(name)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            guard line.contains("\"\(key)\""), let colon = line.firstIndex(of: ":") else { return String(line) }
            let number = line[line.index(after: colon)...].filter { "0123456789.e-".contains($0) }
            guard let value = Double(number) else { return String(line) }
            return "\(line[...colon]) \(Int(value * factor))" + (line.hasSuffix(",") ? "," : "")
        }
        try bench.write(lines.joined(separator: "\n"), to: copy)
    }

    @Test func regressionsExitWithStatusOne() throws {
        expectDone(try bench.wayreel("bench", "probe", "--runs", "6", "--save", "base.json", "--quiet"))
        // Memory varies little, whatever else the machine does.
        try doctor("base.json", "peakMemoryBytes", by: 0.5, to: "half.json")
        let worse = try bench.wayreel("bench", "probe", "--runs", "6", "--against", "half.json", "--quiet")
        #expect(worse.ending == .exited(1) && worse.text.contains("worse"), "\(worse.text)")
        try doctor("base.json", "peakMemoryBytes", by: 2, to: "double.json")
        let better = try expectDone(
            bench.wayreel(
                "bench", "probe", "--runs", "6", "--against", "double.json", "--tolerance", "9",
                "--quiet"))
        #expect(better.text.contains("no difference"))
    }

    @Test func rejectsInvalidBaselines() throws {
        expectDone(try bench.wayreel("bench", "probe", "--runs", "3", "--save", "base.json", "--quiet"))
        let text = try bench.text("base.json")
        let cases: [(text: String, words: String, status: Int32)] = [
            ("", "is empty", 1), ("[1, 2]", "not a wayreel benchmark", 1),
            ("{\"kind\": \"x\"}", "not a wayreel benchmark", 1),
            (text.replacing("\"version\" : 3", with: "\"version\" : 7"), "has version 7", 1),
            (text.replacing("\"processor\" : \"", with: "\"processor\" : \"Another "), "another machine", 2),
            (text.replacing("\"results\" : [", with: "\"results\" : 3, \"x\" : ["), "is damaged", 1),
            (text.replacing("\"suite\" : \"probe\"", with: "\"suite\" : \"plot\""), "contains none of these suites", 2),
            (String(text.dropLast(text.count / 2)), "not a wayreel benchmark", 1),
        ]
        for (text, words, status) in cases {
            try bench.write(text, to: "other.json")
            expectRefused(
                try bench.wayreel("bench", "probe", "--runs", "3", "--against", "other.json", "--quiet"), status, words)
        }
    }

    @Test(arguments: [
        (["prob"], "did you mean 'probe'?"), (["probe", "--peer", "ffmpge"], "did you mean 'ffmpeg'?"),
        (["storage"], "unknown suite 'storage'"),
        (["probe", "--media", "nowhere"], "nowhere/captures"), (["probe", "--input", "missing.jpg"], "missing.jpg"),
        (["capture", "--input", "Media/radio/bunny.mp3"], "no suite takes an input"),
        (["capture", "--input", "photo.jpg", "--input", "photo.jpg"], "second input of kind image"),
        (["probe", "--json", "nowhere/b.json"], "nowhere"), (["probe", "--svg", "photo.jpg"], "photo.jpg"),
    ]) func rejectsInOneLine(arguments: [String], words: String) throws {
        let run = try bench.command(["bench"] + arguments).run()
        #expect(run.ending == .exited(1) || run.ending == .exited(2), "\(run.errors)")
        #expect(run.lines.count == 1 && run.errors.contains(words), "\(run.errors)")
    }

    // MARK: Traces

    @Test func writesATraceOfTheThreads() throws {
        expectDone(
            try bench.wayreel(
                "capture", "photo.jpg", "-o", "out.jpg", "--screen", "320x240", "--trace", "t.json", "--report",
                "r.json"))
        struct Trace: Decodable {
            struct Event: Decodable {
                var ph: String
                var name: String
                var dur: Double?
                var tdur: Double?
            }

            var traceEvents: [Event]
        }
        let trace = try JSONDecoder().decode(Trace.self, from: Data(bench.bytes("t.json")))
        let spans = trace.traceEvents.filter { $0.ph == "X" }
        #expect(spans.map(\.name) == ["read", "open", "decode and resample", "filter", "overlay", "encode", "write"])
        #expect(spans.allSatisfy { $0.dur ?? -1 >= 0 && $0.tdur ?? -1 >= 0 })
        struct Run: Decodable {
            struct Process: Decodable {
                var wallMilliseconds: Double
                var peakMemoryBytes: Int
            }

            var process: Process
        }
        let process = try JSONDecoder().decode(Run.self, from: Data(bench.bytes("r.json"))).process
        #expect(process.wallMilliseconds > 0 && process.peakMemoryBytes > 1 << 20)
    }
}
