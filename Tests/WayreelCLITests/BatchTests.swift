internal import Glibc
internal import TestSupport
internal import Testing

/// Many inputs in one run, and existing outputs.
@Suite struct BatchTests {
    private let bench = Workbench()

    @Test(arguments: ["replace", "skip", "fail"]) func handlesExistingOutputs(_ choice: String) throws {
        try bench.write("mine", to: "out.jpg")
        let run = try bench.wayreel(
            "capture", "photo.jpg", "-o", "out.jpg", "--if-exists", choice, "--report", "report.json")
        let task = try #require(try bench.report().tasks.first)
        switch choice {
        case "replace":
            expectDone(run)
            #expect(try bench.header("out.jpg")?.format == "jpeg" && task.status == "done")
        case "skip":
            expectDone(run)
            #expect(task.status == "skipped" && run.errors.contains("skipped"))
        default:
            expectRefused(run, 1, "out.jpg", "already exists", "--if-exists")
            #expect(task.status == "failed" && task.error?.kind == "io")
        }
        #expect(try choice == "replace" || bench.bytes("out.jpg") == Array("mine".utf8))
        #expect(bench.listing() == ["out.jpg", "report.json"])
    }

    @Test func rejectsCollisionsBeforeItStarts() throws {
        bench.makeFolder("a")
        bench.makeFolder("b")
        for name in ["a/same.jpg", "b/same.jpg"] { try bench.write(try Fixture.bytes(Workbench.smallPhoto), to: name) }
        let run = try bench.wayreel("capture", "photo.jpg", "a/same.jpg", "b/same.jpg", "-o", "out/")
        expectRefused(run, 2, "a/same.jpg", "b/same.jpg", "out/same.jpg")
        #expect(!bench.exists("out"))
    }

    @Test func oneBadInputDoesNotStopTheRest() throws {
        try bench.write("not an image", to: "bad.jpg")
        let run = try bench.wayreel(
            "capture", "photo.jpg", "bad.jpg", "missing.jpg", "Media/captures/still-photo.heic", "-o", "out",
            "--screen", "320x240", "--report", "report.json")
        #expect(run.ending == .exited(1))
        #expect(bench.listing("out") == ["photo.jpg", "still-photo.jpg"])
        #expect(run.lines.count { $0.hasPrefix("error: ") } == 2)
        #expect(run.errors.contains("error: missing.jpg: read: no such file or directory"))
        #expect(run.errors.contains("2 of 4 done, 2 failed"))
        let report = try bench.report()
        #expect(report.tasks.map(\.status) == ["done", "failed", "failed", "done"])
        #expect(report.tasks[1].error?.kind == "unsupported" && report.tasks[1].error?.subject == "bad.jpg")
        #expect(report.tasks[2].error?.kind == "io")
    }

    @Test func severalInputsNeedAFolder() throws {
        try bench.write("a file", to: "there")
        expectRefused(try bench.wayreel("capture", "photo.jpg", "x.jpg", "-o", "there"), 2, "there", "folder")
        expectRefused(try bench.wayreel("capture", "photo.jpg", "x.jpg", "-o", "out.jpg"), 2, "out.jpg", "folder")
        expectRefused(try bench.wayreel("capture", "photo.jpg", "x.jpg", "-o", "-"), 2, "standard output")
        #expect(bench.listing() == ["there"])
    }

    @Test func takesAFolderWithADotInItsName() throws {
        bench.makeFolder("my.images")
        expectDone(try bench.wayreel("capture", "photo.jpg", "-o", "my.images", "--screen", "64x64"))
        #expect(bench.listing("my.images") == ["photo.jpg"])
    }

    @Test func neverWritesOverAnInput() throws {
        let original = try Fixture.bytes(Workbench.smallPhoto)
        try bench.write(original, to: "mine.jpg")
        try bench.write(original, to: "other.png")
        bench.makeFolder("sub")
        symlink("../mine.jpg", bench.path("sub/link.jpg"))
        for (inputs, output) in [
            (["mine.jpg"], "mine.jpg"), (["mine.jpg"], "./mine.jpg"), (["mine.jpg"], "."),
            (["mine.jpg"], "sub/link.jpg"), (["other.png", "mine.jpg"], "./"),
            (["photo.jpg", "mine.jpg"], bench.folder),
        ] {
            let run = try bench.command(["capture"] + inputs + ["-o", output]).run()
            expectRefused(run, 2, "is an input itself")
        }
        expectRefused(
            try bench.wayreel("capture", "mine.jpg", "-o", "out.jpg", "--report", "mine.jpg"), 2, "mine.jpg", "report")
        expectRefused(
            try bench.wayreel("capture", "mine.jpg", "-o", "out.jpg", "--report", "out.jpg"), 2, "out.jpg", "report")
        // The output is not there yet.
        expectRefused(
            try bench.wayreel("capture", "mine.jpg", "-o", "out.jpg", "--report", "./out.jpg"), 2, "out.jpg", "report")
        expectRefused(
            try bench.wayreel("capture", "mine.jpg", "-o", "out.jpg", "--report", "r", "--trace", "sub/../r"), 2,
            "trace")
        expectRefused(
            try bench.wayreel("capture", "mine.jpg", "-o", "-", "--report", "-"), 2, "report")
        #expect(try bench.bytes("mine.jpg") == original && bench.bytes("other.png") == original)
        #expect(!bench.exists("out.jpg"))
    }

