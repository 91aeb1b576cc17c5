internal import TestSupport
internal import Testing

/// Contradictory options are refused in one line, before any work.
@Suite struct TranscodeUsageTests {
    private let bench = Workbench()
    private let clip = "Media/scrapbook/portrait.mp4"

    @Test(arguments: [
        (["--crf", "20", "--quality", "high"], ["--crf", "--quality", "exclusive"]),
        (["--ladder", "auto"], ["--ladder", "--hls"]), (["--encrypt"], ["--encrypt", "--hls"]),
        (["--parallel-gops", "2"], ["--parallel-gops", "--hls"]),
        (["--hls", "--crf", "20"], ["ladder", "--crf"]), (["--hls", "--key-address", "k"], ["--encrypt"]),
        (["--no-sound", "--loudness", "-16"], ["--loudness", "--no-audio"]), (["--json"], ["--plan"]),
        (["--no-isolate", "--max-memory", "1GB"], ["--max-memory", "--no-isolate"]), (["--track", "0"], ["--track"]),
        (["--no-sound", "--all-audio"], ["--all-audio", "--no-audio"]),
        (["--track", "1", "--audio-languages", "eng"], ["--track", "--audio-languages"]),
        (["--max-memory", "1MB"], ["--max-memory", "50MB"]), (["--plan", "--report", "r.json"], ["--plan"]),
        (["--hls", "--no-preview", "--preview-every", "2"], ["--no-preview"]), (["--max-seconds", "0"], ["positive"]),
    ]) func refusesCombinations(_ arguments: [String], _ words: [String]) throws {
        let run = try bench.command(["transcode", clip, "-o", "out.mp4"] + arguments).run()
        #expect(run.ending == .exited(2), "\(run.errors)")
        for word in words { #expect(run.lines.first?.contains(word) == true, "\(run.errors)") }
        #expect(bench.listing().isEmpty)
    }

    @Test(arguments: [
        (["-o", "out.webm"], ["out.webm", ".mp4", "--hls"]), (["-o", "-", "--hls"], ["standard output"]),
        (["-o", "list.m3u8"], ["list.m3u8", "master.m3u8"]),
        (["-o", "out.mp4", "--fit", "cover"], ["--fit", "--screen"]),
        (["-o", "out.mp4", "--crf", "99"], ["99"]), (["-o", "out.mp4", "--preset", "fats"], ["fats"]),
        (["-o", "out.mp4", "--filter", "nior"], ["noir"]), (["-o", "out.mp4", "--screen", "iphone-4z"], ["iphone-4"]),
        (["-o", "out.mp4", "--loudness", "16"], ["16"]), (["-o", "out.mp4", "--quality", "50"], ["50", "90"]),
        (["-o", "out.mp4", "--overlay", "none.png"], ["none.png"]),
    ]) func refusesValues(_ arguments: [String], _ words: [String]) throws {
        let run = try bench.command(["transcode", clip] + arguments).run()
        #expect(run.ending == .exited(arguments.contains("--overlay") ? 1 : 2) && run.lines.count == 1, "\(run.errors)")
        for word in words { #expect(run.errors.contains(word), "\(run.errors)") }
        #expect(bench.listing().isEmpty)
    }

    @Test func refusesTwoPostersInOnePlace() throws {
        let run = try bench.wayreel("transcode", clip, "sub/portrait.mov", "-o", "out", "--poster")
        expectRefused(run, 2, "portrait.mov", "out/portrait.mp4")
    }

    @Test func workerCommandExplainsItself() throws {
        #expect(try !bench.wayreel("--help").text.contains("worker"))
        expectRefused(try bench.wayreel("worker"), 2, "request")
    }

    @Test(arguments: ["transcode", "poster", "validate", "probe"]) func helpShowsExamples(_ command: String) throws {
        let run = try expectDone(bench.wayreel(command, "--help"))
        #expect(run.text.contains("wayreel \(command) "))
    }
}