    /// No output, report or trace replaces another file that is read: a recipe, an overlay, a story, subtitles.
    @Test func neverWritesOverAFileThatItReads() throws {
        let badge = try Fixture.bytes(Fixture.media("overlays/badge.png"))
        try bench.write(badge, to: "badge.png")
        try bench.write("filters: [sepia-tone]\n", to: "r.yml")
        try bench.write("1\n00:00:00,000 --> 00:00:01,000\nA\n", to: "c.srt")
        let overlay = ["--overlay", "badge.png@center"]
        let video = "Media/story/video/tomas.mp4"
        for arguments in [
            ["capture", "photo.jpg", "-o", "badge.png"] + overlay,
            ["poster", video, "-o", "./badge.png"] + overlay,
            ["capture", "photo.jpg", "-o", "out.jpg", "--report", "badge.png"] + overlay,
            ["capture", "photo.jpg", "-o", "out.jpg", "--recipe", "r.yml", "--report", "r.yml"],
            ["capture", "photo.jpg", "-o", "out.jpg", "--recipe", "r.yml", "--trace", "r.yml"],
            ["transcode", video, "-o", "out.mp4", "--subtitles", "c.srt:en", "--report", "c.srt"],
            ["transcode", video, "-o", "out.mp4", "--report", "badge.png"] + overlay,
        ] {
            let run = try bench.command(arguments).run()
            #expect(run.ending == .exited(2) && run.lines.count == 1, "\(arguments): \(run.errors)")
        }
        #expect(try bench.bytes("badge.png") == badge)
        #expect(bench.listing() == ["badge.png", "c.srt", "r.yml"])
    }

    @Test func givesTheSameBytesEveryTime() throws {
        let inputs = ["town-coolpix-gps.jpg", "streetlamp-canon-rotated.jpg", "still-photo.heic"].map {
            "Media/captures/\($0)"
        }
        let look = [
            "--screen", "400x300", "--recipe", "Filters/old-postcard.yml", "--text", "Ολα 🎈", "--filter", "bloom",
        ]
        for (folder, jobs) in [("one", "1"), ("two", "2"), ("again", "2")] {
            expectDone(try bench.command(["capture"] + inputs + ["-o", folder, "--jobs", jobs] + look).run())
        }
        for name in bench.listing("one") {
            let expected = try bench.bytes("one/\(name)")
            #expect(try bench.bytes("two/\(name)") == expected, "\(name)")
            #expect(try bench.bytes("again/\(name)") == expected, "\(name)")
        }
        #expect(bench.listing("one").count == 3)
    }

    /// Inputs are probed rather than prepared: flushing ten thousand outputs would only measure the disk.
    @Test func takesTenThousandInputs() throws {
        try bench.write(PNGFile.black(width: 8, height: 8), to: "tiny.png")
        bench.makeFolder("in")
        let names = (0..<10_000).map { "in/\($0).png" }
        for name in names { symlink("../tiny.png", bench.path(name)) }
        let run = try expectDone(bench.command(["probe", "--json"] + names).run())
        #expect(run.errors.isEmpty)
        let lines = String(decoding: run.output, as: UTF8.self).split(separator: "\n")
        #expect(lines.count { $0.contains("\"file\"") } == names.count)
    }

    @Test func memoryDoesNotGrowWithTheBatch() throws {
        let photo = Fixture.media("captures/streetlamp-canon-rotated.jpg")
        var peaks: [Int] = []
        for count in [4, 40] {
            bench.makeFolder("in\(count)")
            let names = (0..<count).map { "in\(count)/\($0).jpg" }
            for name in names { symlink(photo, bench.path(name)) }
            expectDone(
                try bench.command(
                    ["capture"] + names + ["-o", "out\(count)", "--screen", "320x240", "--report", "report.json"]
                ).run())
            peaks.append(try bench.report().tasks.map(\.peakMemoryBytes).max() ?? 0)
        }
        // If they were kept in memory, the files of 36 more captures alone would take 36 times that many bytes.
        let file = try Fixture.bytes(photo).count
        #expect(peaks[1] - peaks[0] < max(8 << 20, 4 * file), "\(peaks)")
    }
}
